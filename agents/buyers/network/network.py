"""The network itself, in numpy: small enough for a turn in well under a millisecond."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from agents.buyers.network.choices import CHOICES
from agents.buyers.network.features import VERSION, Floats

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
