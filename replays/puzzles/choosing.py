"""Choose which found puzzles are shipped: no corner of what a puzzle shows may give its answer.

Looked at are what a puzzle shows and which move is best, never by how much: what was measured is
noisy, and whoever chooses by it keeps the lucky ones.

First every theme gets its part on each side of the table. Then trees learn what is there, round
after round; what most of them solve leaves, and what most of them miss comes in its place, of the
same theme and seat.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from statistics import fmean

import msgspec

from replays.puzzles.puzzle import Kind, Puzzle, Theme

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


Rule = Callable[[Puzzle], float]
"""How sure a rule is of the best move of a puzzle, 0..1."""


def _first(puzzle: Puzzle, *wanted: Kind) -> float:
    """Choose the first move of the first kind that is there; holding always is."""
    kinds = {option.kind: place for place, option in reversed(puzzle.choices)}
    kind: Kind = next((one for one in wanted if one in kinds), "hold")
    return float(kinds[kind] == puzzle.best)


def _middle(puzzle: Puzzle) -> float:
    prices = [place for place, option in puzzle.choices if option.kind == "price"]
    if not prices:
        return _first(puzzle)
    state = puzzle.position()
    middle = (state.standing_ask + (state.standing_bid or 0)) / 2
    nearest = min(prices, key=lambda place: abs((puzzle.options[place].price or 0) - middle))
    return float(nearest == puzzle.best)


def _surest(puzzle: Puzzle) -> float:
    """Take the better of what needs no luck: the standing price, or the neighbour's."""
    sure = [p for p, option in enumerate(puzzle.options) if option.kind in ("accept", "walk")]
    if not sure:
        return _first(puzzle)
    # What they keep is known to the solver: a price less its own limit.
    return float(max(sure, key=lambda place: puzzle.options[place].keeps) == puzzle.best)


BLIND: dict[str, Rule] = {
    "always take it, else hold": lambda one: _first(one, "accept"),
    "always hold": lambda one: _first(one, "hold"),
    "always the price nearest the middle": _middle,
    "always a small step": lambda one: _first(one, "price"),
    "at random": lambda one: 1 / len(one.choices),
}
"""Rules that look at nothing but which moves there are."""

RULES: dict[str, Rule] = BLIND | {
    "next door where there is one, else hold": lambda one: _first(one, "walk"),
    "the surest money": _surest,
    "take it in a hurry, else hold": lambda one: _first(one, "accept" if one.leaves else "hold"),
}
"""And rules that look at one thing each."""

NEXT_DOOR = 0.37
"""Where next door is offered it may be best so often: no more than what other rules solve."""


def at_door(puzzles: Sequence[Puzzle]) -> float:
    """Return the share of puzzles that offer next door in which that is best, 0..1."""
    return fmean(one.theme == "walk" for one in puzzles if one.offers_door)


def balanced(puzzles: Sequence[Puzzle], rng: Random) -> list[Puzzle]:
    """Leave walks out, drawn from the seat that has more, until next door tells no more."""
    left = list(puzzles)
    while at_door(left) > NEXT_DOOR:
        walks = [one for one in left if one.theme == "walk"]
        seat = Counter(one.seat for one in walks).most_common(1)[0][0]
        left.remove(rng.choice([one for one in walks if one.seat == seat]))
    return left


LEARNT = "a tree of depth 3 that has seen the other half"


def solved_by(rule: str, puzzles: Sequence[Puzzle]) -> float:
    """Return the share of puzzles that a blind rule solves, 0..1."""
    return fmean(RULES[rule](one) for one in puzzles) if puzzles else 0.0


def blind_table(puzzles: Sequence[Puzzle]) -> str:
    """Return what the blind rules solve, and how many puzzles there are, in Markdown."""
    rows = ["| rule | solves |", "|---|---|"]
    rows += [f"| {name} | {100 * solved_by(name, puzzles):.0f} % |" for name in RULES]
    rows.append(f"| {LEARNT} | {100 * learnt(puzzles):.0f} % |")
    doors = sum(one.offers_door for one in puzzles)
    rows.append(f"| next door, among the {doors} that offer it | {100 * at_door(puzzles):.0f} % |")
    counts = Counter((one.theme, one.seat) for one in puzzles)
    rows += ["", "| theme | you sell | you buy |", "|---|---|---|"]
    rows += [
        f"| {theme} | {counts[theme, 'seller']} | {counts[theme, 'buyer']} |"
        for theme in sorted({one.theme for one in puzzles})
    ]
    return "\n".join(rows)
