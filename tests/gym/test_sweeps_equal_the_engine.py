"""A sweep's games are the engine's games: same end, same price, same round, same side."""

import numpy as np
import pytest
from msgspec.structs import replace

from agents.buyers.table import BUYERS
from agents.sweeps.table import SWEEP_BUYERS
from negotiation.engine import (
    VERSIONS,
    Item,
    make_scenario,
    play_episode,
    play_suite_game,
    suite_ids,
)
from negotiation.engine.goods import GOODS, SAMPLE_LISTINGS
from negotiation.environment.sweeps.bargains import Bargains, bargains
from negotiation.environment.sweeps.result import OUTCOMES, SIDES, SweepResult
from negotiation.environment.sweeps.suites import draw, sweep_suite
from negotiation.environment.sweeps.sweep import sweep

RULE_BUYERS = {buyer.name: buyer for buyer in BUYERS}
PERSONAS = ("default", "deceptive", "impatient", "collaborative")


def odd_bargains(persona: str, n: int, seed: int) -> Bargains:
    """Games of all kinds: hopeless ones, short ones, sellers who soon leave."""
    rng = np.random.default_rng(seed)
    cost = rng.integers(2000, 4500, n).astype(float)
    return bargains(
        persona,
        cost=cost,
        budget=cost + rng.integers(-1500, 6000, n),
        anchor=cost * rng.uniform(1.0, 2.5, n),
        rounds=rng.integers(1, 13, n).astype(float),
        concession_rate=rng.uniform(0.0, 0.2, n),
        batna_walk_p=rng.uniform(0.0, 0.3, n),
        inventory=3,
        inventory_start=rng.integers(1, 6, n).astype(float),
        seeds=rng.integers(0, 2**53, n, dtype=np.uint64),
    )


def ends(result: SweepResult) -> list[tuple[str, str | None, int, int]]:
    """Read a result as the engine would tell it."""
    return [
        (OUTCOMES[outcome], SIDES[by], int(price), int(rounds))
        for outcome, by, price, rounds in zip(
            result.outcome, result.by, result.price, result.rounds, strict=True
        )
    ]


@pytest.mark.parametrize("persona", PERSONAS)
@pytest.mark.parametrize("name", SWEEP_BUYERS)
def test_a_sweep_ends_every_game_as_the_engine_does(name: str, persona: str) -> None:
    games = odd_bargains(persona, 60, seed=11)
    buyer = SWEEP_BUYERS[name]
    swept = sweep(games, buyer.make(np.arange(60, dtype=np.uint64)), remembers=buyer.remembers)
    for game, got in enumerate(ends(swept)):
        ended = play_episode(games.scenario(game), RULE_BUYERS[name](game)).ended
        assert ended is not None
        assert got == (ended.outcome, ended.by, ended.price or 0, ended.round)
        assert swept.buyer_share[game] == ended.buyer_share
    assert games.seller == VERSIONS[persona]


@pytest.mark.parametrize("seller", [None, "impatient"])
@pytest.mark.parametrize("suite_id", suite_ids())
def test_drawn_bargains_are_the_scenarios_of_the_suite(suite_id: str, seller: str | None) -> None:
    seeds = np.array([*range(20), 2**31, 2**40 + 1, 2**53], np.uint64)
    for bargain in (0, 7):
        drawn, goods = draw(suite_id, seeds, bargain, seller=seller)
        for game, seed in enumerate(seeds.tolist()):
            scenario = make_scenario(suite_id, seed, bargain, seller=seller)
            assert drawn.scenario(game) == replace(
                scenario,
                suite="sweep",
                item=Item("A thing"),
                salt="",
                persona_visible=False,
                sealed=replace(scenario.sealed, deadline=None),
            )
            titles = [one.title for one in (SAMPLE_LISTINGS if "amazon" in suite_id else GOODS)]
            assert titles[goods[game]] == scenario.item.title


@pytest.mark.parametrize("suite_id", ["career_10@sampled-1", "read_the_tells@fixed-1"])
@pytest.mark.parametrize("name", ["rules:agreeable", "rules:random", "rules:micro"])
def test_a_career_goes_the_way_it_goes_in_the_engine(suite_id: str, name: str) -> None:
    seeds, buyer = np.arange(30, dtype=np.uint64), SWEEP_BUYERS[name]
    swept = [*map(ends, sweep_suite(suite_id, seeds, buyer.make, remembers=buyer.remembers))]
    for game in range(30):
        ended = [log.ended for log in play_suite_game(suite_id, game, RULE_BUYERS[name])]
        want = [(one.outcome, one.by, one.price or 0, one.round) for one in ended if one]
        assert [bargain[game] for bargain in swept] == want
