"""Who speaks for Sauda: a choice only where there is one."""

import pytest
from django.test import Client

from agents import asking
from agents.router import Router
from negotiation.models import Game
from tests.support.scripted import OpenGates, ScriptedBackend

OWN = {"title": "Brass lamp", "asking_price": "2000", "reservation_price": "1200"}


@pytest.fixture
def asha(db: None) -> Client:
    client = Client()
    client.get("/")
    return client


@pytest.fixture
def a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    router = Router([ScriptedBackend("ollama")], OpenGates())
    monkeypatch.setattr(asking, "router", lambda: router)


def test_without_a_model_nothing_is_asked(asha: Client) -> None:
    assert b"Who speaks for Sauda" not in asha.get("/sell/new/").content


@pytest.mark.usefixtures("a_model")
def test_with_a_model_its_voice_can_be_chosen(asha: Client) -> None:
    page = asha.get("/sell/new/").content.decode()
    assert "Who speaks for Sauda" in page
    assert page.count('<option value="sauda') == 4, "the network, any, ollama, rules"
    asha.post("/sell/new/", {**OWN, "policy": "sauda:rules"})
    assert Game.objects.get().policy == "sauda:rules"


@pytest.mark.usefixtures("a_model")
@pytest.mark.parametrize("wrong", ["sauda:hf", "seller:firm", "rules:random", "x" * 500])
def test_a_voice_that_is_not_offered_is_refused_in_words(asha: Client, wrong: str) -> None:
    answer = asha.post("/sell/new/", {**OWN, "policy": wrong})
    assert answer.status_code == 422
    assert not Game.objects.exists()


def test_nobody_sells_to_a_seller(asha: Client) -> None:
    answer = asha.post(
        "/api/sell/",
        {"title": "Lamp", "asking_price": 20, "reservation_price": 10, "policy": "seller:firm"},
        content_type="application/json",
    )
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "unknown-policy"
