"""Games by the thousand go as those of the suites do, one by one."""

import numpy as np
import pytest

from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.people.families import FAMILIES, LIMITS, family_of
from bazaarbatna.envs.bargain.people.games import Deals, Games, deal_many
from bazaarbatna.envs.bargain.people.sellers import FIELDS, STRETCH, draw_sellers, draw_wide
from bazaarbatna.envs.bargain.suite_game import SuiteGame

BIDS = (0.3, 0.4, 0.5)
"""A buyer that looks at nothing: shares of the opening ask."""


def dealt(count: int, seed: int = 0) -> Deals:
    return deal_many(draw_sellers(FAMILIES, 800), count, np.random.default_rng(seed))


def test_the_opening_ask_is_a_price_that_people_name() -> None:
    """A seller who stands still keeps it to the paisa: rounding it is no concession."""
    deals = dealt(2_000)
    steps = 1 / deals.unit
    assert np.allclose(steps, np.round(steps), atol=1e-9)
    games = Games(deals, np.random.default_rng(1))
    games.step(np.zeros(2_000))
    moved = games.ask < 1 - 1e-9
    assert moved.any()
    assert (1 - games.ask[moved] > 0.6 * deals.unit[moved]).all()


@pytest.mark.parametrize("family", ["halver", "firm"])
def test_asks_come_down_as_in_the_suite(family: str) -> None:
    """The means of both agree within what the draws of either allow, four standard errors."""
    alone: dict[int, list[float]] = {1: [], 2: []}
    for seed in range(1_200):
        game = SuiteGame(f"people-{family}@1", seed)
        for number, share in enumerate(BIDS):
            seen = game.observation
            if seen is None:
                break
            if number:
                alone[number].append(seen.standing_ask / seen.opening_ask)
            price = int(share * seen.opening_ask)
            if price >= seen.standing_ask or price > seen.budget:
                break
            game.step(Offer(price))
    dice = np.random.default_rng(3)
    games = Games(deal_many(draw_sellers([family_of(family)], 4_000), 8_000, dice), dice)
    playing = np.ones(8_000, dtype=bool)
    for number, share in enumerate(BIDS):
        playing &= games.live
        if number:
            many, few = games.ask[playing], np.array(alone[number])
            error = np.hypot(few.std() / len(few) ** 0.5, many.std() / len(many) ** 0.5)
            assert abs(few.mean() - many.mean()) < 4 * error
        playing &= (share < games.ask) & (share <= games.deals.budget)
        games.step(np.full(8_000, share))


def test_a_round_costs_what_the_buyer_says() -> None:
    games = Games(dealt(200), np.random.default_rng(2))
    while games.live.any():
        games.step(np.full(200, 0.6))
    assert np.allclose(games.worth() - games.worth(hurry=0.01), 0.01 * games.ended)


def test_wide_sellers_go_beyond_every_family_and_stay_within_the_limits() -> None:
    wide = draw_wide(FAMILIES, 5_000, np.random.default_rng(4))
    for name, (least, most) in LIMITS.items():
        row = wide.first[FIELDS.index(name)]
        assert least <= row.min()
        assert row.max() <= most
    gap = wide.first[FIELDS.index("gap")]
    highest = max(one.ranges["gap"][1] for one in FAMILIES)
    lowest = min(one.ranges["gap"][0] for one in FAMILIES)
    assert highest < gap.max() <= highest + STRETCH * (highest - lowest)
