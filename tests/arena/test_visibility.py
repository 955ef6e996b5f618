"""The table of what each audience sees of a match, cell by cell."""

import json
from typing import Any

import pytest

from arena.auction.web import matches
from arena.auction.web.visibility import AUDIENCES, VISIBLE, Frame, Viewer, frames
from bazaarbatna.auction.events import Bid, Leave
from bazaarbatna.bargain.quantities import Paise
from negotiation.games.event_log import kind_of
from negotiation.models import Game
from tests.support.tables import a_match, closes, plays_out

pytestmark = pytest.mark.django_db

SEAT = Viewer("seat", 0)

SEALED_FIELDS = ("budgets", "reservation", "cost", "salt", "seed", "committed_text")


@pytest.fixture
def game() -> Game:
    """A match with a person in seat 1 that has ended in its third round or later."""
    match = a_match("person", "rules:boulware", "rules:micro")
    closes(match.pk, 0, Bid(10_000, "mine", "bluff"))
    closes(match.pk, 1, Bid(77_700, "theirs", "bluff"))
    closes(match.pk, 2, Bid(5_000))
    closes(match.pk, 2, Leave("bye"))
    plays_out(match.pk)
    return Game.objects.get(pk=match.pk)


def seen(game: Game, viewer: Viewer, kind: str) -> list[dict[str, Any]]:
    """All events of a kind as a viewer sees them."""
    return [f["event"] for f in frames(game, viewer) if f["event"]["kind"] == kind]


def fields(frame: Frame) -> set[str]:
    return set(frame) - {"kind"}


def test_the_table_has_a_cell_for_every_kind_and_audience(game: Game) -> None:
    _, position = matches.current(game.pk)
    assert {kind_of(event) for event in position.events} <= set(VISIBLE)
    assert all(set(row) == set(AUDIENCES) for row in VISIBLE.values())
    assert all(shape is not None for row in VISIBLE.values() for shape in row.values())


@pytest.mark.parametrize("audience", AUDIENCES)
def test_the_opening_hides_the_persona_until_the_end(game: Game, audience: Any) -> None:
    opened = seen(game, Viewer(audience), "opened")[0]
    assert opened["persona"] is None
    assert (opened["seller"] is None) == (audience != "replay")
    assert opened["sealed"] is True
    assert opened["actor"] == "seller"
    assert not set(SEALED_FIELDS) & fields(opened)
    assert "budget" not in opened


def test_the_opening_tells_a_seat_its_own_budget_alone(game: Game) -> None:
    opened = seen(game, SEAT, "opened")[0]
    _, position = matches.current(game.pk)
    budgets = position.state.scenario.sealed.budgets
    assert opened["budget"] == budgets[0] / 100
    assert [buyer.get("you", False) for buyer in opened["buyers"]] == [True, False, False]
    assert not any(str(budget / 100) in json.dumps(opened) for budget in budgets[1:])


SHUT = {"actor", "round"}
SERVED = SHUT | {"backend", "policy_version", "latency_ms"}
OPEN = {"action", "price", "text", "signal"}


def test_an_envelope_is_shut_for_everybody_but_its_owner(game: Game) -> None:
    assert {frozenset(fields(e)) for e in seen(game, Viewer("sealed"), "placed")} == {
        frozenset(SHUT)
    }
    own, *others = seen(game, SEAT, "placed")
    assert fields(own) == SHUT | OPEN
    assert (own["price"], own["text"], own["signal"]) == (100.0, "mine", "bluff")
    rivals = [e for e in others if e["actor"] != "buyer-1"]
    assert {frozenset(fields(e)) for e in rivals} == {frozenset(SHUT)}


def test_spectators_of_policies_see_who_served_an_envelope_and_nothing_in_it(game: Game) -> None:
    placed = seen(game, Viewer("open"), "placed")
    assert {frozenset(fields(e)) for e in placed} == {frozenset(SHUT), frozenset(SERVED)}


def test_a_replay_opens_every_envelope(game: Game) -> None:
    placed = seen(game, Viewer("replay"), "placed")
    assert {fields(e) >= SHUT | OPEN for e in placed} == {True}


@pytest.mark.parametrize("audience", ["open", "replay"])
def test_an_opened_round_shows_all_bids_where_nobody_can_tell(game: Game, audience: Any) -> None:
    first, second = seen(game, Viewer(audience), "round")[:2]
    assert first["best"] == "buyer-2"
    assert first["bids"][1] == {
        "actor": "buyer-2",
        "action": "offer",
        "price": 777.0,
        "signal": "bluff",
        "text": "theirs",
    }
    assert second["bids"][2]["action"] == "walk"


def test_a_sealed_round_shows_who_is_still_in_and_the_signs_as_claimed(game: Game) -> None:
    first, second = seen(game, Viewer("sealed"), "round")[:2]
    assert first["best"] is None
    assert first["bids"][1] == {"actor": "buyer-2", "action": "in", "signal": "compete"}
    assert second["bids"][2] == {"actor": "buyer-3", "action": "walk", "signal": None}
    assert "outbid" not in first


def test_a_persons_words_are_heard_with_the_round_and_a_policys_are_not() -> None:
    match = a_match("person", "rules:micro")
    closes(match.pk, 0, Bid(Paise(10_000), "mine"))
    assert "mine" not in json.dumps(frames(match.game, Viewer("sealed")))
    closes(match.pk, 1, Bid(Paise(20_000), "a model’s"))
    [round_] = seen(match.game, Viewer("sealed"), "round")
    assert [row.get("text") for row in round_["bids"]] == ["mine", None]
    assert "price" not in round_["bids"][0]


def test_a_seat_sees_its_own_bid_and_that_somebody_offered_more(game: Game) -> None:
    first = seen(game, SEAT, "round")[0]
    assert first["outbid"] is True
    assert first["best"] is None
    assert first["bids"][0]["price"] == 100.0
    assert first["bids"][1] == {"actor": "buyer-2", "action": "in", "signal": "compete"}


@pytest.mark.parametrize(
    ("audience", "is_told"), [("open", True), ("sealed", False), ("seat", False), ("replay", True)]
)
def test_attention_would_tell_the_bids(game: Game, audience: Any, is_told: bool) -> None:
    first = seen(game, Viewer(audience), "attention")[0]
    assert fields(first) == {"round", "shares"}
    assert (first["shares"] is not None) == is_told


@pytest.mark.parametrize("audience", AUDIENCES)
def test_what_the_seller_shows_is_the_same_for_all(game: Game, audience: Any) -> None:
    for kind in ("tells", "offer", "accept", "ended"):
        assert seen(game, Viewer(audience), kind) == seen(game, Viewer("replay"), kind) != []


def test_the_end_opens_all_sealed_values(game: Game) -> None:
    ended = seen(game, Viewer("sealed"), "ended")[0]
    assert set(ended["opened"]) == {"reservation", "cost", "persona", "seed", "budgets"}
    assert set(ended["opened"]["budgets"]) == {"buyer-1", "buyer-2", "buyer-3"}
    opened = seen(game, Viewer("sealed"), "opened")[0]
    assert ended["commitment"] == opened["commitment"]


def test_a_live_match_has_no_replay() -> None:
    match = a_match()
    assert frames(match.game, Viewer("replay")) == []


def test_no_live_frame_carries_a_sealed_field() -> None:
    match = a_match("person", "rules:boulware", "rules:micro")
    closes(match.pk, 0, Bid(10_000))
    closes(match.pk, 1)
    closes(match.pk, 2)
    game = Game.objects.get(pk=match.pk)
    assert game.status == Game.Status.LIVE
    for viewer in (Viewer("open"), Viewer("sealed"), SEAT):
        text = json.dumps(frames(game, viewer))
        assert not [name for name in SEALED_FIELDS if f'"{name}"' in text]
