"""Worlds whose scripted labs ask for more, or less: sealed, bounded, and off unless asked for."""

import msgspec
import pytest

from bazaarbatna.market import (
    TASK_NAMES,
    MarketScenario,
    advance,
    make_market,
    observe,
    play_market,
    start,
    with_strictness,
)
from bazaarbatna.market.archetypes import MANNERS, manner_of
from bazaarbatna.market.events import Opened
from bazaarbatna.market.scenario import MOST_STRICT


def varied(scenario: MarketScenario, by: float) -> MarketScenario:
    return with_strictness(scenario, [by] * len(scenario.labs))


@pytest.mark.parametrize("task", TASK_NAMES)
def test_a_world_without_strictness_is_written_as_before_there_was_any(task: str) -> None:
    assert "strictness" not in msgspec.json.encode(make_market(task, 3)).decode()


def test_strictness_moves_the_bar_of_offers_and_of_invitations_and_nothing_else() -> None:
    world = varied(make_market("coalition_market", 3), 0.1)
    for lab, archetype in enumerate(world.sealed.archetypes):
        usual, now = MANNERS[archetype], manner_of(world.sealed, lab)
        assert (now.bar, now.joins) == (usual.bar + 0.1, usual.joins + 0.1)
        assert msgspec.structs.replace(now, bar=usual.bar, joins=usual.joins) == usual


def test_stricter_labs_accept_less_of_each_other() -> None:
    trades = {
        by: sum(
            tally.trades
            for seed in range(40)
            for tally in play_market(varied(make_market("market_round", seed), by), {})[0].tallies
        )
        for by in (-MOST_STRICT, MOST_STRICT)
    }
    assert trades[MOST_STRICT] < trades[-MOST_STRICT]


def test_zero_strictness_plays_the_same_market() -> None:
    usual = make_market("coalition_market", 5)
    _, events = play_market(usual, {})
    _, again = play_market(varied(usual, 0.0), {})
    # The seal differs, and what it opens; all that happens is the same.
    assert events[1:-1] == again[1:-1]


def test_strictness_is_part_of_the_promise_and_in_no_view() -> None:
    usual = make_market("market_round", 5)
    (state, [opened, *_]), (other, [varied_opened, *_]) = (
        start(usual),
        start(varied(usual, 0.1)),
    )
    assert isinstance(opened, Opened)
    assert isinstance(varied_opened, Opened)
    assert opened.commitment != varied_opened.commitment
    assert observe(state, 0) == observe(other, 0)
    assert "strictness" not in repr(other.scenario.sealed)


@pytest.mark.parametrize("by", [MOST_STRICT + 0.01, -1.0, float("nan")])
def test_strictness_out_of_bounds_is_refused(by: float) -> None:
    with pytest.raises(ValueError, match=r"from -0\.15 to 0\.15"):
        varied(make_market("market_round", 5), by)


def test_every_lab_has_its_own_strictness() -> None:
    with pytest.raises(ValueError, match="There are 3 labs"):
        with_strictness(make_market("market_round", 5), [0.1])


def test_a_varied_market_is_played_to_its_end() -> None:
    state, _ = start(varied(make_market("coalition_market", 6), -0.1))
    while state.ended is None:
        state, _ = advance(state)
    assert state.ended.opened.strictness == (-0.1,) * len(state.budgets)
