"""The dumbest learner: a small tree that sees of a puzzle only what says nothing of its theme.

It learns on one half which move is mostly best in which corner, and is asked about the other half.
Source: L. Breiman and others, *Classification and Regression Trees*, 1984.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random
from statistics import fmean

import msgspec

from replays.puzzles.puzzle import Puzzle

DEPTH, LEAST_LEAF, HALVINGS = 3, 8, 20

FEATURES = ("seat", "rounds left", "distance", "choices", "next door", "hurry")
"""What it sees; who moved last is the same in all of them: the other side."""

Seen = tuple[float, ...]


class Example(msgspec.Struct, frozen=True):
    """One puzzle to learn from: what is seen, the best move, and which moves there are."""

    seen: Seen
    best: str
    moves: tuple[str, ...]


class Leaf(msgspec.Struct, frozen=True):
    """A corner: the moves that were best in it, the most frequent first."""

    order: tuple[str, ...]


class Fork(msgspec.Struct, frozen=True):
    """A question: whether a feature is at most a number."""

    feature: int
    most: float
    yes: "Fork | Leaf"
    no: "Fork | Leaf"


def example_of(puzzle: Puzzle) -> Example:
    """Return what there is to learn of a puzzle; prices are told apart by their order."""
    state = puzzle.position()
    bid = state.standing_bid or 0
    seen = (
        float(puzzle.seat == "seller"),
        float(state.scenario.max_rounds - state.round),
        (state.standing_ask - bid) / state.scenario.anchor,
        float(len(puzzle.options)),
        float(puzzle.outside is not None),
        1 / puzzle.leaves if puzzle.leaves else 0.0,
    )
    moves = moves_of(puzzle)
    return Example(seen, moves[puzzle.best], moves)


def moves_of(puzzle: Puzzle) -> tuple[str, ...]:
    """Name the moves to choose from, prices by their number: the first gives least."""
    kinds = [option.kind for option in puzzle.options]
    return tuple(
        f"{kind} {kinds[:place].count('price') + 1}" if kind == "price" else kind
        for place, kind in enumerate(kinds)
    )


def learn(some: Sequence[Example], depth: int = DEPTH) -> Fork | Leaf:
    """Return the tree that asks, each time, what tells the best moves apart most (Gini)."""
    fork = _best_fork(some) if depth else None
    if fork is None:
        return Leaf(tuple(move for move, _ in Counter(one.best for one in some).most_common()))
    feature, most = fork
    yes = [one for one in some if one.seen[feature] <= most]
    no = [one for one in some if one.seen[feature] > most]
    return Fork(feature, most, learn(yes, depth - 1), learn(no, depth - 1))


def is_solved(tree: Fork | Leaf, one: Example) -> bool:
    """Whether the move that was best most often in its corner, of those there are, is right."""
    while isinstance(tree, Fork):
        tree = tree.yes if one.seen[tree.feature] <= tree.most else tree.no
    return next((move for move in tree.order if move in one.moves), "hold") == one.best


def learnt(puzzles: Sequence[Puzzle], halvings: int = HALVINGS) -> float:
    """Return the share that trees solve of the halves they have not seen, 0..1."""
    return _learnt(tuple(example_of(one) for one in puzzles), halvings)


@cache
def _learnt(some: tuple[Example, ...], halvings: int) -> float:
    shares = []
    for number in range(halvings):
        mixed = Random(f"halving:{number}").sample(some, len(some))
        half = len(mixed) // 2
        for seen, asked in ((mixed[:half], mixed[half:]), (mixed[half:], mixed[:half])):
            tree = learn(seen)
            shares.append(fmean(is_solved(tree, one) for one in asked))
    return fmean(shares)


def _best_fork(some: Sequence[Example]) -> tuple[int, float] | None:
    found, least = None, _spread(Counter(one.best for one in some))
    for feature in range(len(FEATURES)):
        row = sorted(some, key=lambda one: one.seen[feature])
        low: Counter[str] = Counter()
        high = Counter(one.best for one in row)
        for place, one in enumerate(row[:-1], start=1):
            low[one.best] += 1
            high[one.best] -= 1
            value, after = one.seen[feature], row[place].seen[feature]
            if value == after or not LEAST_LEAF <= place <= len(row) - LEAST_LEAF:
                continue
            spread = _spread(low) + _spread(high)
            if spread < least:
                found, least = (feature, (value + after) / 2), spread
    return found


def _spread(counts: Counter[str]) -> float:
    total = counts.total()
    return total - sum(count * count for count in counts.values()) / total if total else 0.0
