"""What a buyer's network may look at: positions, one a row, prices as shares of the opening ask."""

from dataclasses import dataclass
from random import Random

import numpy as np
import numpy.typing as npt

from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.people.manner import price_unit
from bazaarbatna.envs.bargain.people.games import LEVELS, LUCKS, Games

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

PATH = 4
"""Steps of each side that are looked at."""
ROUNDS = 14.0
STOOD_STILL = 0.004
"""A step below this share of the opening ask is none."""
ENDLESS = 1_000
"""Stands for a deadline that the buyer does not have."""


@dataclass(frozen=True)
class Positions:
    """Positions in the same round, one a row; prices are shares of the opening ask.

    Rounds count from 1. ``asks`` (rows, round) and ``bids`` (rows, round - 1) begin with the
    first; ``deadline`` is the buyer's own, beyond the game where it has none; ``unit`` the step in
    which prices are named; ``signals`` (rows, levels) NaN where nothing was noticed; ``luck``
    (rows, 2) this turn's own draws, 0..1.
    """

    round: int
    rounds: npt.NDArray[np.int64]
    asks: Floats
    bids: Floats
    budget: Floats
    deadline: npt.NDArray[np.int64]
    unit: Floats
    signals: Floats
    luck: Floats

    @property
    def ask(self) -> Floats:
        """The standing asks, (rows,)."""
        found: Floats = self.asks[:, -1]
        return found

    @property
    def last(self) -> Floats:
        """The own standing bids, (rows,); 0 before the first."""
        found: Floats = self.bids[:, -1] if self.bids.shape[1] else np.zeros(len(self.budget))
        return found

    @property
    def most(self) -> Floats:
        """What could be paid at once: the ask, or all of the budget."""
        return np.minimum(self.ask, self.budget)


def positions_of(games: Games) -> Positions:
    """Show the buyers of many games what they may see."""
    deals, number = games.deals, games.round
    return Positions(
        round=number,
        rounds=deals.rounds,
        asks=games.asks[:, :number],
        bids=games.bids[:, : number - 1],
        budget=deals.budget,
        deadline=deals.deadline,
        unit=deals.unit,
        signals=games.signals,
        luck=games.luck[:, number - 1],
    )


def position_of(seen: BuyerObservation, seed: int) -> Positions:
    """Turn a buyer's view into positions of one row, with the luck of its seed."""
    anchor = seen.opening_ask
    levels = [np.nan if level is None else level for level in levels_of(seen)]
    return Positions(
        round=seen.round,
        rounds=np.array([seen.max_rounds]),
        asks=np.array([seen.asks]) / anchor,
        bids=np.array([seen.bids], dtype=float).reshape(1, -1) / anchor,
        budget=np.array([seen.budget / anchor]),
        deadline=np.array([ENDLESS if seen.deadline is None else seen.deadline]),
        unit=np.array([price_unit(anchor) / anchor]),
        signals=np.array([levels], dtype=float),
        luck=np.array([luck_of(seed, seen.round)]),
    )


def luck_of(seed: int, round_: int) -> list[float]:
    """Return the draws of a turn, 0..1."""
    dice = Random(f"{seed}:bid:{round_}")
    return [dice.random() for _ in range(LUCKS)]


def levels_of(seen: BuyerObservation) -> tuple[float | None, ...]:
    """Return what was noticed last, a level each; None where nothing was."""
    tells = seen.tells
    if tells is None:
        return (None,) * LEVELS
    return (
        tells.verbal_urgency,
        tells.verbal_confidence,
        tells.verbal_deception_cue,
        tells.fidget_level,
        tells.emotional_escalation,
    )


def steps_of(path: Floats, rows: int) -> Floats:
    """Return how far a path went in each turn, (rows, turns), with ``PATH`` zeros before it."""
    empty = np.zeros((rows, PATH))
    if path.shape[1] < 2:
        return empty
    return np.concatenate([empty, np.diff(path, axis=1)], axis=1)


def still_for(steps: Floats, count: int) -> Floats:
    """Count the last steps, ``count`` at most, that were none."""
    found = np.zeros(len(steps))
    standing = np.ones(len(steps), dtype=bool)
    for place in range(1, max(count, 0) + 1):
        standing = standing & (np.abs(steps[:, -place]) < STOOD_STILL)
        found += standing
    return found


def columns_of_clock(seen: Positions) -> list[Floats]:
    """Write rounds, deadline and standing prices as numbers, a column each."""
    left = (seen.rounds - seen.round) / ROUNDS
    has_deadline = seen.deadline <= ROUNDS
    due = np.clip((seen.deadline - seen.round) / ROUNDS, -0.5, 1.0)
    ask, last, rows = seen.ask, seen.last, len(seen.budget)
    return [
        np.full(rows, seen.round / ROUNDS),
        seen.rounds / ROUNDS,
        left,
        (seen.rounds == seen.round).astype(float),
        (seen.rounds == seen.round + 1).astype(float),
        np.full(rows, float(seen.round == 1)),
        has_deadline.astype(float),
        np.where(has_deadline, due, 1.0),
        (seen.round > seen.deadline).astype(float),
        ask,
        last,
        ask - last,
    ]


def columns_of_paths(seen: Positions, came_down: Floats, came_up: Floats) -> list[Floats]:
    """Write the last steps of both sides and what was noticed as numbers, a column each."""
    noticed = ~np.isnan(seen.signals)
    return [
        (came_down > STOOD_STILL).sum(axis=1) / 4,
        came_down.max(axis=1, initial=0.0) * 4,
        came_up.max(axis=1, initial=0.0) * 4,
        *(5 * came_down[:, -place] for place in range(1, PATH + 1)),
        *(5 * came_up[:, -place] for place in range(1, PATH + 1)),
        *np.where(noticed, np.nan_to_num(seen.signals) - 0.5, 0.0).T,
        *noticed.astype(float).T,
    ]
