"""Choose which found puzzles are shipped: no corner of what a puzzle shows may give its answer.

Looked at are what a puzzle shows and which move is best, never by how much: what was measured is
noisy, and whoever chooses by it keeps the lucky ones.

First every theme gets its part on each side of the table. Then trees learn what is there, round
after round; what most of them solve leaves, and what most of them miss comes in its place, of the
same theme and seat.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random
from statistics import fmean

import msgspec

from replays.puzzles.learner import Example, example_of, is_solved, learn
from replays.puzzles.puzzle import Puzzle, Theme

PARTS: dict[Theme, float] = {
    "take-it": 0.16, "walk": 0.16, "hold": 0.19, "call-the-bluff": 0.22, "split": 0.27,
}  # fmt: skip
"""How much of the set each theme is to have; half of it on each side of the table."""

SAME_THING = 3  # puzzles about one thing for sale
TREES, ROUNDS = 12, 200
ENOUGH = 0.34
"""Of the half they have not seen, trees may solve so much: less would only turn habits around."""

SWAPS = 0.04
"""Which part of a group changes places in one round, at least one puzzle."""

Group = tuple[str, str]


class _Candidate(msgspec.Struct, frozen=True, eq=False):
    puzzle: Puzzle
    example: Example

    @property
    def group(self) -> Group:
        return self.puzzle.theme, self.puzzle.seat

    @property
    def title(self) -> str:
        return self.puzzle.scenario.item.title


def is_fair(puzzle: Puzzle) -> bool:
    """Whether the opponent named round prices only: one to the paisa would tell its limit."""
    state = puzzle.position()
    return all(price % 100 == 0 for price in (*state.asks, *state.bids))


def chosen(
    pool: Sequence[Puzzle], wanted: int, rng: Random, known: Sequence[Puzzle] = ()
) -> list[Puzzle]:
    """Choose fair puzzles of a pool; those that are ``known`` already come first and go last."""
    shelf = _Shelf(pool, known, rng)
    for theme, part in PARTS.items():
        for seat in ("seller", "buyer"):
            shelf.fill((theme, seat), round(wanted * part / 2))
    for _ in range(ROUNDS):
        if shelf.improve() <= ENOUGH:
            break
    found = shelf.puzzles()
    rng.shuffle(found)
    return found


class _Shelf:
    """What is chosen so far, and what is left to choose from."""

    def __init__(self, pool: Sequence[Puzzle], known: Sequence[Puzzle], rng: Random) -> None:
        self.rng = rng
        self.known = frozenset(one.id for one in known)
        self.chosen: dict[Group, list[_Candidate]] = {}
        self.left: dict[Group, list[_Candidate]] = {}
        self.titles: Counter[str] = Counter()
        new = [one for one in filter(is_fair, pool) if one.id not in self.known]
        for puzzle in (*known, *rng.sample(new, len(new))):
            one = _Candidate(puzzle, example_of(puzzle))
            self.left.setdefault(one.group, []).append(one)

    def puzzles(self) -> list[Puzzle]:
        return [one.puzzle for one in self._all()]

    def fill(self, group: Group, wanted: int) -> None:
        """Put puzzles of a group on the shelf until there are so many."""
        self.chosen[group] = []
        for one in list(self.left.get(group, ())):
            if len(self.chosen[group]) >= wanted:
                break
            if self._has_room(one):
                self._take(one)

    def improve(self) -> float:
        """Let trees learn, and change what they solve for what they miss.

        Returns which share they solved, before that, of what they had not seen.
        """
        trees, shares = [], []
        for _ in range(TREES):
            mixed = self.rng.sample(some := self._all(), len(some))
            seen, asked = mixed[: len(mixed) // 2], mixed[len(mixed) // 2 :]
            trees.append(learn([one.example for one in seen]))
            shares.append(fmean(is_solved(trees[-1], one.example) for one in asked))

        def solved(one: _Candidate) -> int:
            return sum(is_solved(tree, one.example) for tree in trees)

        for group, here in self.chosen.items():
            coming = sorted(self.left.get(group, ()), key=solved)
            going = sorted(here, key=lambda one: (-solved(one), one.puzzle.id in self.known))
            for old in going[: max(1, round(SWAPS * len(here)))]:
                new = next((one for one in coming if self._has_room(one, old)), None)
                if new is None or solved(new) >= solved(old):
                    break
                coming.remove(new)
                self._put_back(old)
                self._take(new)
        return fmean(shares)

    def _all(self) -> list[_Candidate]:
        return [one for group in self.chosen.values() for one in group]

    def _has_room(self, one: _Candidate, instead: _Candidate | None = None) -> bool:
        is_same = instead is not None and instead.title == one.title
        return self.titles[one.title] - is_same < SAME_THING

    def _take(self, one: _Candidate) -> None:
        self.left[one.group].remove(one)
        self.chosen[one.group].append(one)
        self.titles[one.title] += 1

    def _put_back(self, one: _Candidate) -> None:
        self.chosen[one.group].remove(one)
        self.left[one.group].append(one)
        self.titles[one.title] -= 1
