"""People who call the API of a site that nobody serves: nothing runs by itself."""

import json
from typing import Any

from django.http import HttpResponse
from django.test import Client


class Caller:
    """Somebody with a browser's cookies."""

    def __init__(self) -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.client.get("/")

    def send(self, path: str, body: object = None, method: str = "POST") -> HttpResponse:
        """Send JSON with the CSRF token."""
        token = self.client.cookies["csrftoken"].value
        return self.client.generic(
            method,
            path,
            json.dumps(body).encode(),
            content_type="application/json",
            headers={"X-CSRFToken": token},
        )

    def reads(self, path: str) -> dict[str, Any]:
        """Read what must be there."""
        answer = self.client.get(path)
        assert answer.status_code == 200, answer.content
        return dict(answer.json())


def refused(answer: HttpResponse, status: int, code: str) -> str:
    """Check that something was refused for a reason, and give its words."""
    assert answer.status_code == status, answer.content
    error = answer.json()["error"]
    assert error["code"] == code, error
    return str(error["detail"])
