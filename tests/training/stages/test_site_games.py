"""Bargains of the league as the site deals them, beside what the site itself draws."""

import random

import numpy as np
import pytest

from negotiation.bargain.scenarios import MAX_ROUNDS, default_reservation, draw_budget
from negotiation.catalogue.stock import read_stock
from negotiation.engine.people.families import FAMILIES
from negotiation.engine.quantities import Paise
from negotiation.environment.people.games import NO_DEADLINE, Deals, deal_many
from negotiation.environment.people.sellers import PLACE, draw_sellers
from training.stages.league.groups import as_on_the_site, floors_of_stock

COUNT = 4000
QUANTILES = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9)
WITHIN = 0.03
"""Sampling error of a quantile, and prices rounded to what people name."""


@pytest.fixture(scope="module")
def deals() -> Deals:
    pool = draw_sellers(FAMILIES, 200, 3)
    return deal_many(pool, COUNT, np.random.default_rng(1))


def test_goods_and_budgets_are_the_sites(deals: Deals) -> None:
    here = as_on_the_site(deals, 1.0, floors_of_stock(), np.random.default_rng(2))
    stock = [entry for shelf in read_stock() for entry in shelf.listing]
    dice = random.Random(5)
    floors, budgets = [], []
    for seed in range(COUNT):
        entry = dice.choice(stock)
        asking, floor = Paise(100 * entry.list), default_reservation(100 * entry.street)
        floors.append(floor / asking)
        budgets.append(draw_budget(seed, asking, floor) / asking)
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
    here = as_on_the_site(deals, 0.3, floors_of_stock(), np.random.default_rng(2))
    same = here.budget == deals.budget
    assert same.mean() == pytest.approx(0.7, abs=0.03)
    assert (here.sellers.floor[same] == deals.sellers.floor[same]).all()
    assert (here.deadline[same] == deals.deadline[same]).all()
    kept = [place for name, place in PLACE.items() if name != "floor"]
    assert (here.sellers.first[kept] == deals.sellers.first[kept]).all()


def test_none_is_turned_where_none_is_wanted(deals: Deals) -> None:
    here = as_on_the_site(deals, 0.0, floors_of_stock(), np.random.default_rng(2))
    assert (here.budget == deals.budget).all()
    assert (here.rounds == deals.rounds).all()
