"""A second opinion on a line of prices: what it does, weighed by all of its words.

The tables of roles know phrases; where no phrase speaks, they ask back. This is a conditional logit
(McFadden 1974) over what a line can do: name one of its numbers, take the other side's price, ask
for care, or nothing. It sees words and where each number lies between the standing prices.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from agents.text.reading.answer import HIGH, Standing
from agents.text.reading.pieces import Said, Text
from agents.text.reading.roles import Role
from bazaarbatna.bargain.quantities import Side
from bazaarbatna.lazily import lazily

Deed = Literal["price", "accept", "none", "ask"]
"""What a line does; "ask": nobody can tell without asking."""

Place = Literal["other", "own", "room", "low", "small", "tiny", "high", "huge"]
"""Where a number lies: at a standing price, between both, or outside."""

WEIGHTS = Path(__file__).with_name("judge.npz")
SURE, CERTAIN = 0.85, 0.95
"""From these probabilities on a line takes the other side's price where the tables ask: where it
names that price, and where it names none or has an "if" or a "but". The first is asked for as well
where one of several numbers is booked, or none of two."""
LIKELY, TALK, TALK_OF_FEW, NO_STEP = 0.6, 0.6, 0.8, 0.98
"""So likely is a price that no other number of its line can be, that a line names none, a line of
few words, and one in which the tables find a step."""
DOUBTED, HARDLY, UNHEARD = 0.5, 0.02, 0.3
"""Below these a price that the tables believe is asked back, in a line of few words the second; and
so is a number of which they made nothing."""
DOUBTED_YES, YES_OF_FEW, MERE_TALK, ASKED_YES = 0.75, 0.5, 0.8, 0.7
"""For lines without a number. Below the first an acceptance that the tables believe is asked back,
in a line of few words the second; from the third on a line only talks, from the fourth on words of
which the tables know none are asked about."""
MOST_PIECES = 120
"""Longer lines are left to the tables."""
PARTS = 4
_SIGN = re.compile(r"[?!.,\n]")


class Option(msgspec.Struct, frozen=True):
    """Something a line may do, and what speaks for it."""

    deed: Deed
    paise: int | None
    found: frozenset[str]


class Opinion(msgspec.Struct, frozen=True):
    """An option with its probability, 0..1."""

    option: Option
    probability: float


class Judge(msgspec.Struct, frozen=True):
    """A fitted model: what each feature weighs."""

    names: dict[str, int]
    weights: np.ndarray

    def weigh(self, offered: Sequence[Option]) -> list[Opinion]:
        """Return the options with their probabilities, the likeliest first."""
        if not offered:
            return []
        rows = [sorted(self.names[one] for one in o.found & self.names.keys()) for o in offered]
        scores = np.array([self.weights[row].sum() for row in rows])
        shares = np.exp(scores - scores.max())
        found = zip(offered, shares / shares.sum(), strict=True)
        return sorted((Opinion(*one) for one in found), key=lambda one: -one.probability)


def options(text: Text, roles: Sequence[Role], standing: Standing, seat: Side) -> list[Option]:
    """Return what a line can do; nothing without a standing ask, and for very long lines."""
    if standing.ask is None or not text.pieces or len(text.pieces) > MOST_PIECES:
        return []
    line = _Line(text, roles, standing, seat)
    told = frozenset(line.features())
    found = [
        Option("none", None, _named("none", told)),
        Option("ask", None, _named("ask", {one for one in told if not one.startswith("part:")})),
    ]
    other = standing.bid if seat == "seller" else standing.ask
    if other is not None:
        found.append(Option("accept", other, _named("accept", told) | line.of_accepting()))
    numbers: dict[int, Option] = {}
    signs = _named("price", {one for one in told if one.startswith("sign:")})
    for one in line.numbers:
        if one.place not in ("other", "tiny", "huge"):
            known = numbers.get(one.paise)
            features = _named("price", one.features(line)) | signs | line.beside(one)
            if known is not None:
                features |= known.found
            numbers[one.paise] = Option("price", one.paise, features)
    return [*found, *numbers.values()]


def _named(deed: str, features: frozenset[str] | set[str]) -> frozenset[str]:
    return frozenset({deed, *(f"{deed}|{one}" for one in features)})


class _Number(msgspec.Struct, frozen=True):
    """A number of a line: what it may be in paise, where that lies, and its role."""

    said: Said
    role: Role
    paise: int
    is_scaled: bool
    place: Place

    def features(self, line: "_Line") -> set[str]:
        """Name what speaks of this number: its place, its role, the words around it."""
        at, size = self.said.piece, len(line.words)
        words = [*["^"] * 3, *line.words, *["$"] * 3]
        before, after = words[at : at + 3], words[at + 4 : at + 7]
        sign = _SIGN.search(line.text.plain.text, self.said.amount.end)
        same = [one for one in line.numbers if one.place == self.place]
        found = {f"before:{word}" for word in before}
        found |= {f"after:{word}" for word in words[at + 4 : at + 8]}
        found |= {f"-{3 - to}:{word}" for to, word in enumerate(before)}
        found |= {f"+{to + 1}:{word}" for to, word in enumerate(after)}
        found |= {
            f"-2-1:{before[1]} {before[2]}",
            f"+1+2:{after[0]} {after[1]}",
            f"-1+1:{before[2]} {after[0]}",
            f"begins:{not at or line.text.pieces[at].breaks}",
            f"ends:{at + 1 >= size or line.text.pieces[at + 1].breaks}",
            f"sign:{sign[0] if sign else ''}",
            f"place:{self.place}",
            f"role:{self.role}",
            f"role:{self.role} {self.place}",
            f"glued:{self.said.glued}",
            f"scaled:{self.is_scaled} {self.said.amount.scaled}",
            f"marked:{self.said.marked}",
            f"digits:{bool(self.said.amount.digits)}",
            f"alone:{len(line.numbers) == 1}",
            f"alone:{self.place} {len(same) == 1}",
            f"last:{line.numbers[-1] is self}",
            f"last:{self.place} {same[-1] is self}",
        }
        return found | self._in_its_clause(line)

    def _in_its_clause(self, line: "_Line") -> set[str]:
        at, pieces = self.said.piece, line.text.pieces
        first = next(to for to in range(at, -1, -1) if pieces[to].breaks or not to)
        last = next((to for to in range(at + 1, len(pieces)) if pieces[to].breaks), len(pieces))
        before, after = line.words[first:at], line.words[at + 1 : last]
        found = {f"clause:{word}" for word in (*before, *after)}
        found |= {f"around:{left} {right}" for left in before[-3:] for right in after[:3]}
        found.add(f"clause:{min(6, last - first)}")
        room = {one.paise for one in line.numbers if one.place == "room"}
        if room:
            ends = self.paise == max(room), self.paise == min(room)
            found.add(f"rank:{self.place} {ends} {len(room) > 1}")
        return found


class _Line:
    """A line whose numbers are told by where they lie."""

    def __init__(self, text: Text, roles: Sequence[Role], standing: Standing, seat: Side) -> None:
        self.text, self.seat = text, seat
        self.numbers = [
            _number(said, role, standing, seat) for said, role in zip(text.said, roles, strict=True)
        ]
        self.words = [piece.text for piece in text.pieces]
        for one in self.numbers:
            self.words[one.said.piece] = f"#{one.place}"

    def features(self) -> Iterator[str]:
        """Name what a whole line shows."""
        line = ["^", *self.words, "$"]
        yield from (f"word:{word}" for word in self.words)
        yield from (f"pair:{first} {second}" for first, second in pairwise(line))
        if not self.numbers:
            # What "done" says without a price need not be what it says beside one.
            yield from (f"bare:{word}" for word in self.words)
            yield from (f"bare:{first} {second}" for first, second in pairwise(line))
        yield from (f"apart:{one} {other}" for one, other in zip(line, line[2:], strict=False))
        for word in self.words:
            if not word.startswith("#"):
                framed = f"<{word}>"
                yield from (f"part:{framed[at : at + PARTS]}" for at in range(len(word) - 1))
        yield from (f"sign:{sign}" for sign in "?!" if sign in self.text.plain.text)
        yield f"length:{min(5, len(self.words) // 4)}"
        counts = Counter(one.place for one in self.numbers)
        yield from (f"numbers:{place} {min(2, many)}" for place, many in counts.items())
        room, own, other = (min(2, counts[place]) for place in ("room", "own", "other"))
        yield f"numbers:{room} {min(1, own)} {min(1, other)}"

    def of_accepting(self) -> frozenset[str]:
        """Name what speaks of the other side's price, for this seat."""
        found = {f"{self.seat}:{word}" for word in self.words}
        for one in self.numbers:
            if one.place == "other":
                found |= {f"its:{feature}" for feature in one.features(self)}
        return frozenset(f"accept|{one}" for one in found)

    def beside(self, one: _Number) -> frozenset[str]:
        """Name the words beside a number, for this seat."""
        words = ["^", *self.words, "$"]
        before, after = words[one.said.piece], words[one.said.piece + 2]
        return frozenset({f"price|{self.seat}-:{before}", f"price|{self.seat}+:{after}"})


def _number(said: Said, role: Role, standing: Standing, seat: Side) -> _Number:
    paise = said.amount.paise
    is_told = said.amount.scaled and not (said.amount.spoken and standing.is_tiny(paise))
    bare = standing.is_small(paise) and not (said.marked or is_told)
    meant = standing.with_scale(paise) if bare else []
    if len(meant) == 1:
        paise = meant[0]
    return _Number(said, role, paise, len(meant) == 1, _place(paise, standing, seat))


NO_BID = 0.25
"""Share of the ask that stands for a bid where there is none."""


def _place(paise: int, standing: Standing, seat: Side) -> Place:
    ask, bid = standing.ask or 0, standing.bid
    own, other = (ask, bid) if seat == "seller" else (bid, ask)
    if paise in (own, other):
        return "other" if paise == other else "own"
    if standing.is_tiny(paise):
        return "tiny"
    if paise > HIGH * ask:
        return "huge"
    least = bid if bid is not None else NO_BID * ask
    if paise > ask:
        return "high"
    if paise > least:
        return "room"
    return "low" if 2 * paise > least else "small"


def load(path: Path = WEIGHTS) -> Judge:
    """Read a fitted model."""
    with np.load(path, allow_pickle=False) as kept:
        names = {str(name): row for row, name in enumerate(kept["names"])}
        return Judge(names, kept["weights"].astype(np.float32))


def save(judge: Judge, path: Path = WEIGHTS) -> None:
    """Write a fitted model in half precision."""
    names, weights = np.array(list(judge.names)), judge.weights.astype(np.float16)
    np.savez_compressed(path, names=names, weights=weights)


judge = lazily(load)
"""The model that is used, loaded when first asked for."""
