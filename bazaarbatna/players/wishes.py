"""What the other side of a case may want, estimated from what it offered, passed over and said.

A network of some ten thousand weights, with the same layers for every value and every issue, learnt
on drawn cases (``manage.py learn_wishes``). It sees a ``View``, so nothing of the other's points.
"""

import functools
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bazaarbatna.cases.packages import Floats
from bazaarbatna.players.views import View

Table = NDArray[np.float32]

FEATURES = 28
"""What the network sees of each value of an issue."""

WEIGHTS = Path(__file__).with_suffix(".npz")


def estimated(view: View) -> list[Floats]:
    """Return the other's points of every value of each issue, the best of all issues sum to 1."""
    seen, real = features(view)
    found = Network(weights())(seen, real)
    return [found[at, : len(part)] for at, part in enumerate(view.own.parts)]


def features(view: View) -> tuple[Table, Table]:
    """Return what is seen of each value, shape (issues, values, FEATURES), and which values exist.

    Issues with fewer values than the longest are filled up with zeros.
    """
    parts = view.own.parts
    most = max(map(len, parts))
    seen = np.zeros((len(parts), most, FEATURES), np.float32)
    real = np.zeros((len(parts), most), np.float32)
    offers = np.array(view.theirs, int).reshape(len(view.theirs), len(parts))
    asked = [count - 1 for count in view.answered if count]
    passed_over = view.own.where[:, [view.mine[at] for at in asked]].T.reshape(-1, len(parts))
    new = [at for at, one in enumerate(view.theirs) if one not in view.theirs[:at]]
    table = (len(parts) / 5, len(offers) / 10, view.passed, view.own.outside, len(new) / 10)
    for issue, part in enumerate(parts):
        columns = [
            *_of_value(part),
            *_of_offers(part, offers[:, issue], new),
            *_of_refused(len(part), passed_over[:, issue]),
            *_of_words(view, issue, len(part)),
            *(np.full(len(part), one) for one in table),
        ]
        seen[issue, : len(part)] = np.stack(columns, axis=1)
        real[issue, : len(part)] = 1
    return seen, real


def _of_value(part: Floats) -> tuple[Floats, ...]:
    """Return own points of every value: among all issues, in this one, by rank; and how many."""
    count = len(part)
    rank = np.argsort(np.argsort(part, kind="stable")) / max(count - 1, 1)
    weight, size = np.full(count, part.max()), np.full(count, min(count, 8) / 8)
    return part, _in_issue(part), rank, weight, size


def _in_issue(part: Floats) -> Floats:
    return np.asarray(part / max(float(part.max()), 1e-9))


def _of_offers(part: Floats, offered: NDArray[np.intp], new: list[int]) -> tuple[Floats, ...]:
    """Return how often each value was offered, first, last, early; and how near it lies."""
    own, count = _in_issue(part), len(part)
    if not len(offered):
        return tuple(np.zeros(count) for _ in range(11))
    hits = (offered[:, None] == np.arange(count)).astype(float)
    early = 0.8 ** np.arange(len(hits))
    values = np.where(offered >= 0, own[offered], 0.5)
    near = np.exp(-((own - values[:, None]) ** 2) / 0.02)
    left = np.maximum(-np.diff(hits, axis=0), 0).sum(axis=0) / 3
    return (
        hits[0],
        hits[-1],
        hits.mean(axis=0),
        early @ hits / early.sum(),
        hits[new].mean(axis=0),
        near.mean(axis=0),
        early @ near / early.sum(),
        left,
        own - values[0],
        own - values[-1],
        np.full(count, values[0] - values[-1]),
    )


def _of_refused(count: int, places: NDArray[np.intp]) -> tuple[Floats, ...]:
    """Return how often each value stood in own packages that the other passed over."""
    if not len(places):
        return tuple(np.zeros(count) for _ in range(3))
    hits = (places[:, None] == np.arange(count)).astype(float)
    early = 0.8 ** np.arange(len(hits))
    return hits.mean(axis=0), early @ hits / early.sum(), hits[-1]


def _of_words(view: View, issue: int, count: int) -> tuple[Floats, ...]:
    """Return what was said of an issue and its values, and whether another was named as first."""
    most, least, never, other = (np.zeros(count) for _ in range(4))
    for hint in view.heard:
        if hint.issue != issue:
            other += hint.sort == "most"
        elif hint.sort == "never":
            never[hint.value] = 1
        else:
            (most if hint.sort == "most" else least)[:] = 1
    return most, least, never, np.minimum(other, 1)


@functools.cache
def weights() -> dict[str, Table]:
    """Return the shipped weights by the names of their layers."""
    with np.load(WEIGHTS) as stored:
        return {name: stored[name].astype(np.float32) for name in stored.files}


class Network:
    """The layers over values, issues and all; ``LAYERS`` has their widths."""

    def __init__(self, arrays: dict[str, Table]) -> None:
        self.arrays = arrays

    def __call__(self, seen: Table, real: Table) -> Floats:
        """Return points, shape (issues, values), of what ``features`` returns."""
        value = _bent(self._layer("value2", _bent(self._layer("value1", seen)))) * real[..., None]
        mean = value.sum(axis=1) / real.sum(axis=1, keepdims=True)
        top = (value + (real[..., None] - 1) * FAR).max(axis=1)
        issue = _bent(self._layer("issue", np.concatenate([mean, top], axis=-1)))
        table = np.broadcast_to(_bent(self._layer("table", issue.mean(axis=0))), issue.shape)
        both = np.concatenate([issue, table], axis=-1)
        spread = np.broadcast_to(both[:, None], (*value.shape[:2], both.shape[-1]))
        last = _bent(self._layer("out1", np.concatenate([seen, value, spread], axis=-1)))
        raw = self._layer("out3", _bent(self._layer("out2", last)))[..., 0]
        raw = (raw - (raw + (1 - real) * FAR).min(axis=1, keepdims=True)) * real
        raw = raw / np.maximum(raw.max(axis=1, keepdims=True), 1e-6)
        weight = np.exp(self._layer("weight", both))
        return np.asarray(raw * weight / weight.sum(), float)

    def _layer(self, name: str, given: Table) -> Table:
        return np.asarray(given @ self.arrays[f"{name}.weight"].T + self.arrays[f"{name}.bias"])


FAR = 1e4
"""Beyond what the layers give: values that do not exist are never the greatest or the least."""


def _bent(given: Table) -> Table:
    return np.asarray(given / (1 + np.exp(-given)))


def layers(wide: int) -> dict[str, tuple[int, int]]:
    """Return what goes in and out of each layer of a network of a width."""
    return {
        "value1": (FEATURES, wide),
        "value2": (wide, wide),
        "issue": (2 * wide, wide),
        "table": (wide, wide),
        "out1": (FEATURES + 3 * wide, wide),
        "out2": (wide, wide),
        "out3": (wide, 1),
        "weight": (2 * wide, 1),
    }
