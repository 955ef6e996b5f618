"""Asha sells, Chetan must never see; both come with real cookies and CSRF tokens."""

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client


class Caller:
    """A client that checks CSRF like a browser's requests are checked."""

    def __init__(self) -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.client.get("/")

    def post(self, path: str, body: object, *, raw: bytes | None = None) -> HttpResponse:
        """Post JSON with the token from the cookie."""
        token = self.client.cookies["csrftoken"].value
        data = json.dumps(body).encode() if raw is None else raw
        return self.client.post(
            path, data, content_type="application/json", headers={"X-CSRFToken": token}
        )

    def get(self, path: str, **query: Any) -> HttpResponse:
        """Get a page."""
        return self.client.get(path, query)

    @property
    def key(self) -> str:
        """The session key."""
        return str(self.client.cookies["sessionid"].value)


@pytest.fixture
def asha(db: None) -> Caller:
    return Caller()


@pytest.fixture
def chetan(db: None) -> Caller:
    return Caller()
