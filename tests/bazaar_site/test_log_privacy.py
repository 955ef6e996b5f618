"""What libraries, requests and errors tell the log: routes and names, and nobody's words."""

import asyncio
import gc
import logging
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from daphne.server import Server
from django.core.exceptions import SuspiciousOperation
from django.http import Http404, HttpResponseServerError
from django.test import Client, RequestFactory
from django.urls import get_resolver
from django.utils.log import log_response
from psycopg.errors import UniqueViolation
from twisted.python.failure import Failure

from bazaar_site import log_privacy
from bazaar_site.env import env
from bazaar_site.log_privacy import ADDRESSES, NOWHERE, STATIC, method_of, named, route_of, told
from bazaar_site.logging import configure_logging
from bazaar_site.routing import socket_route

WORD = "asha-geheim-01"


@pytest.fixture(params=[True, False], ids=["json", "text"])
def said(
    request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> Iterator[Callable[[], str]]:
    configure_logging("DEBUG", as_json=request.param)
    yield lambda: capsys.readouterr().err
    configure_logging(env.log_level, as_json=env.log_json)


def raised(wrong: Exception, cause: Exception | None = None) -> Exception:
    try:
        raise wrong from cause
    except type(wrong) as caught:
        return caught


def test_a_page_is_named_by_its_route_and_a_socket_by_its_own() -> None:
    assert route_of(f"/account/join/{WORD}/") == "/account/join/<str:token>/"
    assert (
        route_of(f"/admin/auth/user/{WORD}/change/") == "/admin/auth/user/<path:object_id>/change/"
    )
    assert (route_of(f"/{WORD}/"), route_of(f"/static/{WORD}.css")) == (NOWHERE, STATIC)
    assert socket_route(f"/ws/watch/{WORD.replace('-', '')}/") == "/ws/watch/<key>/"
    assert socket_route(f"/ws/{WORD}/") == NOWHERE
    assert (method_of("POST"), method_of(WORD), method_of(None)) == ("POST", "OTHER", "OTHER")


def test_no_page_with_something_in_its_address_is_forgotten() -> None:
    def patterns(resolver: Any, before: str = "") -> Iterator[str]:
        for one in resolver.url_patterns:
            here = before + str(one.pattern)
            yield from patterns(one, here) if hasattr(one, "url_patterns") else (here,)

    first = {one.strip("^").partition("/")[0] for one in patterns(get_resolver()) if "<" in one}
    assert first <= {*ADDRESSES}


@pytest.mark.django_db
def test_what_django_says_of_a_request_names_its_route(
    said: Callable[[], str], client: Client
) -> None:
    client.get(f"/account/join/{WORD}/?q={WORD}", headers={"referer": f"http://x/{WORD}"})
    client.get(f"/{WORD}/")
    client.post("/language/", {"language": WORD}, headers={"origin": f"https://{WORD}.example"})
    strict = Client(enforce_csrf_checks=True)
    strict.post("/language/", {"next": f"/{WORD}/"}, headers={"origin": f"https://{WORD}.example"})
    client.put(f"/learn/?{WORD}")
    client.generic(WORD, "/healthz")
    text = said()
    assert WORD not in text
    for line in (
        "Not Found: GET /account/join/<str:token>/",
        f"Not Found: GET {NOWHERE}",
        "Forbidden (Origin checking failed): POST /language/",
        "Method Not Allowed: PUT /learn/",
        "Method Not Allowed: OTHER /healthz",
    ):
        assert line in text


@pytest.mark.parametrize("wrong", [Http404(WORD), ValueError(WORD), SuspiciousOperation(WORD)])
def test_a_response_that_failed_is_told_without_what_was_asked(
    said: Callable[[], str], wrong: Exception
) -> None:
    request = RequestFactory().get(f"/rooms/{WORD}/enter/", {"PROLIFIC_PID": WORD})
    for name in ("django.request", "django.security.SuspiciousOperation", "django.server"):
        log_response(
            "%s: %s", WORD, request.path, response=HttpResponseServerError(), request=request,
            exception=raised(wrong), logger=logging.getLogger(name),
        )  # fmt: skip
    text = said()
    assert WORD not in text
    assert text.count("GET /rooms/<slug:code>/enter/") == 3
    assert text.count(type(wrong).__name__) >= 3


def test_a_traceback_names_lines_of_code_and_quotes_nobody() -> None:
    broken = UniqueViolation(f"duplicate key\nDETAIL:  Key (external_id)=({WORD}) already exists.")
    outer = raised(KeyError(WORD), raised(broken))
    outer.add_note(WORD)
    text = told(type(outer), outer, outer.__traceback__)
    assert WORD not in text
    assert text.count("test_log_privacy.py") == 2
    assert text.index("UniqueViolation") < text.index("direct cause") < text.index("KeyError")


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        (ValueError(WORD), "ValueError"),
        (KeyError(WORD), "KeyError"),
        (UnicodeDecodeError("utf-8", WORD.encode(), 0, 1, WORD), "UnicodeDecodeError"),
        (FileNotFoundError(2, "No such file", f"/data/{WORD}"), "FileNotFoundError: No such file"),
        (OSError(WORD), "OSError"),
        (TypeError("'NoneType' is no number"), "TypeError: 'NoneType' is no number"),
        (UniqueViolation(f'relation "{WORD}"'), "UniqueViolation"),
    ],
)
def test_an_exception_is_named_with_what_cannot_quote_anybody(wrong: Exception, name: str) -> None:
    assert named(wrong) == name


class Uneasy:
    """Something of a library's whose representation has an address."""

    def __repr__(self) -> str:
        return f"<WebRequest at 0x7f method=GET uri=/rooms/{WORD}/?x={WORD} clientproto=HTTP/1.1>"


def libraries() -> Iterator[tuple[str, Callable[[logging.Logger], None]]]:
    """Loggers of libraries, and how they speak."""
    address = f"/rooms/ABCDEF/enter/?PROLIFIC_PID={WORD}"
    killed = "Application instance %r for connection %s took too long to shut down and was killed."
    yield "daphne.server", lambda log: log.warning(killed, Uneasy(), repr(Uneasy()))
    yield (
        "daphne.server",
        lambda log: log.error(
            "Exception inside application: %s", ValueError(WORD), exc_info=raised(ValueError(WORD))
        ),
    )
    yield "daphne.ws_protocol", lambda log: log.error(Failure(raised(KeyError(WORD))))
    yield (
        "daphne.http_protocol",
        lambda log: log.error(
            "".join(traceback.format_exception(raised(KeyError(f"{WORD}\n  {WORD}"))))
        ),
    )
    yield "daphne.http_protocol", lambda log: log.debug("HTTP %s request for %s", "GET", address)
    yield "somebody.new", lambda log: log.info("asked for %s", address)
    yield "somebody.new", lambda log: log.info(f"asked for '{address}' again")
    yield "somebody.new", lambda log: log.info("went to /%s/%s/", "%72ooms", WORD)
    yield "somebody.new", lambda log: log.info("to https://x.example/y?key=%s ", WORD)
    yield "somebody.new", lambda log: log.info("done", extra={"data": WORD, "request": Uneasy()})
    yield "somebody.new", lambda log: log.info("got %s", {"words": WORD})
    yield "celery.worker", lambda log: log.error("Unknown message.\nIts body was: %s", WORD)
    yield (
        "celery.app.trace",
        lambda log: log.error(
            "Task %(name)s failed: %(exc)s",
            {"name": "x", "exc": repr(ValueError(WORD)), "args": WORD},
        ),
    )


@pytest.mark.parametrize("number", range(len([*libraries()])))
def test_a_library_quotes_nobody(said: Callable[[], str], number: int) -> None:
    name, speak = [*libraries()][number]
    speak(logging.getLogger(name))
    text = said()
    assert WORD not in text
    assert text or "debug" in name or number == 4, "it is heard all the same"


def test_a_task_whose_failure_nobody_asked_for_quotes_nobody(said: Callable[[], str]) -> None:
    async def fails() -> None:
        raise ValueError(WORD)

    async def leaves_it() -> None:
        lost = asyncio.ensure_future(fails())
        await asyncio.sleep(0.01)
        assert lost.done()
        del lost
        gc.collect()

    asyncio.run(leaves_it())
    text = said()
    assert WORD not in text
    assert "Task exception was never retrieved" in text


def test_what_threads_and_destructors_say_goes_into_the_log(
    said: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    log_privacy.log_what_nobody_caught()

    def fails() -> None:
        raise ValueError(WORD)

    class Fails:
        def __del__(self) -> None:
            raise ValueError(WORD)

    thread = threading.Thread(target=fails)
    thread.start()
    thread.join()
    del thread
    Fails()
    gc.collect()
    text = said()
    assert WORD not in text
    assert "a thread has ended" in text
    assert "an error that nobody could catch" in text


def test_daphne_writes_no_lines_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    from daphne.access import AccessLogGenerator

    import bazaar_site.asgi  # noqa: F401  silences it

    server = Server(None, endpoints=["tcp:0"], action_logger=AccessLogGenerator(sys.stdout))
    told = {"client": "x", "path": f"/{WORD}", "method": "GET", "status": 200, "size": 1}
    server.log_action("http", "complete", told)
    server.log_action("websocket", "connected", told)
    assert capsys.readouterr().out == ""
