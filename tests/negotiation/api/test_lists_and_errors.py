"""What is for sale, who buys, and the one shape of every error."""

import pytest
from django.test import Client

from negotiation.models import Listing
from tests.negotiation.api.conftest import Caller


@pytest.fixture
def stall(db: None) -> None:
    Listing.objects.bulk_create(
        Listing(
            title=f"Cycle number {number}",
            category="cycles",
            city="Pune",
            list_price=100000 + number,
            street_price=80000,
            source_key=f"cycle-{number}",
            search_text=f"cycle number {number} cycles pune",
        )
        for number in range(30)
    )


def test_listings_come_in_pages(asha: Caller, stall: None) -> None:
    first = asha.get("/api/listings/", q="cycle").json()
    second = asha.get("/api/listings/", q="cycle", page=2).json()
    assert first["total"] == 30
    assert first["pages"] == 2
    assert len(first["results"]) + len(second["results"]) == 30
    assert {one["category"] for one in first["results"]} == {"cycles"}
    assert "asking_price" in first["results"][0]
    assert "street_price" not in first["results"][0]


def test_listings_are_found_by_price_in_rupees(asha: Caller, stall: None) -> None:
    found = asha.get("/api/listings/", min_price=1000.05, max_price=1000.09).json()
    assert found["total"] == 5


@pytest.mark.parametrize(
    "query", [{"page": "0"}, {"page": "x"}, {"min_price": "nan"}, {"sort": "best;drop"}]
)
def test_a_bad_search_is_answered_with_the_field(query: dict[str, str], asha: Caller) -> None:
    answer = asha.get("/api/listings/", **query)
    assert answer.status_code == 422
    assert set(answer.json()["error"]["fields"]) == set(query)


def test_a_search_for_hostile_text_finds_nothing(asha: Caller, stall: None) -> None:
    answer = asha.get("/api/listings/", q="\x00'; drop table--")
    assert answer.status_code == 200


def test_policies_are_listed_with_version_and_kind(asha: Caller) -> None:
    policies = {one["name"]: one for one in asha.get("/api/policies/").json()["results"]}
    assert policies["sauda"]["title"] == "Sauda"
    assert policies["sauda"]["version"].startswith("sauda@")
    assert set(policies["sauda"]) == {"name", "version", "kind", "title", "backend", "side"}


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("get", "/api/", 404, "not-found"),
        ("get", "/api/nothing/", 404, "not-found"),
        ("get", "/api/sell/", 405, "method-not-allowed"),
        ("delete", "/api/sell/abc/", 405, "method-not-allowed"),
        ("get", "/api/sell/ABC!/", 404, "unknown-game"),
        ("get", "/api/sell/%00/", 404, "unknown-game"),
        ("get", f"/api/sell/{'x' * 300}/", 404, "unknown-game"),
    ],
)
def test_every_error_below_api_has_one_shape(
    method: str, path: str, status: int, code: str, db: None
) -> None:
    answer = getattr(Client(), method)(path)
    assert answer.status_code == status
    assert answer["Content-Type"].startswith("application/json")
    assert answer.json()["error"]["code"] == code
    assert answer.json()["error"]["detail"].endswith(".")


def test_a_wrong_method_still_says_which_ones_are_right(db: None) -> None:
    assert "POST" in Client().get("/api/sell/")["Allow"]


def test_a_wrong_host_is_answered_in_the_same_shape(db: None) -> None:
    answer = Client().get("/api/policies/", headers={"Host": "evil.example"})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "bad-request"


def test_a_fault_of_ours_tells_nothing_of_its_cause(
    db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks(side: str) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("negotiation.policies.policies", breaks)
    answer = Client(raise_request_exception=False).get("/api/policies/")
    assert answer.status_code == 500
    assert answer.json()["error"]["code"] == "server-error"
    assert b"secret" not in answer.content
    assert "secret detail" in caplog.text


@pytest.mark.parametrize("path", ["/nothing/", "/sell/nothing-here/at/all/"])
def test_elsewhere_an_error_is_a_page(path: str, db: None) -> None:
    answer = Client().get(path)
    assert answer.status_code == 404
    assert answer["Content-Type"].startswith("text/html")
    assert b"<main" in answer.content


def test_a_form_without_its_token_gets_a_page(db: None) -> None:
    answer = Client(enforce_csrf_checks=True).post("/sell/new/", {})
    assert answer.status_code == 403
    assert b"<main" in answer.content
