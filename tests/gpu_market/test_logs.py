"""Logs fold, and logs that were tampered with do not."""

import pytest

from bazaarbatna.market import (
    BrokenLog,
    Malformed,
    MarketClosed,
    advance,
    apply,
    fold,
    make_market,
    play_market,
    play_on,
    start,
)
from bazaarbatna.market.events import RoundBegan
from bazaarbatna.market.policies.registry import make_policy


def test_a_log_with_a_piece_missing_or_doubled_is_broken() -> None:
    for seed in range(6):
        scenario = make_market("market_round", seed)
        _, events = play_market(scenario, {0: make_policy("rule_expert", 0)})
        for at in range(1, len(events) - 1):
            with pytest.raises(BrokenLog):
                fold(scenario, events[:at] + events[at + 1 :])
            with pytest.raises(BrokenLog):
                fold(scenario, events[: at + 1] + events[at:])


def test_a_log_must_open_and_belongs_to_one_world() -> None:
    scenario = make_market("single_trade", 1)
    _, events = play_market(scenario, {})
    with pytest.raises(BrokenLog):
        fold(scenario, ())
    with pytest.raises(BrokenLog):
        fold(make_market("single_trade", 2), events)
    with pytest.raises(BrokenLog):
        fold(scenario, (*events[:1], RoundBegan(1, (0.5, 0.5))))
    with pytest.raises(BrokenLog):
        fold(scenario, (*events, events[1]))


def test_what_was_no_action_folds_too() -> None:
    scenario = make_market("single_trade", 1)
    state, opening = start(scenario)
    state, events = apply(state, 0, Malformed("not JSON"))
    assert fold(scenario, (*opening, *events)) == state


def test_an_episode_can_be_played_on_from_any_position() -> None:
    scenario = make_market("coalition_market", 3)
    players = {0: make_policy("rule_expert", 0), 2: make_policy("rule_expert", 0)}
    state, events = play_market(scenario, players)
    middle, opening = start(scenario)
    middle, first = advance(middle, players)
    assert first == ()
    end, rest = play_on(middle, players)
    assert (end, (*opening, *rest)) == (state, events)
    with pytest.raises(MarketClosed):
        advance(end)
