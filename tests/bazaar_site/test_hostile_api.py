"""Every endpoint that the OpenAPI schema names, sent whatever there is: no fault of ours."""

import json
import random
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from bazaar_site.urls import api
from negotiation.models import Listing
from tests.support import hostile

SCHEMA = api.get_openapi_schema(path_prefix="/api/")

OPERATIONS = [
    pytest.param(method, path, what, id=f"{method} {path}")
    for path, methods in SCHEMA["paths"].items()
    for method, what in methods.items()
]

WITH_BODY = [one for one in OPERATIONS if one.values[0] == "post"]


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    from negotiation import limits

    settings.LIMITS = dict.fromkeys(settings.LIMITS, "1000000/second")
    limits.forget_settings()


@pytest.fixture
def mallory(db: None) -> Client:
    Listing.objects.create(
        title="Pressure cooker",
        category="Kitchen",
        list_price=200_000,
        street_price=160_000,
        source_key="cooker",
    )
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    client.get("/")
    client.defaults["HTTP_X_CSRFTOKEN"] = client.cookies["csrftoken"].value
    return client


def is_well_refused(answer: HttpResponse, sent: object) -> None:
    said = str(sent)[:200]
    assert answer.status_code < 500, (answer.status_code, said)
    if answer.status_code >= 400:
        assert answer["Content-Type"].startswith("application/json"), said
        error = json.loads(answer.content)["error"]
        assert error["code"], said
        assert error["detail"], said


def filled(path: str, rng: random.Random) -> str:
    told = {"game_id": "zzzzzzzzzzzz", "kind": "rps", "bot_id": "3"}
    for name in ("game_id", "match_id", "bot_id", "kind"):
        value = told.get(name, "m" * 12)
        if rng.random() < 0.2:
            value = rng.choice(
                ("0", "-1", "9" * 60, "%00", "%ff", "a%2Fb", "%F0%9F%AA%94", "x" * 500)
            )
        path = path.replace(f"{{{name}}}", value)
    return path


@pytest.mark.parametrize(("method", "path", "what"), WITH_BODY)
def test_what_is_no_json_is_refused_as_such(
    mallory: Client, method: str, path: str, what: dict[str, Any]
) -> None:
    rng = random.Random(path)
    for kind in hostile.CONTENT_TYPES:
        for body in (hostile.MULTIPART, b"{}", b"a=1"):
            sent = mallory.generic("POST", filled(path, rng), body, content_type=kind)
            is_well_refused(sent, (kind, body))
            if kind.startswith(("multipart", "text", "application/x-www")):
                assert sent.status_code == 415, (kind, sent.content)
                assert json.loads(sent.content)["error"]["code"] == "bad-request"


@pytest.mark.parametrize(("method", "path", "what"), WITH_BODY)
def test_whatever_body_comes_nothing_breaks(
    mallory: Client, method: str, path: str, what: dict[str, Any]
) -> None:
    rng = random.Random(path)
    content = what.get("requestBody", {}).get("content", {}).get("application/json", {})
    known = hostile.Sample(SCHEMA).of(content.get("schema", {})) or {}
    bodies = [*hostile.RAW_BODIES, *map(hostile.written, hostile.each_wrong(known))]
    if len(bodies) > 250:
        bodies = rng.sample(bodies, 250)
    for body in bodies:
        sent = mallory.generic("POST", filled(path, rng), body, content_type="application/json")
        is_well_refused(sent, body)


@pytest.mark.parametrize(("method", "path", "what"), OPERATIONS)
def test_whatever_is_asked_for_nothing_breaks(
    mallory: Client, method: str, path: str, what: dict[str, Any]
) -> None:
    rng = random.Random(path)
    names = [one["name"] for one in what.get("parameters", []) if one["in"] == "query"]
    for text in (*hostile.TEXTS, *map(str, hostile.NUMBERS[:14])):
        query = {name: text.encode(errors="surrogatepass") for name in (*names, "unknown")}
        place = filled(path, rng)
        sent = mallory.generic(method.upper(), place, QUERY_STRING=_query(query))
        is_well_refused(sent, (place, text))


def _query(fields: dict[str, bytes]) -> str:
    from urllib.parse import urlencode

    return urlencode({name: value[:3_000] for name, value in fields.items()})
