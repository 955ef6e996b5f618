"""Many games in play: what changes from round to round, and what their sellers answer."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from negotiation.engine.quantities import MIN_PRICE
from negotiation.engine.sellers.persona import HOUSE, Persona
from negotiation.environment.sweeps.arrays import Flags, Floats, Ints, Number, clamp_prices
from negotiation.environment.sweeps.starts import Bargains


class Wish(NamedTuple):
    """What the buyers propose: a bid each, and who rather accepts or walks (None: nobody)."""

    price: Floats
    accept: Flags | None = None
    walk: Flags | None = None


class Play:
    """The games that are not over. Prices are whole paise in floats.

    Attributes:
        games: their indices in the sweep.
        slots: their places among the games that began together.
        round: from 1; one number where all games are in the same.
        rounds: the limit; one number where all games have the same.
        ask: the standing ask.
        bid: the buyer's standing bid; 0 before its first.
        fakes: fake drops so far of a seller who bluffs.
        asks, bids: all of them, shape (moves, games); None unless somebody reads them.
    """

    def __init__(self, bargains: Bargains, games: Ints, *, remembers: bool = False) -> None:
        n = len(bargains)
        self.games = games
        self.slots: Ints = np.arange(n)
        self.round: Number = 1
        self.rounds = bargains.rounds
        self.anchor = bargains.anchor
        self.reservation = bargains.reservation
        self.lowball = HOUSE.lowball * bargains.reservation
        self.cost = bargains.cost
        self.budget = bargains.budget
        self.rate: Number = bargains.rate
        self.walk_p: Number = np.multiply(bargains.batna_walk_p, bargains.rule.walk_factor)
        self.ask = bargains.anchor
        self.bid = np.zeros(n)
        self.fakes: Ints = np.zeros(n, np.int64)
        self.asks: Floats | None = bargains.anchor[None, :] if remembers else None
        self.bids: Floats | None = np.empty((0, n)) if remembers else None

    def keep(self, rows: Ints) -> None:
        """Forget all games but these rows."""
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray) and value.ndim:
                setattr(self, name, value[..., rows])

    def remember(self) -> None:
        """Put the standing prices on the lists of prices."""
        if self.asks is not None and self.bids is not None:
            self.asks = np.vstack((self.asks, self.ask))
            self.bids = np.vstack((self.bids, self.bid))


Buyers = Callable[[Play], Wish]
"""Buyers of one kind: what they propose in the round that ``Play`` shows."""


def repaired(play: Play, wish: Wish) -> Wish:
    """Make every proposal legal, as ``engine.proposals.repair`` does one by one.

    A bid is held in 1 paisa..budget; an acceptance above the budget becomes the last bid again; a
    bid that reaches the ask takes it.
    """
    price = np.minimum(np.maximum(wish.price, MIN_PRICE), play.budget)
    takes = price >= play.ask
    if wish.accept is not None:
        affordable = play.ask <= play.budget
        held = np.minimum(np.maximum(play.bid, MIN_PRICE), play.budget)
        price = np.where(wish.accept, held, price)
        takes = np.where(wish.accept, affordable | (held >= play.ask), takes)
    if wish.walk is None:
        return Wish(price, takes, None)
    return Wish(price, takes & ~wish.walk, wish.walk)


Draw = Callable[[str, Flags], Floats]
"""Gives this round's draw of a kind, for the games in play that are flagged; else anything."""

Asks = Callable[[Persona, Play, Draw, Flags], Floats]
"""Plans the next ask of the games whose sellers will speak; of the others anything."""


def default_asks(rule: Persona, play: Play, draw: Draw, speaks: Flags) -> Floats:
    """Follow the schedule; an ask never goes up."""
    return np.minimum(scheduled(play), play.ask)


def impatient_asks(rule: Persona, play: Play, draw: Draw, speaks: Flags) -> Floats:
    """Fall fast at first, then barely."""
    shape, t = rule.shape, play.round
    extra = play.anchor * shape["drop_per_round"] * t
    early = np.minimum(scheduled(play) - extra, play.ask)
    late = play.ask * (1 - shape["later_drop"])
    return np.where(np.greater(t, shape["big_drops"]), late, early)


def collaborative_asks(rule: Persona, play: Play, draw: Draw, speaks: Flags) -> Floats:
    """Mix the schedule with the fair price."""
    lean = rule.shape["lean"]
    fair = (rule.shape["fair_markup"] * play.cost + play.ask) / 2
    return np.minimum((1 - lean) * scheduled(play) + lean * fair, play.ask)


def deceptive_asks(rule: Persona, play: Play, draw: Draw, speaks: Flags) -> Floats:
    """Follow the schedule, unless this turn's draws say to bluff."""
    shape = rule.shape
    planned = np.minimum(scheduled(play), play.ask)
    drops = speaks & (play.fakes < shape["most_fakes"]) & (draw("drop", speaks) < shape["fake_p"])
    pulls = ~drops & (play.fakes > 0) & (draw("pull", speaks) < shape["pull_p"])
    play.fakes = play.fakes + drops
    raised = np.floor(play.ask * (1 + rule.bluff_raise))
    return np.where(drops, planned * (1 - shape["fake_drop"]), np.where(pulls, raised, planned))


def scheduled(play: Play) -> Floats:
    """Return the ask after this round: a fixed share of the anchor less per round."""
    return play.anchor * (1 - play.rate * play.round)


ASKS: dict[str, Asks] = {
    "default": default_asks,
    "deceptive": deceptive_asks,
    "impatient": impatient_asks,
    "collaborative": collaborative_asks,
}
"""Persona -> how it plans its next ask."""


class Answer(NamedTuple):
    """Who accepts the standing bid, who walks, and the new ask of everyone else."""

    accept: Flags
    walk: Flags
    ask: Floats


def answer(rule: Persona, play: Play, draw: Draw, live: Flags) -> Answer:
    """Answer the standing bids, as ``RuleSeller.act`` does one by one.

    Args:
        rule: the persona's numbers.
        play: the games; ``fakes`` is brought up to date.
        draw: this round's luck, asked only where it can matter.
        live: the games that the buyer's move has not ended; elsewhere the answer means nothing.
    """
    takes = _takes(rule, play, draw, live)
    walks = _walks(rule, play, draw, live & ~takes)
    planned = ASKS[rule.name](rule, play, draw, live & ~takes & ~walks)
    ask = clamp_prices(planned, play.reservation)
    return Answer(takes | (ask <= play.bid) & ~walks, walks, ask)


def _takes(rule: Persona, play: Play, draw: Draw, live: Flags) -> Flags:
    bid, t = play.bid, play.round
    enough = bid >= play.reservation
    takes: Flags = enough & (bid >= rule.closes_at * play.ask)
    late = np.greater(t, HOUSE.late_from * play.rounds)
    if not np.any(late):
        return takes
    width = play.anchor - play.reservation
    tempted = live & enough & ~takes & late & (width > 0)
    if not tempted.any():
        return takes
    chance = (bid - play.reservation) / np.maximum(width, 1) * t / play.rounds
    return takes | (draw("late", tempted) < chance * rule.late_factor) & tempted


def _walks(rule: Persona, play: Play, draw: Draw, live: Flags) -> Flags:
    t = play.round
    bored = live & np.greater(t, _patience(rule, play.rounds))
    chance = play.walk_p * t / play.rounds
    insulted = live & ~bored & (play.bid < play.lowball) & np.greater(chance, 0)
    if not insulted.any():
        return bored
    return bored | (draw("walk", insulted) < chance) & insulted


def _patience(rule: Persona, rounds: Number) -> Number:
    if not rule.impatience:
        return rounds
    return np.maximum(rounds - rule.impatience, HOUSE.least_patience)
