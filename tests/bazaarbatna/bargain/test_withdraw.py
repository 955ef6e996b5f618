"""A price that was misheard: what stood before stands, and nobody ever named it."""

import pytest

from bazaarbatna.bargain import (
    Accept,
    BrokenLog,
    Event,
    GameOver,
    IllegalMove,
    Log,
    MessageSent,
    Offer,
    OfferMade,
    OfferWithdrawn,
    Paise,
    State,
    Tells,
    apply,
    fold,
    from_text,
    observe_buyer,
    say,
    settled,
    show_tells,
    start,
    to_text,
    withdraw,
)
from tests.support.players import a_scenario


def after(*acts: object) -> tuple[State, list[Event]]:
    """Play offers and words in turn; ``None`` takes the last price back."""
    state, opening = start(a_scenario())
    events: list[Event] = list(opening)
    for act in acts:
        side = state.to_move
        assert side is not None
        match act:
            case int():
                state, new = apply(state, side, Offer(Paise(act), f"{act} bas"))
            case None:
                last = state.turns[-1].actor
                state, new = withdraw(state, last, len(events))
            case _:
                state, new = say(state, side, str(act))
        events += new
    return state, events


def test_a_seller_asks_more_than_the_ask_that_was_taken_back() -> None:
    state, _ = after(4000, 5000, None)
    assert (state.to_move, state.round, state.standing_bid) == ("seller", 1, 4000)
    assert state.asks == start(a_scenario())[0].asks
    higher, _ = apply(state, "seller", Offer(Paise(5500)))
    assert higher.standing_ask == 5500


def test_a_buyer_bids_less_than_the_bid_that_was_taken_back() -> None:
    state, _ = after(4000, 6000, 5000, None)
    assert (state.to_move, state.round, state.standing_bid) == ("buyer", 2, 4000)
    lower, _ = apply(state, "buyer", Offer(Paise(4500)))
    assert lower.bids == (4000, 4500)


def test_the_buyer_sees_the_words_and_no_trace_of_the_price() -> None:
    state, _ = after(4000, 5000, None)
    seen = observe_buyer(state)
    assert 5000 not in seen.asks
    assert all(turn.price != 5000 for turn in seen.turns)
    assert [turn.text for turn in seen.turns] == ["4000 bas", "5000 bas", ""]


@pytest.mark.parametrize(
    "acts", [(), (4000,), (4000, "hm"), (4000, 5000, 4500), (4000, 5000, None)]
)
def test_what_was_answered_or_never_named_stays(acts: tuple[object, ...]) -> None:
    state, events = after(*acts)
    with pytest.raises(IllegalMove):
        withdraw(state, "seller", len(events))


def test_words_of_the_other_side_are_an_answer() -> None:
    state, events = after(4000, 5000)
    spoken, new = say(state, "buyer", "that much?")
    with pytest.raises(IllegalMove):
        withdraw(spoken, "seller", len(events) + len(new))


def test_a_game_that_ended_stays_ended() -> None:
    state, events = after(4000)
    closed, _ = apply(state, "seller", Accept())
    with pytest.raises(GameOver):
        withdraw(closed, "seller", len(events))


def a_whole_log() -> tuple[State, list[Event]]:
    before, _ = after(4000)
    state, events = after(4000, 5000)
    # What was noticed belongs to the round of the words.
    tells = Tells(verbal_confidence=0.7)
    _, shown = show_tells(before, "seller", tells, (), len(events))
    state, _ = show_tells(state, "seller", tells)
    events += shown
    state, back = withdraw(state, "seller", len(events) - 1)
    events += back
    state, asked = apply(state, "seller", Offer(Paise(5500), "no, I said 55"))
    events += asked
    state, closed = apply(state, "buyer", Accept("ok"))
    return state, [*events, *closed]


def test_every_prefix_folds_and_the_text_gives_the_log_back() -> None:
    state, events = a_whole_log()
    assert fold(a_scenario(), events) == state
    for length in range(1, len(events)):
        fold(a_scenario(), events[:length])
    log = Log(a_scenario(), tuple(events))
    assert from_text(to_text(log)).log == log


def test_a_settled_log_has_only_words_there_and_leads_to_the_same_position() -> None:
    state, events = a_whole_log()
    plain = settled(events)
    assert len(plain) == len(events)
    assert not any(isinstance(event, OfferWithdrawn) for event in plain)
    assert [e.price for e in plain if isinstance(e, OfferMade)] == [4000, 5500]
    assert plain[2] == MessageSent("seller", 1, "5000 bas")
    assert fold(a_scenario(), plain) == state
    for length in range(1, len(events)):
        prefix = settled(events[:length])
        assert fold(a_scenario(), prefix) == fold(a_scenario(), events[:length])


def test_a_log_without_one_is_the_same_when_it_is_settled() -> None:
    _, events = after(4000, 5000, "hm", 4500)
    assert settled(events) == tuple(events)


def test_a_log_that_takes_back_another_price_is_broken() -> None:
    _, events = after(4000, 5000)
    with pytest.raises(BrokenLog):
        fold(a_scenario(), [*events, OfferWithdrawn("seller", 1, Paise(4900), len(events))])
    with pytest.raises(BrokenLog):
        fold(a_scenario(), [*events, OfferWithdrawn("buyer", 1, Paise(4000), 2)])
