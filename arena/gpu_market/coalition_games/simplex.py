"""Lowest point above a set of rows, in fractions: a linear programme without rounding.

A core that is one single point, or misses by nothing, is the rule in textbooks; a solver that
rounds cannot tell it from an empty one. The programmes here are small: eleven unknowns at most.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

import msgspec


class Row(msgspec.Struct, frozen=True):
    """``coefficients . point >= level``, or ``== level`` when it is firm."""

    key: int
    """Its place among all rows; ties are broken by it."""
    coefficients: tuple[int, ...]
    level: Fraction
    firm: bool = False


class Vertex:
    """A point in which as many rows are tight as there are unknowns.

    Attributes:
        point: one number per unknown; the last one is to be made small.
        rows: the tight rows; None is a place that still holds nothing.
        edges: direction by place, along which only the row of that place is let go.
    """

    def __init__(self, unknowns: int) -> None:
        self.point = [Fraction(0)] * unknowns
        self.rows: list[Row | None] = [None] * unknowns
        self.edges = [[Fraction(i == j) for j in range(unknowns)] for i in range(unknowns)]

    def along(self, row: Row) -> list[Fraction]:
        """Say how fast each edge climbs over a row."""
        return [_dot(row.coefficients, edge) for edge in self.edges]

    def fill(self, row: Row) -> bool:
        """Make a row tight in a place that holds nothing; False when the others imply it."""
        speeds = self.along(row)
        for place, (held, speed) in enumerate(zip(self.rows, speeds, strict=True)):
            if held is None and speed:
                self.swap(place, row, speeds)
                return True
        return False

    def swap(self, place: int, row: Row, speeds: Sequence[Fraction]) -> None:
        """Make a row tight in place of another one, from which ``speeds[place]`` is not 0."""
        gap = row.level - _dot(row.coefficients, self.point)
        edge = [part / speeds[place] for part in self.edges[place]]
        self.point = [at + gap * part for at, part in zip(self.point, edge, strict=True)]
        self.edges = [
            [part - speed * new for part, new in zip(old, edge, strict=True)] if speed else old
            for old, speed in zip(self.edges, speeds, strict=True)
        ]
        self.edges[place] = edge
        self.rows[place] = row

    def pressing(self) -> list[tuple[Row, Fraction]]:
        """List the rows that keep the point from sinking, each with its weight, above 0."""
        return [
            (row, edge[-1])
            for row, edge in zip(self.rows, self.edges, strict=True)
            if row is not None and not row.firm and edge[-1] > 0
        ]


def sink(vertex: Vertex, broken: Callable[[Sequence[Fraction]], Row | None]) -> None:
    """Move to the lowest point that breaks no row.

    The dual simplex method: the point is the lowest above its own tight rows; while it breaks
    another, that one comes in and one goes out, so that the point climbs as little as it must.

    Args:
        vertex: every place holds a row, and no edge of a row that is not firm goes down; changed.
        broken: gives a row that a point breaks, the first one by key, or None. Taking the first
            keeps the walk from going round in a circle (Bland).

    Raises:
        ArithmeticError: no point is above all rows.

    Source: Lemke (1954), The dual method of solving the linear programming problem; Bland (1977),
    New finite pivoting rules for the simplex method.
    """
    while (row := broken(vertex.point)) is not None:
        speeds = vertex.along(row)
        choices = [
            (edge[-1] / speed, held.key, place)
            for place, (held, edge, speed) in enumerate(
                zip(vertex.rows, vertex.edges, speeds, strict=True)
            )
            if held is not None and not held.firm and speed > 0
        ]
        if not choices:
            raise ArithmeticError("No point is above all rows.")
        vertex.swap(min(choices)[2], row, speeds)


def _dot(coefficients: Sequence[int], point: Sequence[Fraction]) -> Fraction:
    return sum((c * part for c, part in zip(coefficients, point, strict=True) if c), Fraction(0))
