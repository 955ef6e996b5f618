"""Moods: from what the table saw, and from nothing else."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation.portraits.face import MOODS
from negotiation.portraits.moods import mood_of

OPENED = {"kind": "opened", "actor": "seller", "price": 1000, "max_rounds": 10}


def bid(price: float, round_: int = 1) -> dict[str, Any]:
    return {"kind": "offer", "actor": "buyer", "price": price, "round": round_}


def ask(price: float, round_: int = 1) -> dict[str, Any]:
    return {"kind": "offer", "actor": "seller", "price": price, "round": round_}


def tells(actor: str, **signals: float) -> dict[str, Any]:
    return {"kind": "tells", "actor": actor, "round": 1, "signals": signals}


@pytest.mark.parametrize(
    ("actor", "events", "mood"),
    [
        ("seller", [], "calm"),
        ("seller", [bid(300)], "annoyed"),
        ("seller", [bid(700)], "calm"),
        ("seller", [bid(700), ask(990), bid(760, 2)], "pleased"),
        ("seller", [bid(700), ask(990), bid(700, 2)], "doubtful"),
        ("seller", [bid(700), ask(990), bid(700, 2), ask(980), bid(700, 3)], "annoyed"),
        ("seller", [bid(700), ask(990), bid(600, 2)], "annoyed"),
        ("buyer", [bid(700), ask(900), ask(960)], "annoyed"),
        ("buyer", [bid(400), ask(900), bid(410), ask(890)], "calm"),
        ("buyer", [bid(400), ask(900), bid(410), ask(890), bid(420), ask(880)], "annoyed"),
        ("buyer", [bid(700), ask(1000)], "doubtful"),
        ("buyer", [bid(700), ask(900)], "pleased"),
        ("buyer", [bid(700, 9), ask(995, 9)], "hurried"),
        ("seller", [bid(700), tells("seller", verbal_urgency=0.9)], "hurried"),
        ("seller", [bid(700), tells("buyer", verbal_urgency=0.9)], "calm"),
        ("seller", [bid(700), tells("seller", emotional_escalation=0.9)], "annoyed"),
        ("buyer", [bid(700), {"kind": "accept", "actor": "seller", "price": 700}], "pleased"),
        ("buyer", [{"kind": "walk", "actor": "buyer"}], "walking"),
        ("seller", [{"kind": "walk", "actor": "buyer"}], "annoyed"),
        ("seller", [{"kind": "ended", "outcome": "deal"}], "pleased"),
        ("buyer", [{"kind": "ended", "outcome": "walk", "by": "buyer"}], "walking"),
        ("buyer", [{"kind": "ended", "outcome": "expired"}], "doubtful"),
    ],
)
def test_a_mood_follows_what_happened(actor: str, events: list[dict[str, Any]], mood: str) -> None:
    assert mood_of([OPENED, *events], actor) == mood


def test_frames_and_events_read_the_same() -> None:
    events = [OPENED, bid(700), ask(900)]
    frames = [{"type": "event", "seq": n, "event": event} for n, event in enumerate(events, 1)]
    assert mood_of(frames, "buyer") == mood_of(events, "buyer")


prices = st.floats(1, 10_000, allow_nan=False)
moves = st.lists(st.one_of(prices.map(bid), prices.map(ask)), max_size=8)


@given(
    moves, st.sampled_from(["seller", "buyer"]), st.integers(1, 10**6), st.sampled_from(["a", "b"])
)
def test_a_sealed_value_cannot_change_a_face(
    events: list[dict[str, Any]], actor: str, limit: int, persona: str
) -> None:
    """The same public log with other sealed values beside it has the same mood, end included."""
    ended = {"kind": "ended", "outcome": "expired", "by": None}
    public = [OPENED, *events]
    for log in (public, [*public, ended]):
        told = copy.deepcopy(log)
        for event in told:
            event |= {"persona": persona, "plan": {"limit": limit}, "buyer_share": limit / 10**6}
            event |= {"opened": {"reservation": limit, "budget": limit, "cost": limit}}
            event |= {"reservation": limit, "budget": limit, "commitment": persona * 64}
        assert mood_of(told, actor) == mood_of(log, actor)
        assert mood_of(log, actor) in MOODS
