"""Who serves Sauda and how the gates stand: true, quick, and without secrets."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from agents import asking, health
from agents.models import ModelCall, Switches
from bazaar_site.landing.serving import GATES, serving_of
from negotiation import ttl_cache

TOKEN = "hf_never_on_a_page"
pytestmark = pytest.mark.django_db


@pytest.fixture
def far_model(settings: Settings) -> Any:
    """An endpoint that nobody listens at."""
    settings.SAUDA_HF = settings.SAUDA_HF | {"url": "http://127.0.0.1:9/v1", "token": TOKEN}
    asking.router.cache_clear()
    health._signs.clear()
    yield
    asking.router.cache_clear()
    health._signs.clear()


def told(**changes: Any) -> dict[str, Any]:
    """A health report for staff: a metered model and a small one, both well."""
    well = {
        "configured": True,
        "ready": True,
        "error": None,
        "breaker": {"state": "closed"},
        "latency_ms": {"p50": 420, "p95": 900},
    }
    report = {
        "backends": [
            {"name": "hf", "metered": True, **well},
            {"name": "local", "metered": False, **well},
        ],
        "gates": [{"name": name, "open": True, "limit": 1000, "used": 250} for name in GATES],
        "forced_backend": "",
        "turn_budget_s": 10.0,
    }
    return report | changes


def test_the_first_that_may_answer_speaks() -> None:
    assert serving_of(told()).speaking == "hf"
    assert serving_of(told(forced_backend="local")).speaking == "local"
    assert serving_of(told(backends=[])).speaking == "rules"


def test_a_closed_gate_takes_the_word_from_what_costs_money() -> None:
    report = told()
    for gate in report["gates"]:
        gate["open"] = gate["name"] != "daily-spend"
    found = serving_of(report)
    assert found.speaking == "local"
    assert [line.state for line in found.lines][:2] == ["held back by a gate", "speaks now"]
    assert [gate.name for gate in found.gates if not gate.is_open] == ["money today"]


def test_nothing_is_told_of_how_much_was_used() -> None:
    assert [gate.__struct_fields__ for gate in serving_of(told()).gates] == [
        ("name", "is_open")
    ] * len(GATES)


def test_a_broken_backend_says_so() -> None:
    report = told()
    report["backends"][0] |= {"ready": False, "breaker": {"state": "open"}}
    line = serving_of(report).lines[0]
    assert (line.tone, line.state, line.breaker) == (
        "away",
        "left alone after failures",
        "at rest",
    )


def test_the_page_knocks_at_no_backend_and_shows_no_secret(client: Client, far_model: None) -> None:
    html = client.get("/evidence/how/").content.decode()
    assert "not asked yet" in html
    assert health._signs == {}
    assert TOKEN not in html
    assert "127.0.0.1:9" not in html


def test_the_fragment_knocks_and_says_what_it_found(client: Client, far_model: None) -> None:
    answer = client.get("/serving")
    html = answer.content.decode()
    assert answer.status_code == 200
    assert answer["Cache-Control"].startswith("max-age=0")
    assert "does not answer" in html
    assert "hx-get" not in html
    assert "<code>rules</code>" in html
    assert TOKEN not in html


def test_the_operators_switch_closes_its_gate_on_the_page(client: Client) -> None:
    assert "Every gate is open" in client.get("/evidence/how/").content.decode()
    Switches.objects.update_or_create(pk=1, defaults={"metered_closed": True})
    ttl_cache.forget()
    html = client.get("/evidence/how/").content.decode()
    assert "A gate is closed" in html
    assert "Every gate is open" not in html
    assert ModelCall.objects.count() == 0
