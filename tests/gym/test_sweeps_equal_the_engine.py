"""A sweep's games are the engine's games: same end, same price, same round, same side."""

import numpy as np
import pytest

from agents.buyers.table import BUYERS
from agents.sweeps.table import SWEEP_BUYERS
from negotiation.engine import VERSIONS, play_episode
from negotiation.environment.sweeps.bargains import Bargains, bargains
from negotiation.environment.sweeps.result import OUTCOMES, SIDES, SweepResult
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
