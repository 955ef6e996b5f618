"""Who speaks for Sauda: a choice only where there is one."""

import re
from typing import Any

import pytest
from django.test import Client

from agents import asking
from agents.router import Router
from bazaar_site.env import Env
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
    assert page.count('<option value="sauda') == 3, "any, ollama, rules"
    asha.post("/sell/new/", {**OWN, "policy": "sauda:rules"})
    assert Game.objects.get().policy == "sauda:rules"


@pytest.mark.usefixtures("a_model")
def test_the_network_comes_first_where_it_is_the_buyer_of_the_site(
    asha: Client, settings: Any
) -> None:
    settings.SAUDA_POLICY = "sauda-network"
    page = asha.get("/sell/new/").content.decode()
    offered = re.findall(r'<option value="(sauda[^"]*)', page)
    assert offered == ["sauda-network", "sauda", "sauda:ollama", "sauda:rules"]


def test_the_network_buys_where_nobody_else_is_chosen(asha: Client, settings: Any) -> None:
    assert Env.model_fields["sauda_policy"].default == "sauda-network"
    settings.SAUDA_POLICY = "sauda-network"
    asha.post("/sell/new/", OWN)
    game = Game.objects.get()
    assert game.policy == "sauda-network"
    assert game.policy_version.startswith("sauda-network@")
    asha.post("/api/sell/", {"title": "Lamp", "asking_price": 20, "reservation_price": 10},
              content_type="application/json")  # fmt: skip
    assert set(Game.objects.values_list("policy", flat=True)) == {"sauda-network"}
    assert {one.backend for one in game.events.exclude(backend="")} <= {"network"}


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
