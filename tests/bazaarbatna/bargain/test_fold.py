"""The log is the game: folding it gives the position, and a changed log is found out."""

from collections.abc import Callable

import msgspec
import pytest

from bazaarbatna.bargain import (
    Accept,
    BrokenLog,
    Ended,
    Event,
    Log,
    Offer,
    OfferMade,
    Opened,
    Paise,
    State,
    Tells,
    Walk,
    advance,
    apply,
    fold,
    make_scenario,
    play_episode,
    say,
    show_tells,
    start,
    suite_ids,
)
from tests.support.players import SteadyBuyer, a_scenario

replace = msgspec.structs.replace


def a_game() -> tuple[State, list[Event]]:
    """Every kind of event but a walk."""
    state, opening = start(a_scenario())
    events = list(opening)

    def add(result: tuple[State, tuple[Event, ...]]) -> None:
        nonlocal state
        state = result[0]
        events.extend(result[1])

    add(apply(state, "buyer", Offer(Paise(4000), "forty")))
    add(say(state, "seller", "no no"))
    add(show_tells(state, "seller", Tells(verbal_confidence=0.7)))
    add(apply(state, "seller", Offer(Paise(5000))))
    add(apply(state, "buyer", Accept("ok")))
    return state, events


def test_every_prefix_folds_to_the_position_it_left() -> None:
    state, events = a_game()
    assert fold(a_scenario(), events) == state
    for length in range(1, len(events)):
        fold(a_scenario(), events[:length])


@pytest.mark.parametrize("suite", suite_ids())
def test_the_games_of_every_suite_fold(suite: str) -> None:
    for seed in range(20):
        log = play_episode(make_scenario(suite, seed), SteadyBuyer(seed))
        assert log.state().ended == log.ended


Tamper = Callable[[list[Event]], object]


def _set(index: int, **changes: object) -> Tamper:
    def tamper(events: list[Event]) -> None:
        events[index] = replace(events[index], **changes)

    return tamper


TAMPERINGS: dict[str, Tamper] = {
    "nothing left": lambda events: events.clear(),
    "no opening": lambda events: events.pop(0),
    "another anchor": _set(0, price=5900),
    "another promise": _set(0, commitment="0" * 64),
    "another round": _set(1, round=2),
    "the other side": _set(1, actor="seller"),
    "a bid above the budget": _set(1, price=10001),
    "a bid that would have closed": _set(1, price=6500),
    "an accept at another price": _set(5, price=4900),
    "an end with another price": _set(6, price=4900),
    "an end with other secrets": lambda events: _set(
        6, opened=replace(a_scenario().sealed, budget=Paise(9000))
    )(events),
    "an end too early": lambda events: events.insert(2, events[-1]),
    "a move after the end": lambda events: events.append(events[1]),
    "two openings": lambda events: events.insert(1, events[0]),
    "a move left out": lambda events: events.pop(1),
    "a walk that was none": lambda events: events.insert(
        1, advance(start(a_scenario())[0], Walk())[1][0]
    ),
}


@pytest.mark.parametrize("what", TAMPERINGS)
def test_a_changed_log_is_refused(what: str) -> None:
    _, events = a_game()
    TAMPERINGS[what](events)
    with pytest.raises(BrokenLog):
        fold(a_scenario(), events)


def test_a_log_knows_whether_it_has_ended() -> None:
    _, events = a_game()
    assert isinstance(events[0], Opened)
    assert isinstance(events[1], OfferMade)
    assert isinstance(Log(a_scenario(), tuple(events)).ended, Ended)
    assert Log(a_scenario(), tuple(events[:-1])).ended is None
    assert Log(a_scenario(), ()).ended is None
