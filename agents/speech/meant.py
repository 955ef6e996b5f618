"""What a line means where no table is sure: a regression over pieces of words weighs all kinds.

Each line is its pieces of words, weighted by how rare they are and scaled to length one (Salton
and Buckley 1988), beside what the tables find in it, which the model weighs like any other sign.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

import msgspec
import numpy as np

from agents.speech.kind_tables import cut, hits
from agents.text.acts.acts import features
from agents.text.reading.pieces import Text
from bazaarbatna.lazily import kept, lazily

LINES = Path(__file__).with_name("kinds.tsv")
WEIGHTS = Path(__file__).with_name("meant.npz")
NONE, NONE_ASKED, NOT_ASKED = "none", "none_asked", "not_asked"
"""Of no kind: talk, a question to her, and a question that is put to nobody."""
OF_NO_KIND = frozenset({NONE, NONE_ASKED, NOT_ASKED})
SCALE, HIT = 15.0, 4.5
"""The length of a line of pieces, and what one finding of the tables weighs beside it."""
MORE_PARTS = (2, 5)


class Meaning(msgspec.Struct, frozen=True):
    """A fitted model: a row of ``steps`` for each name, a column for each kind.

    A weight is so many steps of the column's own size: 255 are plenty for sums of a hundred, and a
    process keeps a byte of each. ``rarity`` is that of a piece of words, 0 of what tables find.
    """

    names: dict[str, int]
    rarity: np.ndarray
    steps: np.ndarray
    step: np.ndarray
    bias: np.ndarray
    kinds: tuple[str, ...]

    def shares(self, line: Text, found: Iterable[str]) -> np.ndarray:
        """Return the likelihood (0..1) of each kind, all together one."""
        rows, values = vector(self.names, self.rarity, signs(line), found)
        total = self.bias + (values @ self.steps[rows].astype(np.float32)) * self.step
        weighed = np.exp(total - total.max())
        shares: np.ndarray = weighed / weighed.sum()
        return shares


def vector(
    names: Mapping[str, int], rarity: np.ndarray, shown: Iterable[str], found: Iterable[str]
) -> tuple[list[int], np.ndarray]:
    """Return the rows that a line has, and the value of each."""
    here, told = (sorted(names[name] for name in part if name in names) for part in (shown, found))
    length = float(np.linalg.norm(rarity[here])) or 1.0
    hits_there = np.full(len(told), HIT, dtype=np.float32)
    return [*here, *told], np.concatenate([SCALE / length * rarity[here], hits_there])


def lines_to_learn(path: Path = LINES) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Read what sellers say, each line with its kinds, the one to be answered first in front."""
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return tuple((tuple(row[0].split("+")), row[1]) for row in rows)


def signs(line: Text) -> frozenset[str]:
    """Name the pieces of words that a line shows."""
    more = {
        f"part:{framed[at : at + length]}"
        for framed in (f"<{piece.text}>" for piece in line.pieces)
        for length in MORE_PARTS
        for at in range(len(framed) - length + 1)
    }
    return features(line, ()) | more


@kept(4096)
def meant(text: str) -> dict[str, float]:
    """Return how likely a line is of each kind (0..1).

    >>> max(shares := meant("so tell me what that bid of yours rests on"), key=shares.get)
    'why_number'
    """
    model = _model()
    shares = model.shares(cut(text), hits(text))
    return dict(zip(model.kinds, map(float, shares), strict=True))


MOST_RARE = 12.0


def rarity_of(word: str) -> float:
    """Return how rare a word is in what sellers say, `MOST_RARE` for one that nobody said.

    >>> rarity_of("courage") > rarity_of("price")
    True
    """
    model, pieces = _model(), cut(word).pieces
    row = model.names.get(f"word:{pieces[0].text}") if pieces else None
    return MOST_RARE if row is None else float(model.rarity[row])


def kinds_meant() -> tuple[str, ...]:
    """Name the kinds that the model knows."""
    return _model().kinds


def load(path: Path = WEIGHTS) -> Meaning:
    """Read a fitted model."""
    with np.load(path, allow_pickle=False) as kept_there:
        names = {str(name): row for row, name in enumerate(kept_there["names"])}
        return Meaning(
            names,
            kept_there["rarity"].astype(np.float32),
            kept_there["steps"],
            kept_there["step"],
            kept_there["bias"].astype(np.float32),
            tuple(map(str, kept_there["kinds"])),
        )


def save(model: Meaning, path: Path = WEIGHTS) -> None:
    """Write a fitted model."""
    np.savez_compressed(
        path,
        names=np.array(list(model.names)),
        rarity=model.rarity.astype(np.float16),
        steps=model.steps,
        step=model.step,
        bias=model.bias.astype(np.float32),
        kinds=np.array(model.kinds),
    )


_model = lazily(partial(load, WEIGHTS))
