"""What a line of talk does: the dialogue acts that a seller's words can carry."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Literal, get_args

import msgspec
import numpy as np

from agents.text.reading.pieces import Text
from bazaarbatna.lazily import lazily

Act = Literal[
    "greeting", "small_talk",
    "question:her", "question:goods", "question:price", "question:pickup", "question:payment",
    "question:warranty",
    "price", "concession", "split", "extra", "promise", "refusal", "ultimatum", "agreement",
    "reason:condition", "reason:age", "reason:brand", "reason:sentiment", "reason:hardship",
    "reason:cost", "rival", "urgency",
    "insult", "flattery", "confusion", "language", "nonsense", "instruction",
]  # fmt: skip
"""promise: something against something ("if you take it today, 4,500"); concession: the seller says
that the price comes down; extra: something is thrown in; language: another one is wished for;
instruction: words to a language model, not to a buyer."""

ACTS: tuple[Act, ...] = get_args(Act)


class Heard(msgspec.Struct, frozen=True):
    """An act, its code points ``start`` up to ``end``, and its log-odds, where known."""

    act: Act
    start: int
    end: int
    score: float = 9.0


def is_question(act: str) -> bool:
    """Whether an act wants an answer."""
    return act.startswith("question:")


def is_talk(act: Act) -> bool:
    """Whether an act is talk beside the trade."""
    return is_question(act) or act in _TALK


_TALK: frozenset[Act] = frozenset(
    {"greeting", "small_talk", "flattery", "insult", "confusion", "language", "rival"}
)


WEIGHTS = Path(__file__).with_name("weights.npz")
NUMBER = "#"
"""Stands for every amount: what is asked says nothing of what is done."""
PARTS = (3, 4)
TOLD = "told:"
READ_ELSEWHERE: frozenset[Act] = frozenset({"price"})
"""Acts that their own reader finds and no other: the price heard is the price that stands."""


class Model(msgspec.Struct, frozen=True):
    """A fitted model: rows of ``weights`` are features as in ``names``, columns ``ACTS``.

    An act counts above ``threshold`` log-odds where the tables found it, too, and above
    ``unaided`` where nothing but the model did.
    """

    names: dict[str, int]
    weights: np.ndarray
    bias: np.ndarray
    threshold: float
    unaided: float

    def scores(self, found: frozenset[str]) -> np.ndarray:
        """Return the log-odds of each column for a line that shows these features."""
        rows = [row for name in found if (row := self.names.get(name)) is not None]
        total: np.ndarray = self.weights[sorted(rows)].sum(axis=0) + self.bias
        return total

    def bound(self, *, told: bool) -> float:
        """Return the log-odds above which an act or a kind counts."""
        return self.threshold if told else self.unaided


def features(cut: Text, told: Sequence[Heard]) -> frozenset[str]:
    """Name what a line shows."""
    words = _words(cut)
    found = {f"{TOLD}{one.act}" for one in told}
    found.add(f"numbers:{min(2, len(cut.said))}")
    found.add(f"length:{min(4, len(words) // 4)}")
    found.update(f"sign:{sign}" for sign in "?!" if sign in cut.plain.text)
    found.update(_of_words(words, start=True, end=True))
    return frozenset(found)


def judged(cut: Text, told: Sequence[Heard], *, at_least_one: bool = True) -> Iterator[Heard]:
    """Return the acts of a line, each where the tables found it or where its words weigh most."""
    model = _model()
    scores = model.scores(features(cut, told))
    places = {one.act: one for one in reversed(told)}
    likely = [
        act
        for act, score in zip(ACTS, scores, strict=True)
        if act not in READ_ELSEWHERE and score > model.bound(told=act in places)
    ]
    read = [act for act in READ_ELSEWHERE if act in places]
    if at_least_one and not likely and not read:
        likely = [ACTS[int(scores.argmax())]]
    for act in read:
        yield places[act]
    for act in likely:
        place = (places[act].start, places[act].end) if act in places else _place(model, cut, act)
        yield Heard(act, *place, float(scores[ACTS.index(act)]))


def load(path: Path = WEIGHTS) -> Model:
    """Read a fitted model."""
    with np.load(path, allow_pickle=False) as kept:
        names = {str(name): row for row, name in enumerate(kept["names"])}
        return Model(
            names,
            kept["weights"].astype(np.float32),
            kept["bias"].astype(np.float32),
            float(kept["threshold"]),
            float(kept["unaided"]),
        )


def save(model: Model, path: Path = WEIGHTS) -> None:
    """Write a fitted model: half precision is plenty for sums of a hundred."""
    np.savez_compressed(
        path,
        names=np.array(list(model.names)),
        weights=model.weights.astype(np.float16),
        bias=model.bias.astype(np.float16),
        threshold=np.float32(model.threshold),
        unaided=np.float32(model.unaided),
    )


@lazily
def _model() -> Model:
    return load()


def _place(model: Model, cut: Text, act: Act) -> tuple[int, int]:
    if not cut.pieces:  # no words in what is read of a long line
        return 0, 0
    column = ACTS.index(act)
    words = _words(cut)
    starts = [place for place, piece in enumerate(cut.pieces) if piece.breaks or not place]
    clauses = list(zip(starts, [*starts[1:], len(words)], strict=True))

    def weight(clause: tuple[int, int]) -> float:
        first, last = clause
        found = _of_words(words[first:last], start=not first, end=last == len(words))
        return float(model.scores(frozenset(found))[column])

    first, last = max(clauses, key=weight)
    place: tuple[int, int] = cut.span(first, last - 1)
    return place


def _words(cut: Text) -> list[str]:
    amounts = {said.piece for said in cut.said}
    return [NUMBER if at in amounts else piece.text for at, piece in enumerate(cut.pieces)]


def _of_words(words: Sequence[str], *, start: bool, end: bool) -> Iterator[str]:
    line = [*(["^"] if start else []), *words, *(["$"] if end else [])]
    for first, second in pairwise(line):
        yield f"pair:{first} {second}"
    for first, second in zip(line, line[2:], strict=False):
        yield f"apart:{first} {second}"
    for word in words:
        yield f"word:{word}"
        framed = f"<{word}>"
        for length in PARTS:
            for at in range(len(framed) - length + 1):
                yield f"part:{framed[at : at + length]}"
