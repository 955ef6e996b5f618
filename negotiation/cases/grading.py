"""At which moves of a finished game points were left, measured with both sheets open.

A package that is offered, or agreed to, leaves to its mover what another one would have brought
that is worth no less to the other side. Leaving leaves what could be agreed to at that moment.
``Worth`` says what there was to be had.
"""

import functools
from collections.abc import Sequence

import msgspec
import numpy as np

from bazaarbatna.cases import play
from bazaarbatna.cases.case import Case, Package, other
from bazaarbatna.cases.packages import grid_of

LEAST = 0.05
"""Points that are shown as one decimal: less is nothing."""


class Graded(msgspec.Struct, frozen=True):
    """A move: ``package`` is what it names or agrees to, ``points`` what that brings both.

    ``left`` points more the mover had with ``better``, which costs the other side nothing.
    """

    seq: int
    seat: str
    action: str
    package: Package
    points: dict[str, float]
    left: float
    better: Package


def graded(case: Case, events: Sequence[play.Event]) -> list[Graded]:
    """Return the moves of a game with whole packages, and its leaving, in order."""
    standing: dict[str, Package] = {}
    found = []
    for seq, event in enumerate(events, start=1):
        if (told := play.move_of(event)) is None:
            continue
        seat, move = told
        theirs = standing.get(other(seat), {})
        package = theirs if move.action in ("accept", "walk") else move.package
        if move.action != "say" and case.is_whole(package):
            found.append(_grade(case, seq, seat, move.action, package))
        if move.action == "offer":
            standing[seat] = move.package
    return found


def better_for(case: Case, seat: str, package: Package) -> Package:
    """Return the best package for a seat of those worth no less to the other side."""
    grid = grid_of(case)
    theirs = grid.points[other(seat)]
    fits = theirs >= theirs[grid.index(package)] - 1e-9
    return grid.package(int(np.argmax(np.where(fits, grid.points[seat], -np.inf))))


def _grade(case: Case, seq: int, seat: str, action: str, package: Package) -> Graded:
    points = {role: case.points(role, package) for role in ("a", "b")}
    if action == "walk":
        left = max(0.0, points[seat] - case.side(seat).outside)
        return Graded(seq, seat, action, package, points, left, package if left else {})
    better = better_for(case, seat, package)
    left = case.points(seat, better) - points[seat]
    if left < LEAST:
        left, better = 0.0, {}
    return Graded(seq, seat, action, package, points, left, better)


def costliest(moves: Sequence[Graded], seat: str) -> Graded | None:
    """Return the own move that left most, the first of equals; None: nothing was left."""
    own = [one for one in moves if one.seat == seat and one.left]
    return max(own, key=lambda one: one.left, default=None)


class Worth(msgspec.Struct, frozen=True):
    """What there is in a case: the greatest sum, the most for each role, the efficient packages."""

    case: Case
    best: float
    most: dict[str, float]
    has_zone: bool
    efficient: frozenset[int]

    def part(self, role: str, points: float) -> float | None:
        """Return points as a part of the way from no deal, 0, to the most, 1; None: no way."""
        outside = self.case.side(role).outside
        if not self.has_zone or self.most[role] <= outside:
            return None
        return (points - outside) / (self.most[role] - outside)


def worth_of(case: Case) -> Worth:
    """Return what there is in a case; the last few are kept."""
    return _worth(msgspec.json.encode(case))


@functools.lru_cache(maxsize=64)
def _worth(told: bytes) -> Worth:
    case = msgspec.json.decode(told, type=Case)
    grid = grid_of(case)
    outside = sum(case.side(role).outside for role in ("a", "b"))
    best = float(grid.joint[grid.best_joint]) if grid.is_better.any() else outside
    most = {
        role: max(map(float, grid.points[role][grid.is_better]), default=0.0) for role in ("a", "b")
    }
    edge = {
        (round(float(grid.points["a"][at]), 6), round(float(grid.points["b"][at]), 6))
        for at in grid.frontier
    }
    pairs = zip(grid.points["a"], grid.points["b"], strict=True)
    efficient = frozenset(
        at for at, (a, b) in enumerate(pairs) if (round(float(a), 6), round(float(b), 6)) in edge
    )
    return Worth(case, best, most, bool(grid.is_better.any()), efficient)
