"""What the network uses, measured: paired games, a dumb rule beside it, errors that help."""

import io
import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from agents.buyers import bound
from agents.buyers.network import Network
from agents.buyers.positions import positions_of
from bazaarbatna.bargain.people.families import FAMILIES
from bazaarbatna.bargain.people.suites import people_suite
from bazaarbatna.envs.bargain.people.games import Games, deal_many
from bazaarbatna.envs.bargain.people.sellers import draw_sellers
from bazaarbatna.envs.bargain.suite_game import SuiteGame
from bazaarbatna.players.simple import HALVER_OPEN_OF_ASK, Halver
from training.stages.league import uses
from training.stages.league.outcomes import halve


def test_a_row_for_every_horizon_with_rules_beside_the_network(tmp_path: Path) -> None:
    out, table = io.StringIO(), tmp_path / "uses.json"
    call_command("network_uses", "--games", "300", "--table", str(table), stdout=out)
    told = json.loads(table.read_text())
    assert [row["rounds"] for row in told["rows"]] == list(range(2, 15))
    assert len(out.getvalue().splitlines()) == 14
    for row in told["rows"]:
        assert (row["deadline"] is not None) == (row["rounds"] >= 4)
        gap = row["network"]["mean"] - row["halver"]["mean"]
        assert gap == pytest.approx(row["over_halver"]["mean"], abs=2e-4)


def test_a_network_that_looks_at_nothing_makes_nothing_of_it() -> None:
    dice = np.random.default_rng(1)
    deals = deal_many(draw_sellers(FAMILIES, 400), 400, dice)
    inputs = bound.features(positions_of(Games(deals, dice))).shape[1]
    shapes = {0: (8, inputs), 2: (8, 8), 4: (bound.CHOICES, 8)}
    blind = Network(
        {
            f"choose.{layer}.{part}": np.zeros(shape if part == "weight" else shape[:1])
            for layer, shape in shapes.items()
            for part in ("weight", "bias")
        }
    )
    told = uses.with_deadlines(uses.with_rounds(deals, 8), dice)
    worth = [
        uses.worth(told, uses.by(blind, shown), np.random.default_rng(2))
        for shown in (lambda seen: seen, uses.untold_tells, uses.untold_deadline)
    ]
    assert (worth[0] == worth[1]).all()
    assert (worth[0] == worth[2]).all()


def test_the_halver_of_arrays_is_the_halver_of_tables() -> None:
    """Both keep the same of the same kind of games, within four standard errors."""
    suite = people_suite("people-halver@1-rounds-6")
    assert suite is not None
    alone = []
    for seed in range(800):
        game, buyer = SuiteGame(suite.id, seed), Halver(seed)
        while (seen := game.observation) is not None:
            game.step(buyer.decide(seen))
        ended, scenario = game.logs[0].ended, game.logs[0].scenario
        if scenario.zopa > 0:
            alone.append(ended.buyer_share if ended.price else 0.0)
    pool = draw_sellers(suite.families, 4_000)
    deals = uses.with_rounds(deal_many(pool, 8_000, np.random.default_rng(3)), 6)
    halver = partial(halve, opening=HALVER_OPEN_OF_ASK)
    many = uses.worth(deals, halver, np.random.default_rng(4))
    few = np.array(alone)
    error = np.hypot(few.std() / len(few) ** 0.5, many.std() / len(many) ** 0.5)
    assert abs(few.mean() - many.mean()) < 4 * error


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--suite", "nobody@1"), "Known: people@1"),
        (("--games", "3"), "at least 100"),
        (("--seed", "-1"), "0 or more"),
    ],
)
def test_a_wrong_word_is_answered(words: tuple[str, ...], told: str) -> None:
    with pytest.raises(CommandError, match=told):
        call_command("network_uses", *words, stdout=io.StringIO())
