"""The network itself, in numpy: small enough for a turn in well under a millisecond."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from agents.buyers.network.features import VERSION, Floats, Positions

OPENINGS = (
    0.25, 0.31, 0.37, 0.43, 0.48, 0.53, 0.58, 0.63, 0.68, 0.73, 0.78, 0.83, 0.88, 0.92, 0.96,
)  # fmt: skip
"""First bids as shares of what could be paid at once."""
STEPS = (
    0.0, 0.03, 0.06, 0.1, 0.14, 0.19, 0.25, 0.32, 0.4, 0.48, 0.56, 0.65, 0.75, 0.85, 0.94,
)  # fmt: skip
"""Later bids as parts of the way from the own bid to what could be paid at once."""
CHOICES = len(STEPS) + 1
"""The last choice pays what is asked, or bids all of the budget where that is less."""


def prices(seen: Positions) -> Floats:
    """Return the price of every choice as a share of the opening ask, (rows, choices).

    Bids are named in round prices, never below the own last one; the last choice is exact.
    """
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
    """What is known about a network.

    Attributes:
        name: of the buyer.
        title: for people.
        features: version of what it sees.
        digest: SHA-256 of the weights, 12 hexadecimal digits.
        stage: of training that made it.
        made_by: the run.
        commit: version of the code.
    """

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
    """Read a network.

    Raises:
        WrongNetwork: it was trained on other features or choices, or a file is missing, torn or
            another model's.
    """
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
