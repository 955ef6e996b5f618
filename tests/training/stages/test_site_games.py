"""Bargains of the league as the site deals them, beside what the site itself draws."""

import random

import numpy as np
import pytest

from bazaarbatna.bargain.budgets import draw_budget, draw_worth
from bazaarbatna.bargain.people.families import FAMILIES
from bazaarbatna.envs.bargain.people.games import NO_DEADLINE, Deals, deal_many
from bazaarbatna.envs.bargain.people.sellers import PLACE, Floats, draw_sellers
from negotiation.bargain.scenarios import MAX_ROUNDS, default_reservation
from negotiation.catalogue.stock import read_stock
from training.stages.league.groups import as_on_the_site, floors_of_stock

COUNT = 4000
QUANTILES = (0.05, 0.15, 0.25, 0.5, 0.75, 0.9)
WITHIN = 0.03
"""Sampling error of a quantile, and prices rounded to what people name.

No quantile lies at one tenth: few budgets lie between those without a zone and the others.
"""


@pytest.fixture(scope="module")
def deals() -> Deals:
    pool = draw_sellers(FAMILIES, 200, 3)
    return deal_many(pool, COUNT, np.random.default_rng(1))


def turned(deals: Deals, part: float, floors: Floats | None) -> Deals:
    which = np.random.default_rng(4).random(COUNT) < part
    return as_on_the_site(deals, which, np.random.default_rng(2), floors)


def test_goods_and_budgets_are_the_catalogues(deals: Deals) -> None:
    here = turned(deals, 1.0, floors_of_stock())
    stock = [entry for shelf in read_stock() for entry in shelf.listing]
    floors, budgets = [], []
    for seed in range(COUNT):
        dice = random.Random(seed)
        entry = dice.choice(stock)
        asking, floor = 100 * entry.list, default_reservation(100 * entry.street)
        floors.append(floor / asking)
        budgets.append(draw_budget(dice, asking, floor, 100 * entry.street) / asking)
    assert_alike(here, floors, budgets)


def test_budgets_of_own_things_are_the_sites(deals: Deals) -> None:
    here = turned(deals, 1.0, None)
    floors = here.sellers.floor.tolist()
    budgets = []
    for seed, floor in enumerate(floors):
        dice = random.Random(seed)
        budgets.append(draw_budget(dice, 1.0, floor, draw_worth(dice, floor)))
    assert_alike(here, floors, budgets)


def assert_alike(here: Deals, floors: list[float], budgets: list[float]) -> None:
    for ours, theirs in ((here.sellers.floor, floors), (here.budget, budgets)):
        assert np.quantile(ours, QUANTILES) == pytest.approx(
            np.quantile(theirs, QUANTILES), abs=WITHIN
        )
    assert np.mean(here.zone <= 0) == pytest.approx(
        np.mean(np.array(budgets) <= np.array(floors)), abs=WITHIN
    )
    assert (here.rounds == MAX_ROUNDS).all()
    assert (here.deadline == NO_DEADLINE).all()


def test_only_a_part_is_turned_and_sellers_keep_their_manner(deals: Deals) -> None:
    here = turned(deals, 0.3, floors_of_stock())
    same = here.budget == deals.budget
    assert same.mean() == pytest.approx(0.7, abs=0.03)
    assert (here.sellers.floor[same] == deals.sellers.floor[same]).all()
    assert (here.deadline[same] == deals.deadline[same]).all()
    kept = [place for name, place in PLACE.items() if name != "floor"]
    assert (here.sellers.first[kept] == deals.sellers.first[kept]).all()


def test_none_is_turned_where_none_is_wanted(deals: Deals) -> None:
    here = turned(deals, 0.0, floors_of_stock())
    assert (here.budget == deals.budget).all()
    assert (here.rounds == deals.rounds).all()
