"""What a visitor sees when something is wrong: always a whole page with a way back."""

import re

import pytest
from django.contrib.messages.storage.session import SessionStorage
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpResponse
from django.test import Client, RequestFactory

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
