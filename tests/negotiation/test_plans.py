"""Why the house said it: kept with the event, told to its reader, no more than was open."""

import json

import pytest

from negotiation.bargain import sessions
from negotiation.bargain.commands import Say
from negotiation.bargain.visibility import frames
from negotiation.bargain.web.bubbles import explained
from negotiation.models import EventRow, Game
from tests.support.builders import ASHA, a_started_sale

WORDS = "namaste ji! what do you like about the lamp? 1900"


@pytest.fixture
def talked(db: None) -> Game:
    game = a_started_sale()
    sessions.play(game.pk, ASHA, Say(WORDS))
    sessions.opponent_turn(game.pk)
    return game


def plans(game: Game, audience: str) -> list[dict[str, object]]:
    return [
        frame["event"]["plan"]
        for frame in frames(game, audience)  # type: ignore[arg-type]
        if "plan" in frame["event"]
    ]


def test_every_turn_of_the_house_has_its_plan(talked: Game) -> None:
    first, second = plans(talked, "seller")
    assert (first["move"], first["heard"]) == ("open", ())
    heard = {one["act"]: one["words"] for one in second["heard"]}  # type: ignore[attr-defined]
    assert heard["greeting"] == "namaste"
    assert "what do you like" in heard["question:goods"]
    assert second["speaks_to"] == ("question:goods", "greeting")
    assert EventRow.objects.filter(game=talked, plan__isnull=False).count() == 2


def test_a_guest_and_the_seller_get_no_plan_of_people(talked: Game) -> None:
    assert plans(talked, "guest") == []
    own = EventRow.objects.filter(game=talked, kind="offer", backend="")
    assert [row.plan for row in own] == [None]


def test_a_plan_is_told_in_words(talked: Game) -> None:
    lines = {line.name: line for line in explained(plans(talked, "seller")[1], "INR")}
    assert lines["Spoke to"].words == "a question about the thing and a greeting"
    assert lines["Played"].words
    assert explained(None, "INR") == ()


def test_a_plan_holds_nothing_hidden(talked: Game) -> None:
    budget = talked.sealed and json.loads(bytes(talked.sealed.scenario))["sealed"]["budget"]
    for plan in plans(talked, "seller"):
        assert set(plan) == {
            "move", "heard", "speaks_to", "step", "because", "promises", "language",
        }  # fmt: skip
        assert str(budget) not in json.dumps(plan)
        assert str(budget // 100) not in json.dumps(plan)
