"""The network that bids, in numpy: what it sees of a position, its prices, and its file."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from negotiation.engine.observe import BuyerObservation
from negotiation.engine.people.manner import price_unit
from negotiation.environment.people.games import LEVELS, Games

Floats = npt.NDArray[np.float64]

PATH = 4
ROUNDS = 14.0
STOOD_STILL = 0.004
"""A step below this share of the opening ask is none."""
VERSION = "features-1"
"""Raised with every change: a network only ever sees what it was trained on."""


@dataclass(frozen=True)
class Positions:
    """Positions in the same round, one a row; prices are shares of the opening ask.

    Rounds count from 1. ``asks`` (rows, round) and ``bids`` (rows, round - 1) begin with the
    first; ``deadline`` is the buyer's own, beyond the game where it has none; ``unit`` the step in
    which prices are named; ``signals`` (rows, levels) NaN where nothing was noticed.
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
    # np.stack() does the same, and took a tenth of a whole continuation.
    return np.ascontiguousarray(np.array(columns).T)


def _steps(path: Floats, rows: int) -> Floats:
    empty = np.zeros((rows, PATH))
    if path.shape[1] < 2:
        return empty
    return np.concatenate([empty, np.diff(path, axis=1)], axis=1)


def _still(steps: Floats, count: int) -> Floats:
    found = np.zeros(len(steps))
    standing = np.ones(len(steps), dtype=bool)
    for place in range(1, max(count, 0) + 1):
        standing = standing & (np.abs(steps[:, -place]) < STOOD_STILL)
        found += standing
    return found


OPENINGS = (
    0.25, 0.31, 0.37, 0.43, 0.48, 0.53, 0.58, 0.63, 0.68, 0.73, 0.78, 0.83, 0.88, 0.92, 0.96,
)  # fmt: skip
STEPS = (
    0.0, 0.03, 0.06, 0.1, 0.14, 0.19, 0.25, 0.32, 0.4, 0.48, 0.56, 0.65, 0.75, 0.85, 0.94,
)  # fmt: skip
CHOICES = len(STEPS) + 1
"""The last choice pays what is asked, or bids all of the budget where that is less."""


def prices(seen: Positions) -> Floats:
    """Return the price of every choice as a share of the opening ask, (rows, choices)."""
    most = seen.most[:, None]
    if seen.round == 1:
        wanted = most * np.array(OPENINGS)
    else:
        last = seen.last[:, None]
        wanted = last + np.maximum(most - last, 0.0) * np.array(STEPS)
    unit = seen.unit[:, None]
    said = np.maximum(np.floor(wanted / unit + 0.5) * unit, seen.last[:, None])
    said = np.minimum(np.maximum(said, unit), np.maximum(most, seen.last[:, None]))
    return np.concatenate([said, np.maximum(most, seen.last[:, None])], axis=1)


WEIGHTS = "model.safetensors"
CARD = "network.json"


class Card(msgspec.Struct, frozen=True):
    """What is known about a network; ``digest``: 12 hexadecimal digits of its weights' SHA-256."""

    name: str
    title: str
    features: str
    digest: str
    stage: str = ""
    made_by: str = ""
    commit: str = ""


@dataclass(frozen=True)
class Network:
    """Two towers of the same shape on the same input: which choice, and what it will be worth.

    ``weights`` holds ``choose.N.weight`` (outputs, inputs) and ``choose.N.bias``, and the same for
    ``worth``, with N = 0, 2, 4 and hyperbolic tangents between the layers.
    """

    weights: Mapping[str, Floats]

    def scores(self, seen: Floats) -> Floats:
        """Return a score for every choice, (rows, choices)."""
        return self._tower("choose", seen)

    def worth(self, seen: Floats) -> Floats:
        """Return the expected worth of playing on, (rows,)."""
        found: Floats = self._tower("worth", seen)[:, 0]
        return found

    def _tower(self, name: str, seen: Floats) -> Floats:
        for layer in (0, 2):
            seen = np.tanh(seen @ self._of(name, layer, "weight").T + self._of(name, layer, "bias"))
        found: Floats = seen @ self._of(name, 4, "weight").T + self._of(name, 4, "bias")
        return found

    def _of(self, name: str, layer: int, part: str) -> Floats:
        return self.weights[f"{name}.{layer}.{part}"]


class WrongNetwork(ValueError):
    """The folder holds no network that this code can play."""


def load_network(folder: Path) -> tuple[Network, Card]:
    """Read a network; raises WrongNetwork for another model's, other features, or torn files."""
    try:
        card = msgspec.json.decode((folder / CARD).read_bytes(), type=Card)
        weights = load_file(folder / WEIGHTS)
        choices = len(weights["choose.4.bias"])
    except (OSError, msgspec.DecodeError, SafetensorError, KeyError) as error:
        raise WrongNetwork(f"{folder.name} holds no network: {error}") from error
    if card.features != VERSION or choices != CHOICES:
        raise WrongNetwork(
            f"{folder.name} was trained on {card.features}; this code plays {VERSION}. Train it "
            "anew."
        )
    return Network({name: array.astype(np.float64) for name, array in weights.items()}), card


def digest_of(weights: Mapping[str, Floats]) -> str:
    """Return the digest of weights as they are written down."""
    found = hashlib.sha256()
    for name in sorted(weights):
        found.update(name.encode() + weights[name].astype(np.float32).tobytes())
    return found.hexdigest()[:12]


def save_network(folder: Path, weights: Mapping[str, Floats], card: Card) -> None:
    """Write a network down; single precision is enough for it."""
    folder.mkdir(parents=True, exist_ok=True)
    save_file({name: one.astype(np.float32) for name, one in weights.items()}, folder / WEIGHTS)
    (folder / CARD).write_bytes(msgspec.json.format(msgspec.json.encode(card), indent=2))
