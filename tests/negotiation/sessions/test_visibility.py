"""The table of visibility, cell by cell, and what may not leave before the end."""

import json
from typing import get_args

import msgspec
import pytest

from bazaarbatna.bargain.events import (
    Ended,
    Event,
    MessageSent,
    OfferAccepted,
    OfferMade,
    Opened,
    TellsShown,
    WalkedAway,
)
from bazaarbatna.bargain.moves import Walk
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Item, SealedValues
from bazaarbatna.bargain.sealed import commitment, committed_text
from bazaarbatna.bargain.tells import Tells, TellSpan
from negotiation.bargain import sessions
from negotiation.bargain.commands import Say
from negotiation.bargain.scenarios import stored_scenario
from negotiation.bargain.visibility import VISIBLE, Audience, frame, frames
from negotiation.games.event_log import kind_of, to_payload
from negotiation.models import EventRow, Game
from tests.support.builders import ASHA, a_started_sale, told

SEALED = SealedValues(Paise(120000), Paise(114286), Paise(171717), 42)
ITEM = Item("Brass lamp", "home", "Heavy", "very_good", "INR")
SPAN = TellSpan(0, 4, "verbal_urgency", 0.8, "A hurry.")
SERVED = {"backend": "rules", "policy_version": "sauda@1", "latency_ms": 12}

EVENTS: list[tuple[Event, dict[str, object]]] = [
    (
        Opened("sell@1", ITEM, 10, Paise(200050), "human", commitment(SEALED, "salt")),
        {
            "kind": "opened",
            "actor": "seller",
            "price": 2000.5,
            "item": {
                "title": "Brass lamp",
                "category": "home",
                "condition": "Heavy",
                "condition_label": "very_good",
                "currency": "INR",
            },
            "max_rounds": 10,
            "suite": "sell@1",
            "seller": "human",
            "persona": None,
            "commitment": commitment(SEALED, "salt"),
        },
    ),
    (
        OfferMade("seller", 1, Paise(180000), "1800"),
        {"kind": "offer", "actor": "seller", "round": 1, "price": 1800.0, "text": "1800"},
    ),
    (
        OfferMade("buyer", 2, Paise(150000), "1500?"),
        {
            "kind": "offer",
            "actor": "buyer",
            "round": 2,
            "price": 1500.0,
            "text": "1500?",
            **SERVED,
        },
    ),
    (
        OfferAccepted("buyer", 2, Paise(150000), "done"),
        {
            "kind": "accept",
            "actor": "buyer",
            "round": 2,
            "price": 1500.0,
            "text": "done",
            **SERVED,
        },
    ),
    (
        WalkedAway("seller", 3, "bye"),
        {"kind": "walk", "actor": "seller", "round": 3, "text": "bye"},
    ),
    (
        MessageSent("buyer", 3, "hm"),
        {"kind": "message", "actor": "buyer", "round": 3, "text": "hm", **SERVED},
    ),
    (
        TellsShown("seller", 3, Tells(verbal_urgency=0.8), (SPAN,), 7),
        {
            "kind": "tells",
            "actor": "seller",
            "round": 3,
            "of_seq": 7,
            "signals": {**msgspec.to_builtins(Tells()), "verbal_urgency": 0.8},
            "spans": [
                {
                    "start": 0,
                    "end": 4,
                    "signal": "verbal_urgency",
                    "score": 0.8,
                    "why": "A hurry.",
                }
            ],
        },
    ),
    (
        Ended("deal", 3, SEALED, "salt", "buyer", Paise(150000), 0.25, 0.75),
        {
            "kind": "ended",
            "outcome": "deal",
            "by": "buyer",
            "round": 3,
            "price": 1500.0,
            "buyer_share": 0.25,
            "seller_share": 0.75,
            "opened": {
                "reservation": 1200.0,
                "cost": 1142.86,
                "budget": 1717.17,
                "persona": "default",
                "deadline": None,
                "seed": 42,
            },
            "salt": "salt",
            "commitment": commitment(SEALED, "salt"),
            "committed_text": committed_text(SEALED, "salt"),
            "replay": "/replays/{id}/",
        },
    ),
]

FOR_GUESTS: dict[str, tuple[str, ...]] = {
    "opened": ("kind", "actor", "price", "item", "max_rounds"),
    "ended": ("kind", "outcome", "by", "round", "price"),
}
"""What is left of a kind of event for a guest, where that is not all of it."""


def a_row(event: Event, seq: int, game: Game) -> EventRow:
    row = EventRow(game=game, seq=seq, kind=kind_of(event), payload=to_payload(event))
    if getattr(event, "actor", "") == "buyer":
        row.backend, row.policy_version, row.latency_ms = "rules", "sauda@1", 12
    return row


@pytest.fixture
def game(db: None) -> Game:
    """A game whose log holds one event of every kind."""
    game = Game.objects.create(owner=ASHA, title="Brass lamp", policy="sauda")
    EventRow.objects.bulk_create(
        a_row(event, seq, game) for seq, (event, _) in enumerate(EVENTS, start=1)
    )
    return game


def test_the_table_has_a_row_for_every_kind_of_event() -> None:
    assert set(VISIBLE) == {str(kind.__struct_config__.tag) for kind in get_args(Event)}


def test_the_table_has_a_cell_for_every_audience() -> None:
    for row in VISIBLE.values():
        assert set(row) == set(get_args(Audience))


@pytest.mark.parametrize("audience", get_args(Audience))
@pytest.mark.parametrize(
    ("event", "shape"),
    EVENTS,
    ids=[f"{shape['kind']}-{shape.get('actor', '')}" for _, shape in EVENTS],
)
def test_each_cell_shows_exactly_this(
    event: Event, shape: dict[str, object], audience: Audience, game: Game
) -> None:
    game.status = Game.Status.ENDED
    shown = frame(a_row(event, 5, game), game, audience)
    if shape["kind"] == "ended":
        shape = {**shape, "replay": f"/replays/{game.pk}/"}
    if audience == "guest":
        allowed = FOR_GUESTS.get(str(shape["kind"]), tuple(shape))
        shape = {name: shape[name] for name in allowed}
    assert shown == {"type": "event", "seq": 5, "event": shape}
    assert next(iter(shown["event"])) == "kind"


def test_a_guest_learns_of_a_replay_only_where_it_is_shared(game: Game) -> None:
    assert "replay" not in frames(game, "guest")[-1]["event"]
    game.share_replay = True
    assert frames(game, "guest")[-1]["event"]["replay"] == f"/replays/{game.pk}/"


def test_a_live_game_has_no_replay(game: Game) -> None:
    assert frames(game, "replay") == []
    assert len(frames(game, "seller")) == len(EVENTS)


def test_frames_begin_after_what_is_known(game: Game) -> None:
    assert [one["seq"] for one in frames(game, "seller", after=6)] == [7, 8]


@pytest.mark.django_db
def test_the_promise_of_the_end_is_the_one_from_the_beginning() -> None:
    game = a_started_sale()
    sessions.play(game.pk, ASHA, Walk())
    log = told(game)
    assert log[-1]["commitment"] == log[0]["commitment"]


@pytest.mark.django_db
@pytest.mark.parametrize("chance", range(3))
def test_no_hidden_value_leaves_before_the_end(chance: int) -> None:
    game = a_started_sale(seed=None, reservation_price=Paise(123457))
    sealed = stored_scenario(game).sealed
    for text in ("1950", "kya bolte ho", "1901 final"):
        sessions.play(game.pk, ASHA, Say(text))
        sessions.opponent_turn(game.pk)
    before = json.dumps(frames(game, "seller"))
    for secret in (str(sealed.seed), stored_scenario(game).salt, "123457", "1234.57"):
        assert secret not in before
    assert "budget" not in before
    sessions.play(game.pk, ASHA, Walk())
    after = json.dumps(frames(game, "seller"))
    assert str(sealed.seed) in after
    assert "budget" in after
