"""The quality report asks real models over the wire."""

import re
from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from agents import asking
from tests.support.faulty_server import FaultyServer
from tests.support.model_answers import Answer, Asked, Say, Status


@pytest.fixture
def fresh_router() -> Iterator[None]:
    asking.router.cache_clear()
    yield
    asking.router.cache_clear()


def quality(server: FaultyServer, *words: str) -> str:
    out = StringIO()
    ollama = {"url": server.url, "model": "scripted-1", "timeout_s": 5.0}
    with override_settings(SAUDA_BACKENDS=("ollama", "rules"), SAUDA_OLLAMA=ollama):
        call_command("seller_quality", "--backend", "router", *words, stdout=out)
    return out.getvalue()


def sells(asked: Asked) -> Answer:
    """Asha's model: a twentieth less each time, in its own words; judges everybody firm."""
    prompt = asked.messages[-1]["content"]
    if "Which kind" in prompt:
        return Say("firm, I think")
    asks = re.search(r"your asks: (.*)", prompt)
    assert asks is not None
    title = re.search(r'item: "([^",]*)', prompt)
    assert title is not None
    price = round(float(asks[1].split(", ")[-1]) * 0.95)
    if '"say"' in prompt:
        return Say(f'{{"action": "say", "price": null, "message": "Yes, the {title[1]}."}}')
    return Say(f'{{"action": "offer", "price": {price}, "message": "The {title[1]} is lovely."}}')


@pytest.mark.django_db(transaction=True)
def test_a_models_words_are_measured_and_judged(fresh_router: None) -> None:
    with FaultyServer() as server:
        server.answer_with(sells)
        told = quality(server, "--episodes", "3", "--persona", "firm")
    assert "Turns that a model answered readably: 1.000." in told
    assert "named 1.00 of 3 sellers rightly" in told
    assert "below the reservation price │   <= 0 │ 0.000" in told


@pytest.mark.django_db(transaction=True)
def test_rules_play_where_a_model_fails(fresh_router: None) -> None:
    with FaultyServer() as server:
        server.always(Status(500))
        told = quality(server, "--episodes", "2", "--persona", "firm")
    assert "Turns that a model answered readably: 0.000." in told
    assert "none that answered" in told


def test_without_a_model_it_says_what_to_set(fresh_router: None) -> None:
    with (
        override_settings(SAUDA_BACKENDS=("rules",)),
        pytest.raises(CommandError, match="SAUDA_OLLAMA_MODEL"),
    ):
        call_command("seller_quality", "--backend", "router")
