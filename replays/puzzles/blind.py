"""What rules without eyes would solve: always take it, always hold, the middle, chance."""

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import fmean

from replays.puzzles.learner import learnt
from replays.puzzles.puzzle import Kind, Puzzle

Rule = Callable[[Puzzle], float]
"""How sure a rule is of the best move of a puzzle, 0..1."""


def _first(puzzle: Puzzle, *wanted: Kind) -> float:
    """Choose the first move of the first kind that is there; holding always is."""
    kinds = [option.kind for option in puzzle.options]
    kind: Kind = next((one for one in wanted if one in kinds), "hold")
    return float(kinds.index(kind) == puzzle.best)


def _middle(puzzle: Puzzle) -> float:
    prices = [place for place, option in enumerate(puzzle.options) if option.kind == "price"]
    if not prices:
        return _first(puzzle)
    state = puzzle.position()
    bid = state.standing_bid or 0
    middle = (state.standing_ask + bid) / 2

    def away(place: int) -> float:
        return abs((puzzle.options[place].price or 0) - middle)

    return float(min(prices, key=away) == puzzle.best)


def _surest(puzzle: Puzzle) -> float:
    """Take the better of what needs no luck: the standing price, or the neighbour's."""
    sure = [p for p, option in enumerate(puzzle.options) if option.kind in ("accept", "walk")]
    if not sure:
        return _first(puzzle)

    def keeps(place: int) -> float:
        return puzzle.options[place].keeps  # known to the solver: a price less its own limit

    return float(max(sure, key=keeps) == puzzle.best)


BLIND: dict[str, Rule] = {
    "always take it, else hold": lambda one: _first(one, "accept"),
    "always hold": lambda one: _first(one, "hold"),
    "always the price nearest the middle": _middle,
    "always a small step": lambda one: _first(one, "price"),
    "at random": lambda one: 1 / len(one.options),
}
"""Rules that look at nothing but which moves there are."""

RULES: dict[str, Rule] = BLIND | {
    "next door where there is one, else hold": lambda one: _first(one, "walk"),
    "the surest money": _surest,
    "take it in a hurry, else hold": lambda one: _first(one, "accept" if one.leaves else "hold"),
}
"""And rules that look at one thing each."""

LEARNT = "a tree of depth 3 that has seen the other half"


def solved_by(rule: str, puzzles: Sequence[Puzzle]) -> float:
    """Return the share of puzzles that a blind rule solves, 0..1."""
    return fmean(RULES[rule](one) for one in puzzles) if puzzles else 0.0


def blind_table(puzzles: Sequence[Puzzle]) -> str:
    """Return what the blind rules solve, and how many puzzles there are, in Markdown."""
    rows = ["| rule | solves |", "|---|---|"]
    rows += [f"| {name} | {100 * solved_by(name, puzzles):.0f} % |" for name in RULES]
    rows.append(f"| {LEARNT} | {100 * learnt(puzzles):.0f} % |")
    counts = Counter((one.theme, one.seat) for one in puzzles)
    rows += ["", "| theme | you sell | you buy |", "|---|---|---|"]
    rows += [
        f"| {theme} | {counts[theme, 'seller']} | {counts[theme, 'buyer']} |"
        for theme in sorted({one.theme for one in puzzles})
    ]
    return "\n".join(rows)
