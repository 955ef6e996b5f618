"""Where many games start, one array per number of a scenario, and how they ended."""

from typing import Self

import msgspec
import numpy as np
import numpy.typing as npt

from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Item, Scenario, SealedValues, SellerRules
from bazaarbatna.bargain.scoring import WIN_SHARE
from bazaarbatna.bargain.sellers import SELLERS, VERSIONS
from bazaarbatna.bargain.sellers.persona import HOUSE, Persona
from bazaarbatna.fast.arrays import (
    Flags,
    Floats,
    Ints,
    Number,
    Seeds,
    clamp_prices,
    to_seeds,
)

ANCHOR_OVER_COST = 2.0
"""Opening ask of most suites as a multiple of the cost."""


class Bargains(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """Games against one persona. Arrays have shape (games,); prices are whole paise in floats.

    ``anchor`` is the opening ask after the persona's factor; ``rounds`` is one number where all
    games have the same limit; rates are the base rates of a suite; ``seeds`` are the sellers' luck.
    """

    persona: str
    anchor: Floats
    reservation: Floats
    cost: Floats
    budget: Floats
    rounds: Number
    concession_rate: Number
    batna_walk_p: Number
    inventory: Number
    inventory_start: Number
    capitulation_rate: Number
    seeds: Seeds

    def __len__(self) -> int:
        return len(self.anchor)

    def __repr__(self) -> str:
        return f"Bargains({self.persona}, games={len(self)})"

    @property
    def seller(self) -> str:
        """Version label of the seller."""
        return VERSIONS[self.persona]

    @property
    def rule(self) -> Persona:
        """The persona's numbers."""
        return SELLERS[self.persona].persona

    @property
    def pressure(self) -> Number:
        """How much the unsold goods press, 0..1; as ``sellers.base.inventory_pressure``."""
        start = self.inventory_start
        share = self.inventory / np.maximum(start, 1)
        return np.where(np.asarray(start) <= 1, HOUSE.lone_unit_pressure, share)

    @property
    def rate(self) -> Floats:
        """Share of the anchor conceded per round; as ``sellers.base.concession_rate``."""
        rate = (
            self.concession_rate
            * self.rule.concession_factor
            * (1 + HOUSE.pressure_weight * self.pressure)
            * (1 - HOUSE.capitulation_weight * self.capitulation_rate)
        )
        return np.minimum(HOUSE.highest_rate, rate)

    @property
    def winnable(self) -> Flags:
        """Games with a zone of possible agreement."""
        return np.greater(self.budget, self.reservation)

    def take(self, games: Ints | slice) -> Self:
        """Pick some of the games."""
        arrays = {
            name: value[games]
            for name in self.__struct_fields__
            if isinstance(value := getattr(self, name), np.ndarray) and value.ndim
        }
        return msgspec.structs.replace(self, **arrays)

    def scenario(self, game: int) -> Scenario:
        """Return one of the games for the engine, with plain goods and no salt."""

        def at(value: Number) -> float:
            return float(np.broadcast_to(value, len(self))[game])

        return Scenario(
            suite="sweep",
            item=Item("A thing"),
            max_rounds=int(at(self.rounds)),
            anchor=Paise(int(self.anchor[game])),
            sealed=SealedValues(
                reservation=Paise(int(self.reservation[game])),
                cost=Paise(int(self.cost[game])),
                budget=Paise(int(self.budget[game])),
                seed=int(self.seeds[game]),
                persona=self.persona,
            ),
            salt="",
            seller=self.seller,
            rules=SellerRules(
                concession_rate=at(self.concession_rate),
                batna_walk_p=at(self.batna_walk_p),
                inventory=int(at(self.inventory)),
                inventory_start=int(at(self.inventory_start)),
                capitulation_rate=at(self.capitulation_rate),
                bluff_raise=self.rule.bluff_raise,
            ),
        )


def bargains(
    persona: str,
    *,
    cost: Number,
    budget: Number,
    anchor: Number | None = None,
    rounds: Number = 8,
    concession_rate: Number = 0.08,
    batna_walk_p: Number = 0.05,
    inventory: Number = 1,
    inventory_start: Number = 1,
    capitulation_rate: Number = 0.0,
    seeds: npt.ArrayLike | None = None,
) -> Bargains:
    """Set games up from arrays or numbers, spread over each other as numpy does.

    Prices are in paise. The ``anchor`` is the opening ask before the persona's factor, twice the
    cost when missing; ``seeds`` are 0, 1, 2 ... when missing.

    Raises:
        ValueError: there is no such persona, or a number is out of range.
    """
    if persona not in SELLERS:
        raise ValueError(f"No seller has the persona {persona!r}. Known: {', '.join(SELLERS)}.")
    rule = SELLERS[persona].persona
    luck = None if seeds is None else to_seeds(seeds)
    wished = ANCHOR_OVER_COST * np.asarray(cost, float) if anchor is None else anchor
    spread = np.broadcast_arrays(
        *(np.asarray(value, float) for value in (cost, budget, wished)),
        *(np.asarray(value) for value in (rounds, concession_rate, batna_walk_p)),
        *(np.asarray(value) for value in (inventory, inventory_start, capitulation_rate)),
        np.zeros(1 if luck is None else luck.shape),
    )
    costs, budgets, anchors = (clamp_prices(one.ravel()) for one in spread[:3])
    _check(costs, cost, budget, rounds)
    reservation = clamp_prices(rule.reservation_factor * costs)

    def flat(value: Number, place: int) -> Number:
        # A number that is the same for all games stays one: that is faster.
        return value if np.ndim(value) == 0 else spread[place].ravel().astype(float)

    return Bargains(
        persona=persona,
        anchor=clamp_prices(rule.anchor_factor * anchors, reservation),
        reservation=reservation,
        cost=costs,
        budget=budgets,
        rounds=flat(rounds, 3),
        concession_rate=flat(concession_rate, 4),
        batna_walk_p=flat(batna_walk_p, 5),
        inventory=flat(inventory, 6),
        inventory_start=flat(inventory_start, 7),
        capitulation_rate=flat(capitulation_rate, 8),
        seeds=np.arange(len(costs), dtype=np.uint64)
        if luck is None
        else np.broadcast_to(luck, spread[0].shape).ravel(),
    )


def _check(costs: Floats, cost: Number, budget: Number, rounds: Number) -> None:
    if not len(costs):
        raise ValueError("A sweep needs at least one game.")
    for name, value in (("cost", cost), ("budget", budget), ("number of rounds", rounds)):
        if not np.all(np.isfinite(value)) or np.min(value) < 1:
            raise ValueError(f"Every {name} must be at least 1 (prices in paise).")


Codes = npt.NDArray[np.int8]

OUTCOMES = ("deal", "walk", "expired")
SIDES = (None, "buyer", "seller")
DEAL, WALK, EXPIRED = range(3)
NOBODY, BUYER, SELLER = range(3)


class SweepResult(msgspec.Struct, frozen=True, eq=False):
    """Arrays of shape (games,), in the order of the sweep.

    ``outcome`` and ``by`` are indices into ``OUTCOMES`` and ``SIDES``; ``price`` is in paise, 0
    without a deal; ``rounds`` is the round in which the game ended.
    """

    bargains: Bargains
    outcome: Codes
    by: Codes
    price: Ints
    rounds: Ints

    @classmethod
    def empty(cls, bargains: Bargains) -> Self:
        """Make room for results; a game of which nothing is noted has expired."""
        n = len(bargains)
        limit = np.broadcast_to(bargains.rounds, n).astype(np.int64)
        by = np.full(n, NOBODY, np.int8)
        return cls(bargains, np.full(n, EXPIRED, np.int8), by, np.zeros(n, np.int64), limit)

    def __repr__(self) -> str:
        return f"SweepResult(games={len(self.price)}, deals={int(self.is_deal.sum())})"

    @property
    def is_deal(self) -> Flags:
        """Games with a deal."""
        return np.equal(self.outcome, DEAL)

    @property
    def buyer_share(self) -> Floats:
        """The buyer's share of the zone of possible agreement, 0..1; 0 without a deal."""
        width = self.bargains.budget - self.bargains.reservation
        share = np.where(
            width > 0, (self.bargains.budget - self.price) / np.where(width, width, 1), 0.5
        )
        return np.where(self.is_deal, share, 0.0)

    @property
    def share_of_winnable(self) -> float:
        """Mean buyer share over all games with a zone, no deal counting 0; NaN without any."""
        winnable = self.bargains.winnable
        return float(self.buyer_share[winnable].mean()) if winnable.any() else float("nan")

    @property
    def deal_rate(self) -> float:
        """Deals per game with a zone of possible agreement; NaN without any."""
        winnable = self.bargains.winnable
        return float(self.is_deal[winnable].mean()) if winnable.any() else float("nan")

    @property
    def win_rate(self) -> float:
        """Games the buyer won, per game with a zone of possible agreement; NaN without any."""
        winnable = self.bargains.winnable
        won = self.buyer_share[winnable] > WIN_SHARE
        return float(won.mean()) if winnable.any() else float("nan")
