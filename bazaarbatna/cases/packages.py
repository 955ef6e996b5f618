"""All packages of a case as a grid: frontier, Nash point, joint maximum, what an author is told."""

import functools
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from bazaarbatna.cases.case import ROLES, Case, Package

Floats = NDArray[np.float64]

Kind = Literal["compatible", "integrative", "distributive"]

ALIKE = 0.05
"""Parts of all points that differ by less are called equal."""


class Grid:
    """All packages of a case, in the order of their indices: the last issue runs fastest.

    ``parts[role]`` has each issue's points by value, ``points[role]`` those of every package,
    shape (packages,).
    """

    def __init__(self, case: Case) -> None:
        self.case = case
        self.shape = tuple(len(issue.values) for issue in case.issues)
        self.parts: dict[str, list[Floats]] = {
            role: [np.array(issue.points(role)) for issue in case.issues] for role in ROLES
        }
        self.points: dict[str, Floats] = {role: total(self.parts[role]) for role in ROLES}

    def __len__(self) -> int:
        return len(self.points["a"])

    def package(self, index: int) -> Package:
        """Return the package with an index."""
        at = np.unravel_index(index, self.shape)
        return {
            issue.key: issue.values[int(one)]
            for issue, one in zip(self.case.issues, at, strict=True)
        }

    def index(self, package: Package) -> int:
        """Return the index of a whole package."""
        at = 0
        for issue, size in zip(self.case.issues, self.shape, strict=True):
            at = at * size + list(issue.values).index(package[issue.key])
        return at

    @functools.cached_property
    def joint(self) -> Floats:
        """The sum of both roles' points."""
        return np.round(self.points["a"] + self.points["b"], 6)

    @functools.cached_property
    def is_better(self) -> NDArray[np.bool_]:
        """Which packages give both roles at least what they have without a deal."""
        a, b = (self.points[role] >= self.case.side(role).outside for role in ROLES)
        return np.asarray(a & b)

    @functools.cached_property
    def frontier(self) -> NDArray[np.intp]:
        """Indices of the packages that none beats for both, from a's best to b's best."""
        return frontier(self.points["a"], self.points["b"])

    @functools.cached_property
    def best_joint(self) -> int:
        """The package with the greatest sum, among those better for both where there are any."""
        joint = (
            np.where(self.is_better, self.joint, -np.inf) if self.is_better.any() else self.joint
        )
        return int(np.argmax(joint))

    @functools.cached_property
    def nash(self) -> int | None:
        """The package with the greatest product of gains over no deal (Nash 1950), if any gains."""
        if not self.is_better.any():
            return None
        gains = [np.maximum(self.points[r] - self.case.side(r).outside, 0) for r in ROLES]
        return int(np.argmax(np.where(self.is_better, gains[0] * gains[1], -1)))

    @functools.cached_property
    def even(self) -> int:
        """The package that gives way to both equally on every single issue."""
        at = [
            int(np.argmin(np.abs(part_of_range(a) - part_of_range(b)) - 1e-3 * part_of_range(a)))
            for a, b in zip(self.parts["a"], self.parts["b"], strict=True)
        ]
        return int(np.ravel_multi_index(at, self.shape))

    def kinds(self) -> tuple[Kind, ...]:
        """Return of each issue whether both want the same, can trade it, or only divide it."""
        spans = {role: [float(np.ptp(part)) for part in self.parts[role]] for role in ROLES}
        sums = {role: sum(spans[role]) or 1.0 for role in ROLES}
        found: list[Kind] = []
        for at, (a, b) in enumerate(zip(self.parts["a"], self.parts["b"], strict=True)):
            alike = abs(spans["a"][at] / sums["a"] - spans["b"][at] / sums["b"]) < ALIKE - 1e-9
            straight = np.ptp(a * (spans["b"][at] or 1) + b * (spans["a"][at] or 1))
            if np.any((a == a.max()) & (b == b.max())):
                found.append("compatible")
            elif alike and straight <= ALIKE * (spans["a"][at] * spans["b"][at] or 1):
                found.append("distributive")
            else:
                found.append("integrative")
        return tuple(found)


class Remark(msgspec.Struct, frozen=True):
    """What an author is told; ``figures`` go into the sentence that a page has for the code."""

    code: Literal["no-zone", "equal-points", "nothing-to-find", "to-find"]
    figures: dict[str, Any] = {}


def remarks(case: Case) -> tuple[Remark, ...]:
    """Return what is odd about a case, or how much there is to find in it."""
    grid, found = grid_of(case), []
    flat = [role for role in ROLES if float(np.ptp(grid.points[role])) == 0]
    found += [Remark("equal-points", {"role": role}) for role in flat]
    if not grid.is_better.any():
        return (*found, Remark("no-zone"))
    best, even = (float(grid.joint[at]) for at in (grid.best_joint, grid.even))
    code: Literal["to-find", "nothing-to-find"] = "to-find" if best > even else "nothing-to-find"
    return (*found, Remark(code, {"best": best, "even": even}))


class Trade(msgspec.Struct, frozen=True):
    """Two issues that could have been settled otherwise, to the gain of both."""

    changes: Package
    gains: dict[str, float]


def missed(case: Case, deal: Package) -> Trade | None:
    """Return the change of one or two issues that hurts nobody and adds most to the sum.

    None where the deal leaves nothing of that kind.
    """
    grid = grid_of(case)
    at = grid.index(deal)
    gains = {role: grid.points[role] - grid.points[role][at] for role in ROLES}
    where = np.stack(np.unravel_index(np.arange(len(grid)), grid.shape))
    changed = where != where[:, at : at + 1]
    fits = (changed.sum(axis=0) <= 2) & (gains["a"] >= 0) & (gains["b"] >= 0)
    summed = np.where(fits, gains["a"] + gains["b"], 0)
    best = int(np.argmax(summed))
    if summed[best] < 1e-6:
        return None
    told = grid.package(best)
    return Trade(
        {key: value for key, value in told.items() if value != deal[key]},
        {role: round(float(gains[role][best]), 2) for role in ROLES},
    )


def total(parts: list[Floats]) -> Floats:
    """Add points by issue up to those of every package, shape (packages,)."""
    summed = np.zeros(1)
    for part in parts:
        summed = np.add.outer(summed, part).ravel()
    return np.asarray(np.round(summed, 6))


def frontier(a: Floats, b: Floats) -> NDArray[np.intp]:
    """Return the indices of points that no other beats, from the greatest ``a`` on.

    >>> frontier(np.array([1.0, 2.0, 0.0]), np.array([1.0, 2.0, 3.0])).tolist()
    [1, 2]
    """
    order = np.lexsort((-b, -a))
    best = np.maximum.accumulate(b[order])
    return np.asarray(order[np.concatenate(([True], b[order][1:] > best[:-1]))])


def part_of_range(points: Floats) -> Floats:
    """Scale points to 0..1 of their range; all 0 where they are equal."""
    return np.asarray((points - points.min()) / (float(np.ptp(points)) or 1.0))


def grid_of(case: Case) -> Grid:
    """Return the grid of a case; the last few are kept."""
    return _grid(msgspec.json.encode(case))


@functools.lru_cache(maxsize=64)
def _grid(case: bytes) -> Grid:
    return Grid(msgspec.json.decode(case, type=Case))
