"""``manage.py score_reading``."""

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from agents import asking
from agents.scoring.labelled import half_of, only, price_lines, tells_lines
from tests.support.faulty_server import FaultyServer
from tests.support.model_answers import Asked, Say


def run(*words: str) -> str:
    out = io.StringIO()
    call_command("score_reading", *words, stdout=out)
    return out.getvalue()


def numbers(*words: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(run("--json", *words))
    return told


@pytest.fixture
def fresh_router() -> Iterator[None]:
    asking.router.cache_clear()
    yield
    asking.router.cache_clear()


def test_it_scores_both_halves() -> None:
    told = numbers()
    assert told.keys() == {"open", "held-out"}
    for half in told.values():
        assert 0 < half["prices"]["exact"] <= 1
        assert 0 < half["tells"]["macro_f1"] <= 1
        assert len(half["tells"]["signals"]) == 5
    assert "unseen_bookings" not in told["open"]
    unseen = told["held-out"]["unseen_bookings"]
    assert unseen["lines"] >= 190
    assert unseen["wrong"] <= 0.02 * unseen["lines"]
    assert unseen["needless"] <= 0.06 * unseen["lines"]
    natural = told["held-out"]["natural_bookings"]
    assert natural["lines"] == 740
    assert natural["wrong"] <= 0.02 * natural["lines"]
    assert natural["needless"] <= 0.08 * natural["lines"]
    agreement = told["held-out"]["agreement_bookings"]
    assert agreement["lines"] == 500
    assert agreement["wrong"] <= 0.02 * agreement["lines"]
    assert agreement["needless"] <= 0.12 * agreement["lines"]
    assert not any("last_number" in name for name in told["open"])
    together, last, bare = (
        told["held-out"][f"{name}_bookings"] for name in ("all", "last_number", "bare_prices")
    )
    assert together["lines"] == last["lines"] == bare["lines"] == 569 + 203 + 196 + 740 + 500
    assert 5 * together["wrong"] < last["wrong"]
    assert 5 * together["needless"] < last["needless"] < bare["needless"]


def test_it_draws_a_table_of_every_signal() -> None:
    told = run("--half", "open")
    assert "escalation" in told
    assert "macro-F1" in told
    assert "held-out" not in told


@pytest.mark.parametrize("half", ["held-out", "both"])
def test_failures_of_the_held_out_half_stay_unseen(half: str) -> None:
    with pytest.raises(CommandError, match="stay unseen"):
        run("--half", half, "--show-failures")


def test_failures_of_the_open_half_are_shown_and_none_of_the_other() -> None:
    told = run("--half", "open", "--show-failures").replace("\n", " ")
    assert "read as" in told
    hidden = [*only(price_lines(), "held-out"), *only(tells_lines(), "held-out")]
    assert not [line.text for line in hidden if repr(line.text) in told]


def test_without_a_model_it_says_what_to_set(fresh_router: None) -> None:
    with (
        override_settings(SAUDA_BACKENDS=("rules",)),
        pytest.raises(CommandError, match="SAUDA_OLLAMA_MODEL"),
    ):
        run("--model")


@pytest.mark.django_db(transaction=True)
def test_a_model_is_compared_with_the_tables(fresh_router: None) -> None:
    lines = only(tells_lines(), "open")[:6]

    def answer(asked: Asked) -> Say:
        said = asked.messages[-1]["content"]
        line = next(one for one in lines if one.text[:40] in said)
        mark = [{"quote": line.text, "score": 0.9}]
        return Say(json.dumps(dict.fromkeys(line.signals, mark)))

    with FaultyServer() as server:
        server.answer_with(answer)
        model = {"url": server.url, "model": "scripted-1", "timeout_s": 20.0}
        with override_settings(SAUDA_BACKENDS=("ollama",), SAUDA_OLLAMA=model):
            told = numbers("--model", "--half", "open", "--lines", "6")["open"]
    assert len(server.asked) == told["model"]["lines"] == 6
    assert told["unanswered"] == 0
    assert told["model"]["macro_f1"] >= told["tables"]["macro_f1"] * 0.5
    assert {half_of(line.text) for line in lines} == {"open"}


@pytest.mark.django_db(transaction=True)
def test_lines_without_an_answer_are_counted_and_the_tables_stand(fresh_router: None) -> None:
    with FaultyServer() as server:
        server.always(Say("I would rather not."))
        model = {"url": server.url, "model": "scripted-1", "timeout_s": 20.0}
        with override_settings(SAUDA_BACKENDS=("ollama",), SAUDA_OLLAMA=model):
            told = numbers("--model", "--half", "held-out", "--lines", "4")["held-out"]
    assert told["both"] == told["tables"]
    assert told["model"]["macro_f1"] == 0
