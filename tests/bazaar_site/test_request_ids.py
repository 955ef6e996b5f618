"""Every request has a number: the proxy's if it can be believed, else one of ours."""

import contextvars
import queue
import re
from typing import Any

import pytest
from django.test import RequestFactory
from structlog.contextvars import bound_contextvars, clear_contextvars

from bazaar_site.celery import app
from bazaar_site.errors import our_fault
from bazaar_site.operating.request_ids import Numbered, current_number
from negotiation import enqueue

OURS = re.compile(rb"[0-9a-f]{16}")


async def answered(client: str, *told: bytes, kind: str = "http") -> tuple[bytes, str]:
    """Ask once; give the number in the answer, and the one the application knew."""
    known: list[str] = []
    sent: list[dict[str, Any]] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        known.append(current_number())
        first = "http.response.start" if kind == "http" else "websocket.accept"
        await send({"type": first, "headers": [(b"x-more", b"1")]})
        await send({"type": "http.response.body" if kind == "http" else "websocket.send"})

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": kind,
        "client": (client, 4) if client else None,
        "headers": [(b"x-request-id", value) for value in told],
    }
    await Numbered(application)(scope, None, send)
    assert "headers" not in sent[1]
    (number,) = [value for name, value in sent[0]["headers"] if name == b"x-request-id"]
    assert (b"x-more", b"1") in sent[0]["headers"]
    assert current_number() == ""
    return number, known[0]


@pytest.mark.parametrize("kind", ["http", "websocket"])
async def test_the_proxy_is_believed(settings: Any, kind: str) -> None:
    settings.TRUSTED_PROXIES = "10.0.0.0/8"
    assert await answered("10.1.2.3", b"from-the-proxy", kind=kind) == (
        b"from-the-proxy",
        "from-the-proxy",
    )
    assert (await answered("", b"from-the-proxy", kind=kind))[1] == "from-the-proxy"


@pytest.mark.parametrize("kind", ["http", "websocket"])
async def test_anybody_else_is_not(settings: Any, kind: str) -> None:
    settings.TRUSTED_PROXIES = "10.0.0.0/8"
    number, known = await answered("198.51.100.4", b"from-mallory", kind=kind)
    assert OURS.fullmatch(number)
    assert known == number.decode()


@pytest.mark.parametrize(
    "told",
    [
        (b"",),
        (b"short",),
        (b"x" * 65,),
        (b"new\nline-in-it",),
        (b'{"level":"info"}',),
        (b"<script>alert",),
        ("न-हिंदी-में".encode(),),
        (b"two-of-them-1", b"two-of-them-2"),
    ],
    ids=repr,
)
async def test_nonsense_of_a_proxy_is_replaced(settings: Any, told: tuple[bytes, ...]) -> None:
    settings.TRUSTED_PROXIES = "10.0.0.0/8"
    assert OURS.fullmatch((await answered("10.1.2.3", *told))[0])


def test_the_page_of_our_own_fault_says_it() -> None:
    request = RequestFactory().get("/sell/")
    with bound_contextvars(request_id="abcdef0123456789"):
        assert "<code>abcdef0123456789</code>" in our_fault(request).content.decode()
    assert "<code>" not in our_fault(request).content.decode()


def test_a_letter_that_another_thread_sends_has_the_number_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found: queue.Queue[str] = queue.Queue()
    monkeypatch.setattr(enqueue, "enqueue", lambda *_: found.put(current_number()))
    with bound_contextvars(request_id="abcdef0123456789"):
        enqueue.enqueue_soon(app.tasks["celery.map"])
    assert found.get(timeout=60) == "abcdef0123456789"
    contextvars.Context().run(enqueue.enqueue_soon, app.tasks["celery.map"])
    assert found.get(timeout=60) == ""


def test_a_worker_takes_no_number_that_nobody_would_have_made() -> None:
    clear_contextvars()
    known: list[str] = []

    @app.task(name="tests.numbered")
    def task() -> None:
        known.append(current_number())

    for told in ("abcdef0123456789", 'x"}\n{"level":"error"', 7, None):
        task.apply(headers={"request_id": told})
    del app.tasks["tests.numbered"]
    assert known[0] == "abcdef0123456789"
    assert all(re.fullmatch(r"[0-9a-f]{16}", one) for one in known)
    assert current_number() == ""
