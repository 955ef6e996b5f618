"""A finished log is cut into steps that a person can scrub through."""

import hypothesis.strategies as st
import msgspec
from hypothesis import given

from replays.player.narration import in_words
from replays.player.steps import step_at, steps_of

OPENED = {
    "kind": "opened",
    "actor": "seller",
    "price": 2000.0,
    "item": {"title": "Cooker", "currency": "INR"},
    "max_rounds": 10,
}
WORDS = "😀 need it gone, 1800"
URGENT = {"start": 2, "end": 14, "signal": "verbal_urgency", "score": 0.8, "why": "A hurry."}


def frames(*events: dict) -> list[dict]:
    return [{"type": "event", "seq": i, "event": e} for i, e in enumerate((OPENED, *events), 1)]


def bid(price: float, round_: int = 1) -> dict:
    return {
        "kind": "offer", "actor": "buyer", "round": round_, "price": price, "text": "",
        "backend": "rules", "policy_version": "sauda@1", "latency_ms": 7,
    }  # fmt: skip


def ask(price: float, text: str = "", round_: int = 1) -> dict:
    return {"kind": "offer", "actor": "seller", "round": round_, "price": price, "text": text}


def tells(of_seq: int, *spans: dict) -> dict:
    signals = {"verbal_urgency": 0.8, "eye_contact": None}
    return {
        "kind": "tells", "actor": "seller", "round": 1, "of_seq": of_seq,
        "signals": signals, "spans": list(spans),
    }  # fmt: skip


DEAL = {"kind": "ended", "outcome": "deal", "by": "seller", "round": 2, "price": 1500.0}


def a_log() -> list[dict]:
    accept = {"kind": "accept", "actor": "seller", "round": 2, "price": 1500.0, "text": "done"}
    return frames(bid(1100), ask(1800, WORDS), tells(3, URGENT), bid(1500, 2), accept, DEAL)


def test_tells_are_no_step_of_their_own() -> None:
    assert [step.seq for step in steps_of(a_log())] == [1, 2, 3, 5, 6, 7]


def test_a_price_that_a_rule_reckoned_is_told_in_whole_rupees() -> None:
    asked = {"kind": "offer", "actor": "seller", "round": 2, "price": 27_502.8}
    assert in_words(asked).endswith("asks ₹27,503")
    assert in_words(asked | {"price": 80.85}).endswith("asks ₹80.85")
    step = msgspec.structs.replace(steps_of(a_log())[-1], ask=27_502.8, bid=27_555.49)
    assert step.gap == -52


def test_each_step_says_in_words_what_happened() -> None:
    assert [step.words for step in steps_of(a_log())] == [
        "The seller opens at ₹2,000",
        "Round 1: Sauda bids ₹1,100",
        "Round 1: the seller asks ₹1,800",
        "Round 2: Sauda bids ₹1,500",
        "Round 2: the seller takes ₹1,500",
        "Deal at ₹1,500",
    ]


def test_the_standing_prices_follow_the_moves() -> None:
    standing = [(step.ask, step.bid, step.gap) for step in steps_of(a_log())]
    assert standing[:4] == [
        (2000.0, None, None),
        (2000.0, 1100.0, 900.0),
        (1800.0, 1100.0, 700.0),
        (1800.0, 1500.0, 300.0),
    ]


def test_only_the_buyers_steps_say_who_served_them() -> None:
    served = [step.served for step in steps_of(a_log())]
    assert [s.backend if s else None for s in served] == [None, "rules", None, "rules", None, None]
    assert served[1] is not None
    assert served[1].latency_ms == 7


def test_underlined_words_are_cut_by_code_points_not_by_bytes() -> None:
    read = steps_of(a_log())[2].read
    assert read is not None
    assert [(n.words, n.why) for n in read.noticed] == [("need it gone", "A hurry.")]


def test_what_was_read_is_new_in_its_own_step_and_remembered_after() -> None:
    steps = steps_of(a_log())
    assert [step.read is not None for step in steps] == [False, False, True, True, True, True]
    assert [step.read_now for step in steps] == [False, False, True, False, False, False]


def test_signals_that_nobody_observed_are_not_shown() -> None:
    read = steps_of(a_log())[2].read
    assert read is not None
    assert [signal.label for signal in read.signals] == ["Urgency"]


def test_a_walk_and_an_expiry_are_told_as_such() -> None:
    walk = {"kind": "ended", "outcome": "walk", "by": "buyer", "round": 1, "price": None}
    expiry = {"kind": "ended", "outcome": "expired", "by": None, "round": 10, "price": None}
    gone = {"kind": "walk", "actor": "buyer", "round": 1, "text": ""}
    assert steps_of(frames(gone, walk))[-2].words == "Round 1: Sauda walks away"
    assert steps_of(frames(gone, walk))[-1].words == "No deal: Sauda walked away"
    assert steps_of(frames(expiry))[-1].words == "No deal: the rounds ran out"


@given(st.integers(min_value=-5, max_value=10**9))
def test_every_number_leads_to_exactly_one_step(seq: int) -> None:
    steps = steps_of(a_log())
    step = step_at(steps, seq)
    assert step.seq <= max(seq, 1)
    assert step is steps[-1] or max(seq, 1) <= step.last_seq
