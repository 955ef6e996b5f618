"""Twins without one shock, other actions in a turn, and coalitions as games."""

import time
from math import inf
from random import Random

import pytest

from arena.gpu_market.board.action_words import EXAMPLES, action_words, alternatives
from arena.gpu_market.board.coalition_claims import (
    claims_chart,
    explain_coalitions,
    game_of,
    worths_of,
)
from arena.gpu_market.twins import shock_twin, without_shock
from bazaarbatna.market import (
    MarketAction,
    advance,
    apply,
    consider,
    make_market,
    play_market,
    read_action,
    start,
    without_shocks,
)
from bazaarbatna.market.coalition import CoalitionGame
from bazaarbatna.market.events import ShockStruck
from bazaarbatna.market.policies.registry import make_policy
from tests.support.gpu_market import a_wild_action

SEATS = ("rule_expert", "archetype", "archetype", "archetype", "archetype")
OPTIONS = ("sudden_supply", "deadline_acceleration", "emergency_auction")


@pytest.mark.parametrize("number", range(6))
def test_a_twin_misses_one_shock_and_no_other(number: int) -> None:
    scenario = make_market("coalition_market", 11, options=OPTIONS)
    twin = shock_twin(scenario, SEATS, number)
    struck = [(one.round, one.kind) for one in scenario.sealed.shocks]

    def in_world(events: object) -> list[tuple[int, str]]:
        assert isinstance(events, tuple)
        return [(one.round, one.shock) for one in events if isinstance(one, ShockStruck)]

    assert in_world(twin.struck) == struck
    assert in_world(twin.calm) == struck[:number] + struck[number + 1 :]
    at = [isinstance(event, ShockStruck) for event in twin.struck]
    until = [place for place, is_shock in enumerate(at) if is_shock][number]
    # The first event carries the promise, which is another one.
    assert twin.calm[1:until] == twin.struck[1:until]


def test_the_twin_without_any_shock_is_the_engines() -> None:
    scenario = make_market("coalition_market", 8)
    twin = shock_twin(scenario, SEATS)
    assert twin.calm_scenario == without_shocks(scenario)
    assert not any(isinstance(event, ShockStruck) for event in twin.calm)


def test_there_is_no_twin_of_a_shock_that_is_not_planned() -> None:
    with pytest.raises(IndexError):
        without_shock(make_market("market_round", 3), 1)


def test_every_alternative_is_one_that_the_rules_allow() -> None:
    rng = Random(4)
    state, _ = start(make_market("coalition_market", 4))
    while state.ended is None:
        if state.turn == 0:
            found = alternatives(state, 0, MarketAction("wait"))
            assert all(consider(state, 0, one.action).ok for one in found)
            assert len({one.words for one in found}) == len(found)
            assert MarketAction("wait") not in [one.action for one in found]
            state, _ = apply(state, 0, a_wild_action(state, 0, rng))
        else:
            state, _ = advance(state)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.name)
def test_every_action_can_be_said(example: object) -> None:
    action = read_action(example.action)  # type: ignore[attr-defined]
    words = action_words(action, {"lab_3": "Deccan Models", "lab_2": "Chenab Research"})
    assert words
    assert "lab_3" not in words
    assert "block_" not in words


def test_a_betrayed_coalition_is_explained() -> None:
    scenario = make_market("coalition_market", 11)
    _, events = play_market(scenario, {0: make_policy("rule_expert", 11)})
    (one,) = explain_coalitions(scenario, events)
    assert [claim.name for claim in one.claims] == ["Aravalli Lab", "Chenab Research"]
    assert sum(claim.adds for claim in one.claims) == pytest.approx(one.together)
    assert all(claim.adds >= claim.alone - 0.01 for claim in one.claims)
    assert not one.stable
    assert "by leaving" in " ".join(one.leaving)
    assert "Chenab Research made" in claims_chart(one)


@pytest.mark.parametrize(("until_s", "labs"), [(inf, 2), (0, 4)], ids=["exact", "quick"])
@pytest.mark.parametrize("seed", range(4))
def test_joining_hands_never_costs_anything(seed: int, until_s: float, labs: int) -> None:
    scenario = make_market("coalition_market", seed)
    state, _ = start(scenario)
    names = {card.id: card.name for card in scenario.labs}
    worths = worths_of(state, list(names)[:labs], until_s)
    assert worths.exact == (until_s == inf)
    assert is_superadditive(game_of(worths, names))


def is_superadditive(game: CoalitionGame) -> bool:
    """Whether two groups without a common member are never worth less together than apart."""
    return all(
        game.worths[one] + game.worths[two] <= game.worths[one | two]
        for one in range(game.everyone + 1)
        for two in range(game.everyone + 1)
        if not one & two
    )


def test_one_answer_too_late_and_the_quick_planner_answers_for_every_group() -> None:
    scenario = make_market("coalition_market", 50_007)
    state, _ = start(scenario)
    labs = [card.id for card in scenario.labs]
    assert len(labs) == 5
    # The first groups are solved in that time, the whole market takes the solver seconds.
    late = worths_of(state, labs, time.monotonic() + 0.05)
    assert not late.exact
    assert late == worths_of(state, labs, 0)


def test_a_coalition_is_explained_by_the_quick_planner_where_no_time_is_left() -> None:
    scenario = make_market("coalition_market", 11)
    _, events = play_market(scenario, {0: make_policy("rule_expert", 11)})
    (exact,), (quick,) = (
        explain_coalitions(scenario, events),
        explain_coalitions(scenario, events, 0),
    )
    assert (exact.exact, quick.exact) == (True, False)
    assert [claim.alone for claim in exact.claims] == [18.11, 151.35]
    assert [claim.alone for claim in quick.claims] == [11.61, 133.11]
    assert [claim.gets for claim in exact.claims] == [claim.gets for claim in quick.claims]


def test_nobody_joined_nothing_to_explain() -> None:
    scenario = make_market("single_trade", 2)
    _, events = play_market(scenario, {})
    assert explain_coalitions(scenario, events) == ()
