"""Thousands of bargains with the population in step, for whoever learns from many."""

from dataclasses import dataclass

import numpy as np

from bazaarbatna.bargain.people import dealing, signals
from bazaarbatna.bargain.people.manner import named_price, price_unit
from bazaarbatna.envs.bargain.people.sellers import (
    CROSSED,
    PLACE,
    Bools,
    Floats,
    Ints,
    Rounds,
    Sellers,
    Table,
    answers,
    last_rounds,
    named,
    place_bid,
)

LATE = 0.5
"""What a deal is worth after the buyer's own deadline."""
LEVELS = 5
"""Signals that are numbers: urgency, confidence, deception, fidgeting, escalation."""
LUCKS = 2
"""Draws that a buyer has for each of its turns."""
SIGNAL_NOISE = 0.1
MOST_ROUNDS = dealing.ROUNDS[1]
NO_DEADLINE = 10 * MOST_ROUNDS
"""Stands for a buyer's deadline where there is none: a round that no game has."""


@dataclass(frozen=True)
class Deals:
    """What is bargained over, one a lane; prices are shares of the opening ask.

    ``unit`` is the step in which prices are named, ``shows`` whether the buyer may notice anything.
    """

    sellers: Sellers
    rounds: Ints
    budget: Floats
    deadline: Ints
    unit: Floats
    shows: Bools

    @property
    def zone(self) -> Floats:
        """Width of the zone of possible agreement; 0 or less: there is none."""
        return self.budget - self.sellers.floor


def deal_many(
    pool: Sellers,
    count: int,
    dice: np.random.Generator,
    blind: float = 0.0,
    *,
    drawn: bool = True,
) -> Deals:
    """Draw bargains as ``engine.people.dealing`` does.

    In the share ``blind`` of them the buyer notices nothing. Sellers who are not ``drawn`` from the
    pool are its first ``count`` ones, in order.
    """
    sellers = pool.take(dice.integers(0, pool.count, count) if drawn else np.arange(count))
    low, high = np.log(dealing.ANCHOR)
    # The opening ask is a named price too: else a seller who stands still would still round it.
    prices = np.exp(dice.uniform(low, high, count))
    anchors = np.array([named_price(price, int(price)) for price in prices])
    unit = np.array([price_unit(int(anchor)) for anchor in anchors]) / anchors
    floor = np.minimum(named(sellers.floor, unit), 1 - unit)
    rounds = dice.integers(dealing.ROUNDS[0], dealing.ROUNDS[1] + 1, count)
    rounds = np.where(dice.random(count) < dealing.USUAL, dealing.USUAL_ROUNDS, rounds)
    hurried = (dice.random(count) < dealing.HURRIED) & (rounds >= 4)
    due = 2 + np.floor(dice.random(count) * (rounds - 2)).astype(int)
    return Deals(
        sellers=sellers.with_floor(floor),
        rounds=rounds,
        budget=_budgets(floor, dice),
        deadline=np.where(hurried, due, NO_DEADLINE),
        unit=unit,
        shows=dice.random(count) >= blind,
    )


def _budgets(floor: Floats, dice: np.random.Generator) -> Floats:
    hopeless, tight, where = dice.random((3, len(floor)))
    low = dealing.LEAST_BUDGET * floor
    high = np.where(tight < dealing.TIGHT, 1.0, dealing.MOST_BUDGET)
    budget = low + (np.maximum(low, high) - low) * where
    least, most = dealing.HOPELESS_BUDGET
    found: Floats = np.where(
        hopeless < dealing.HOPELESS, floor * (least + (most - least) * where), budget
    )
    return found


class Games:
    """Bargains in step: every lane is in the same round until it is over.

    Attributes:
        asks: (lanes, rounds + 1); ``asks[:, round - 1]`` stand.
        bids: (lanes, rounds); those up to ``round - 2`` were made.
        signals: what the buyer noticed last, (lanes, levels); NaN where nothing.
        luck: the buyer's own draws for each turn, (lanes, rounds, lucks), 0..1.
        price: of deals; NaN without one.
        ended: the round in which a lane was over; 0 while it is not.
    """

    def __init__(self, deals: Deals, dice: np.random.Generator) -> None:
        count = len(deals.rounds)
        self.deals, self.round, self._dice = deals, 1, dice
        self.asks = np.ones((count, MOST_ROUNDS + 1))
        self.bids = np.zeros((count, MOST_ROUNDS))
        self.signals = np.full((count, LEVELS), np.nan)
        self.luck = dice.random((count, MOST_ROUNDS, LUCKS))
        self.live = np.ones(count, dtype=bool)
        self.price = np.full(count, np.nan)
        self.ended = np.zeros(count, dtype=int)
        self._table = Table(*(np.full(count, value) for value in (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)))

    @property
    def ask(self) -> Floats:
        """The standing asks, (lanes,)."""
        found: Floats = self.asks[:, self.round - 1]
        return found

    def step(self, bid: Floats) -> None:
        """Make every buyer's move, of shape (lanes,), and let the sellers answer.

        One that reaches the ask takes it, none goes above the budget, and one below the last is the
        last. Lanes that are over are left alone.
        """
        deals, number = self.deals, self.round - 1
        ask = self.ask
        last = self.bids[:, number - 1] if number else np.zeros_like(bid)
        bid = np.maximum(last, np.minimum(bid, deals.budget))
        buys = self.live & (bid >= ask - CROSSED) & (ask <= deals.budget + CROSSED)
        self._end(buys, ask)
        self.bids[:, number] = bid
        manner = deals.sellers.at(self.round)
        place_bid(self._table, bid, manner[PLACE["insult"]], number == 0)
        self._notice(manner)
        luck = self._dice.random((4, len(bid)))
        found = answers(deals.sellers, self._table, self.round, deals.rounds, luck, deals.unit)
        self._end(self.live & found.takes, bid)
        self._end(self.live & (found.leaves | (self.round >= deals.rounds)), None)
        self._table.named = self._table.named + (found.ask < self._table.ask - CROSSED)
        self._table.ask = found.ask
        self.asks[:, self.round] = found.ask
        self.round += 1

    def worth(self, deal: float = 0.0, hurry: float = 0.0) -> Floats:
        """Return what the bargains brought: the share of the zone, halved after the deadline.

        A deal is worth ``deal`` beyond its share, each round costs ``hurry``.
        """
        zone = np.maximum(self.deals.zone, 1e-9)
        made = ~np.isnan(self.price)
        share = np.where(made, (self.deals.budget - np.nan_to_num(self.price)) / zone, 0.0)
        share = np.clip(share, 0.0, 1.0) + deal * made
        found: Floats = np.where(self.ended > self.deals.deadline, LATE * share, share)
        return found - hurry * self.ended

    def _end(self, which: Bools, price: Floats | None) -> None:
        if price is not None:
            np.copyto(self.price, price, where=which)
        self.ended[which] = self.round
        self.live &= ~which

    def _notice(self, manner: Floats) -> None:
        table = self._table
        room = table.ask - manner[PLACE["floor"]]
        levels = shown_levels(
            manner, room, table.insults > 0, table.stalled, self.round, self.deals.rounds
        )
        shape = levels.shape
        is_true = self._dice.random(shape) < manner[PLACE["honesty"]][:, None]
        shown = np.where(is_true, levels, self._dice.random(shape))
        shown += SIGNAL_NOISE * self._dice.standard_normal(shape)
        self.signals = np.where(self.deals.shows[:, None], np.clip(shown, 0.0, 1.0), np.nan)


def shown_levels(
    manner: Floats,
    room: Floats,
    insulted: Bools,
    stalled: Floats | Ints,
    round_: Rounds,
    rounds: Ints,
) -> Floats:
    """Return what ``people.signals.levels`` gives for each seller, (sellers, levels)."""
    deadline, bluff = manner[PLACE["deadline"]], manner[PLACE["bluff"]]
    near = np.minimum(1.0, round_ / last_rounds(manner, rounds))
    urgency = manner[PLACE["urgency"]] + signals.DEADLINE_URGENCY * near * (deadline > 0)
    filled = np.minimum(1.0, room / signals.FULL_ROOM)
    rested = signals.SHOWN_CONFIDENCE[0] + signals.SHOWN_CONFIDENCE[1] * filled
    confidence = rested + bluff * (signals.BLUFFED_CONFIDENCE - rested)
    escalation = 0.3 * insulted + 0.15 * np.minimum(stalled, 3)
    fidget = 0.4 * urgency + 0.3 * bluff
    return np.stack([np.minimum(urgency, 1.0), confidence, 0.8 * bluff, fidget, escalation], axis=1)
