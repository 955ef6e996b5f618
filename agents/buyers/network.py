"""The network that bids, in numpy, and its file; what it sees and may choose is its style's."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import msgspec
import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from agents.buyers import bound, unbound
from agents.buyers.positions import Floats, Positions

STYLES: dict[str, ModuleType] = {style.VERSION: style for style in (bound, unbound)}
"""A style by the version of its features: ``features``, ``worth_features``, ``prices``, ``allowed``
and the number of ``CHOICES``."""

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
    """Two towers: which choice, and what the position will be worth.

    ``weights`` holds ``choose.N.weight`` (outputs, inputs) and ``choose.N.bias``, and the same for
    ``worth``, with N = 0, 2, 4 and hyperbolic tangents between the layers. ``style`` is one of
    ``STYLES``: what the towers see, and what the choices are.
    """

    weights: Mapping[str, Floats]
    style: ModuleType = bound

    def bids(self, seen: Positions) -> tuple[Floats, npt.NDArray[np.int64]]:
        """Return the price of the best choice of each position, and which choice that is."""
        scores = np.where(self.style.allowed(seen), self.scores(self.style.features(seen)), -np.inf)
        chosen = scores.argmax(axis=1)
        return self.style.prices(seen)[np.arange(len(chosen)), chosen], chosen

    def scores(self, numbers: Floats) -> Floats:
        """Return a score for every choice, (rows, choices)."""
        return self._tower("choose", numbers)

    def worth(self, numbers: Floats) -> Floats:
        """Return the expected worth of playing on, (rows,)."""
        found: Floats = self._tower("worth", numbers)[:, 0]
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
    style = STYLES.get(card.features)
    if style is None or choices != style.CHOICES:
        known = " and ".join(STYLES)
        raise WrongNetwork(
            f"{folder.name} was trained on {card.features}; this code plays {known}. Train it anew."
        )
    numbers = {name: array.astype(np.float64) for name, array in weights.items()}
    return Network(numbers, style), card


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
