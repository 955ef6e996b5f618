"""What the network sees of a position: numbers around 0..1, the same for scarves and cars."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from negotiation.engine.observe import BuyerObservation
from negotiation.engine.people.manner import price_unit
from negotiation.environment.people.games import LEVELS, Games

Floats = npt.NDArray[np.float64]

PATH = 4
"""Latest steps of each side that are looked at one by one."""
ROUNDS = 14.0
STOOD_STILL = 0.004
"""A step below this share of the opening ask is none."""
VERSION = "features-1"
"""Raised with every change: a network only ever sees what it was trained on."""


@dataclass(frozen=True)
class Positions:
    """Positions in the same round, one a row; prices are shares of the opening ask.

    Attributes:
        round: from 1.
        rounds: of each game, (rows,).
        asks: (rows, round): the opening ask first, the standing one last.
        bids: (rows, round - 1).
        budget: (rows,).
        deadline: the buyer's own, (rows,); a round that no game has without one.
        unit: the step in which prices are named, (rows,).
        signals: (rows, levels); NaN where nothing was noticed.
    """

    round: int
    rounds: npt.NDArray[np.int64]
    asks: Floats
    bids: Floats
    budget: Floats
    deadline: npt.NDArray[np.int64]
    unit: Floats
    signals: Floats

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
    )


def position_of(seen: BuyerObservation) -> Positions:
    """Turn a buyer's view into positions of one row."""
    anchor = seen.opening_ask
    tells = seen.tells
    levels = [np.nan] * LEVELS
    if tells is not None:
        told = (
            tells.verbal_urgency,
            tells.verbal_confidence,
            tells.verbal_deception_cue,
            tells.fidget_level,
            tells.emotional_escalation,
        )
        levels = [np.nan if level is None else float(level) for level in told]
    deadline = 1_000 if seen.deadline is None else seen.deadline
    return Positions(
        round=seen.round,
        rounds=np.array([seen.max_rounds]),
        asks=np.array([seen.asks]) / anchor,
        bids=np.array([seen.bids], dtype=float).reshape(1, -1) / anchor,
        budget=np.array([seen.budget / anchor]),
        deadline=np.array([deadline]),
        unit=np.array([price_unit(anchor) / anchor]),
        signals=np.array([levels]),
    )


def features(seen: Positions) -> Floats:
    """Write positions as numbers, (rows, features)."""
    left = (seen.rounds - seen.round) / ROUNDS
    has_deadline = seen.deadline <= ROUNDS
    due = np.clip((seen.deadline - seen.round) / ROUNDS, -0.5, 1.0)
    ask, last, budget = seen.ask, seen.last, seen.budget
    rows = len(budget)
    came_down = _steps(-seen.asks, rows)
    came_up = _steps(seen.bids, rows)
    noticed = ~np.isnan(seen.signals)
    columns = [
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
        budget,
        np.clip(budget - ask, -1.0, 1.0),
        (ask <= budget).astype(float),
        np.clip(ask / budget - 1, -1.0, 1.5),
        budget - last,
        1 - ask,
        seen.unit * 20,
        seen.bids[:, 0] if seen.bids.shape[1] else np.zeros(rows),
        _still(came_down, seen.asks.shape[1] - 1) / 4,
        _still(came_up, seen.bids.shape[1] - 1) / 4,
        (came_down > STOOD_STILL).sum(axis=1) / 4,
        came_down.max(axis=1, initial=0.0) * 4,
        came_up.max(axis=1, initial=0.0) * 4,
        *(5 * came_down[:, -place] for place in range(1, PATH + 1)),
        *(5 * came_up[:, -place] for place in range(1, PATH + 1)),
        *np.where(noticed, np.nan_to_num(seen.signals) - 0.5, 0.0).T,
        *noticed.astype(float).T,
    ]
    return np.stack(columns, axis=1)


def _steps(path: Floats, rows: int) -> Floats:
    """Return how far each price of a path is above the one before, at least ``PATH`` columns."""
    empty = np.zeros((rows, PATH))
    if path.shape[1] < 2:
        return empty
    return np.concatenate([empty, np.diff(path, axis=1)], axis=1)


def _still(steps: Floats, count: int) -> Floats:
    """Count the latest steps in a row, of the last ``count``, that are none."""
    found = np.zeros(len(steps))
    standing = np.ones(len(steps), dtype=bool)
    for place in range(1, max(count, 0) + 1):
        standing = standing & (np.abs(steps[:, -place]) < STOOD_STILL)
        found += standing
    return found
