"""What a visitor sees when something is wrong: always a whole page with a way back."""

import errno
import re

import psycopg
import pytest
from django.contrib.messages.storage.session import SessionStorage
from django.contrib.sessions.backends.db import SessionStore
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client, RequestFactory
from psycopg.errors import AdminShutdown

from bazaar_site.errors import our_fault


def is_a_whole_page(answer: HttpResponse, headline: str) -> None:
    html = answer.content.decode()
    headlines = re.findall(r"<h1[^>]*>(.+?)</h1>", html, re.S)
    assert [one.strip() for one in headlines] == [headline]
    assert len(re.findall(r"<main[ >]", html)) == 1
    assert '<html lang="en">' in html
    assert 'class="skip" href="#main"' in html
    assert f"<title>{headline} · BazaarBATNA</title>" in html
    assert re.search(r'<a class="button button-primary" href="/">', html)
    assert re.search(r'href="/sell/"', html)
    assert re.search(r'href="/replays/"', html)


@pytest.mark.django_db
def test_a_request_that_cannot_be_read_gets_a_page(client: Client) -> None:
    answer = client.get("/", HTTP_HOST="not a host")
    assert answer.status_code == 400
    is_a_whole_page(answer, "We could not read that")


@pytest.mark.django_db
def test_a_form_without_its_token_gets_a_page() -> None:
    mallory = Client(enforce_csrf_checks=True)
    answer = mallory.post("/sell/new/", {"title": "Lamp"})
    assert answer.status_code == 403
    is_a_whole_page(answer, "That came without its token")


@pytest.mark.django_db
def test_an_address_that_leads_nowhere_gets_a_page(client: Client) -> None:
    answer = client.get("/lane/of/lamps/")
    assert answer.status_code == 404
    is_a_whole_page(answer, "Nobody sells that here")


@pytest.mark.parametrize("address", ["/", "/sell/", "/replays/"])
def test_a_visitor_gets_a_page_when_the_database_is_gone(address: str) -> None:
    # No django_db mark: every query of this test raises.
    asha = Client(raise_request_exception=False)
    asha.cookies["sessionid"] = "a-session-that-cannot-be-read"
    answer = asha.get(address)
    assert answer.status_code == 500
    is_a_whole_page(answer, "A pot fell over in the back")


def test_the_page_of_our_own_fault_looks_for_no_messages() -> None:
    # Messages that did not fit into a cookie lie in the session, and that in the database.
    request = RequestFactory().get("/sell/")
    request.session = SessionStore("a-session-that-cannot-be-read")
    request._messages = SessionStorage(request)  # type: ignore[attr-defined]
    answer = our_fault(request)
    assert answer.status_code == 500
    is_a_whole_page(answer, "A pot fell over in the back")


def _failed(cause: Exception) -> OperationalError:
    failed = OperationalError(str(cause))
    failed.__cause__ = cause
    return failed


@pytest.mark.django_db
@pytest.mark.parametrize(("method", "address"), [("post", "/api/sell/"), ("get", "/sell/")])
@pytest.mark.parametrize(
    ("cause", "status", "code", "words", "title"),
    [
        (
            OSError(errno.ENOSPC, "No space left on device"),
            *(507, "no-room", "no room", "The shelves are full"),
        ),
        (
            psycopg.OperationalError("the database system is starting up"),
            *(503, "away", "try again", "The account book is out of the house"),
        ),
        (
            AdminShutdown("stopped"),
            503,
            "away",
            "try again",
            "The account book is out of the house",
        ),
    ],
    ids=["full", "starting", "stopped"],
)
def test_what_the_site_has_run_out_of_is_told_in_words(
    monkeypatch: pytest.MonkeyPatch,
    method: str,
    address: str,
    cause: Exception,
    status: int,
    code: str,
    words: str,
    title: str,
) -> None:
    failed = _failed(cause)

    def refuse(*_: object, **__: object) -> None:
        raise failed

    monkeypatch.setattr("django.db.models.query.QuerySet._fetch_all", refuse)
    monkeypatch.setattr("django.db.models.base.Model.save_base", refuse)
    asha = Client(raise_request_exception=False)
    body = {"title": "Lamp", "asking_price": 2000, "reservation_price": 1200}
    told = {"data": body, "content_type": "application/json"} if method == "post" else {}
    answer = getattr(asha, method)(address, **told)
    assert answer.status_code == status
    assert ("Retry-After" in answer) == (status == 503)
    if method == "post":
        assert answer.json()["error"]["code"] == code
        assert words in answer.json()["error"]["detail"]
    else:
        is_a_whole_page(answer, title)
