"""The games of a task suite as arrays: the same draws as ``engine.tasks.make_scenario``."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bazaarbatna.bargain import tasks
from bazaarbatna.bargain.career import CAPITULATION_SHARE
from bazaarbatna.bargain.goods import GOODS, SAMPLE_LISTINGS
from bazaarbatna.bargain.sellers import SELLERS, persona_of
from bazaarbatna.bargain.sellers.persona import Persona
from bazaarbatna.bargain.suites import Suite
from bazaarbatna.fast.arrays import (
    Floats,
    Ints,
    Number,
    Seeds,
    Words,
    clamp_prices,
    to_seeds,
)
from bazaarbatna.fast.play import Buyers, sweep
from bazaarbatna.fast.starts import Bargains, SweepResult
from bazaarbatna.fast.twister import uniforms, words

SEEDS = 2**64 // tasks.MOST_EPISODES
"""So many seeds have a scenario's seed of 64 bits."""
WORDS_OF_SEED = 2
"""The seller's 53 bits are drawn last, from two words."""


class Drawn(NamedTuple):
    """Bargains of a suite, and which of the suite's goods each is about."""

    bargains: Bargains
    goods: Ints


class Careers:
    """What earlier bargains of each game left behind, as ``engine.career`` counts it."""

    def __init__(self, games: int) -> None:
        self.games = np.zeros(games)
        self.deals = np.zeros(games)
        self.capitulations = np.zeros(games)
        self.buyer_shares = np.zeros(games)

    @property
    def capitulation_rate(self) -> Floats:
        """Capitulations per deal, 0..1; 0 before the first deal."""
        return self.capitulations / np.maximum(self.deals, 1)

    def remember(self, result: SweepResult) -> None:
        """Add one finished bargain of every game."""
        deal = result.is_deal
        self.games += 1
        self.deals += deal
        self.capitulations += deal & (result.price > CAPITULATION_SHARE * result.bargains.anchor)
        self.buyer_shares += result.buyer_share


def draw(
    suite_id: str,
    seeds: npt.ArrayLike,
    bargain: Number = 0,
    *,
    deals: Number = 0,
    capitulation_rate: Number = 0.0,
    seller: str | None = None,
) -> Drawn:
    """Draw one bargain of each game of a suite.

    Seeds are 0 to 2**54 - 1, ``bargain`` counts from 0; ``deals`` were closed before it, in suites
    with a career.

    Raises:
        UnknownSuite, UnknownSeller: there is none of that name.
        ValueError: a seed is too large, or no whole number from 0 up.
    """
    seeds = to_seeds(seeds)
    row = tasks.pinned_suite(suite_id)
    rule = SELLERS[row.persona if seller is None else persona_of(seller)].persona
    sampled = "@sampled" in suite_id
    uniform_draws = (2 if row.listings else 3) * sampled + (row.listings or sampled)
    places = range(2 * uniform_draws + WORDS_OF_SEED)
    made = words(_scenario_seeds(seeds, bargain), places)
    luck = iter([uniforms(*made[place : place + 2]) for place in range(0, 2 * uniform_draws, 2)])
    prices, goods = (_listings if row.listings else _goods)(row, rule, luck, len(seeds), sampled)
    cost, list_price, reservation, budget = prices
    return Drawn(
        Bargains(
            persona=rule.name,
            anchor=clamp_prices(rule.anchor_factor * list_price, reservation),
            reservation=reservation,
            cost=cost,
            budget=budget,
            rounds=row.rounds,
            concession_rate=row.concession_rate,
            batna_walk_p=row.batna_walk_p,
            inventory=row.inventory - np.minimum(deals, row.inventory - 1),
            inventory_start=row.inventory,
            capitulation_rate=capitulation_rate,
            seeds=_bits(made[-2], made[-1]),
        ),
        goods,
    )


def sweep_suite(
    suite_id: str,
    seeds: npt.ArrayLike,
    make_buyers: Callable[[Seeds], Buyers],
    *,
    remembers: bool = False,
    seller: str | None = None,
) -> list[SweepResult]:
    """Play whole games of a suite: the results of ``engine.match.play_suite_game``.

    Returns:
        One result for each bargain of a game, in order.
    """
    seeds = to_seeds(seeds)
    row, buyers = tasks.pinned_suite(suite_id), make_buyers(seeds)
    careers = Careers(len(seeds))
    results = []
    for bargain in range(row.episodes):
        drawn = draw(
            suite_id,
            seeds,
            bargain,
            deals=careers.deals if row.career else 0,
            capitulation_rate=careers.capitulation_rate if row.career else 0.0,
            seller=seller,
        )
        results.append(sweep(drawn.bargains, buyers, remembers=remembers))
        careers.remember(results[-1])
    return results


Prices = tuple[Floats, Floats, Floats, Floats]


def _goods(
    row: Suite, rule: Persona, luck: Iterator[Floats], n: int, sampled: bool
) -> tuple[Prices, Ints]:
    if sampled:
        goods = _pick(next(luck), len(GOODS))
        cost = clamp_prices(_between(next(luck), *tasks.SAMPLED_COST))
    else:
        goods, cost = np.zeros(n, np.int64), np.full(n, float(tasks.FIXED_COST))
    reservation = clamp_prices(rule.reservation_factor * cost)
    budget = np.full(n, float(tasks.FIXED_BUDGET))
    if sampled:
        low, high = cost + tasks.LEAST_BUDGET_OVER_COST, tasks.HIGHEST_BUDGET
        budget = _budget(luck, reservation, low, high)
    return (cost, clamp_prices(row.anchor_factor * cost), reservation, budget), goods


def _listings(
    row: Suite, rule: Persona, luck: Iterator[Floats], n: int, sampled: bool
) -> tuple[Prices, Ints]:
    goods = _pick(next(luck), len(SAMPLE_LISTINGS))
    street = np.array([float(one.street_price) for one in SAMPLE_LISTINGS])[goods]
    listed = np.array([float(one.list_price) for one in SAMPLE_LISTINGS])[goods]
    cost = clamp_prices(tasks.LISTING_COST * street)
    reservation = clamp_prices(rule.reservation_factor * cost)
    budget = listed
    if sampled:
        least = tasks.LISTING_BUDGET * reservation
        budget = _budget(luck, reservation, least, np.maximum(least, listed))
    return (cost, listed, reservation, budget), goods


def _budget(luck: Iterator[Floats], reservation: Floats, low: Floats, high: Number) -> Floats:
    hopeless, where = next(luck) < tasks.HOPELESS_SHARE, next(luck)
    too_little = _between(where, *tasks.HOPELESS_BUDGET) * reservation
    return clamp_prices(np.where(hopeless, too_little, _between(where, low, high)))


def _between(where: Floats, low: Number, high: Number) -> Floats:
    return low + (high - low) * where


def _pick(where: Floats, many: int) -> Ints:
    return (where * many).astype(np.int64)


def _scenario_seeds(seeds: Seeds, bargain: Number) -> Seeds:
    if len(seeds) and int(seeds.max()) >= SEEDS:
        raise ValueError(f"Seeds of a sweep are 0 to {SEEDS - 1}.")
    place = np.asarray(bargain).astype(np.uint64)
    return seeds.astype(np.uint64) * np.uint64(tasks.MOST_EPISODES) + place


def _bits(low: Words, high: Words) -> Seeds:
    return low.astype(np.uint64) | (high >> np.uint32(11)).astype(np.uint64) << np.uint64(32)
