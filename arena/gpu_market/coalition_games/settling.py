"""Splits that make the largest complaint small, then the next one, until nothing is left open.

The complaint (excess) of a coalition is its worth less what it gets. Unknown are the shares and a
level that no complaint may pass; see :mod:`arena.gpu_market.coalition_games.simplex`.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

import msgspec

from arena.gpu_market.coalition_games.game import CoalitionGame, sums
from arena.gpu_market.coalition_games.simplex import Row, Vertex, sink


class Settled(msgspec.Struct, frozen=True):
    """A split, and how its complaints were made small."""

    shares: tuple[Fraction, ...]
    levels: tuple[Fraction, ...] = ()
    """The largest complaint, the next one that could still be chosen, and so on."""
    pressing: tuple[tuple[int, Fraction], ...] = ()
    """Masks that keep the largest complaint from being smaller, with weights of the sum 1."""


def settle(
    game: CoalitionGame, *, floors: Sequence[Fraction] = (), stages: int | None = None
) -> Settled:
    """Split the worth of everyone so that sorted complaints are as small as can be.

    In each stage a linear programme finds the lowest possible largest complaint. Coalitions that
    keep it from being lower get exactly that for good; those whose share thereby is decided drop
    out; the next stage looks at the rest.

    Args:
        game: the game.
        floors: least share by player; with them, together at most the worth of everyone.
        stages: how many at most; the split is then one of several. None: to the end.

    Source: Maschler, Peleg and Shapley (1979), Geometric properties of the kernel, nucleolus, and
    related solution concepts, section 6.
    """
    firm = [Row(game.everyone, _ones(game, game.everyone), game.worths[-1], firm=True)]
    vertex, masks = _resting_on(firm), list(range(1, game.everyone))
    done = Settled(tuple(vertex.point[:-1]))
    while len(done.levels) != stages and (masks := _still_open(vertex, masks)):
        stage = _Stage(game, masks, floors)
        stage.start(vertex)
        sink(vertex, stage.broken)
        *shares, level = vertex.point
        pressing = vertex.pressing()
        complaints = tuple((row.key, weight) for row, weight in pressing if row.coefficients[-1])
        done = Settled(tuple(shares), (*done.levels, level), done.pressing or complaints)
        firm += [_made_firm(row, level) for row, _ in pressing]
        vertex = _resting_on(firm)
    return done


class _Stage:
    """The rows of one linear programme."""

    def __init__(
        self, game: CoalitionGame, masks: Sequence[int], floors: Sequence[Fraction]
    ) -> None:
        self.game, self.masks = game, masks
        self.floors = [
            # Below the masks, whose keys start at 1.
            Row(-place, _ones(game, 1 << place), floor)
            for place, floor in enumerate(floors)
        ]
        self.unit = lcm(*(worth.denominator for worth in game.worths))
        self.worths = [int(worth * self.unit) for worth in game.worths]

    def start(self, vertex: Vertex) -> None:
        """Fill the empty places with complaints from which the level cannot sink.

        A coalition and all others together have opposite shares to gain, so that half of each
        complaint holds the level; the rest only fills places.
        """
        first = self.masks[0]
        candidates = iter((first, self.game.everyone - first, *self.masks))
        while None in vertex.rows:
            vertex.fill(self.complaint(next(candidates)))

    def complaint(self, mask: int) -> Row:
        """Say that a coalition's complaint is at most the level."""
        return Row(mask, (*_ones(self.game, mask)[:-1], 1), self.game.worths[mask])

    def broken(self, point: Sequence[Fraction]) -> Row | None:
        """Find the first row that a point breaks."""
        for row in self.floors:
            if point[-row.key] < row.level:
                return row
        # Whole numbers are compared much faster than fractions.
        scale = lcm(*(part.denominator for part in point))
        *shares, level = (int(part * scale) * self.unit for part in point)
        got = sums(shares)
        for mask in self.masks:
            if self.worths[mask] * scale > got[mask] + level:
                return self.complaint(mask)
        return None


def _ones(game: CoalitionGame, mask: int) -> tuple[int, ...]:
    return (*(mask >> place & 1 for place in range(len(game.players))), 0)


def _resting_on(firm: Sequence[Row]) -> Vertex:
    vertex = Vertex(len(firm[0].coefficients))
    for row in firm:
        vertex.fill(row)
    return vertex


def _still_open(vertex: Vertex, masks: Sequence[int]) -> list[int]:
    """Keep the coalitions whose share changes along some edge that is still free."""
    changes = []
    for held, edge in zip(vertex.rows, vertex.edges, strict=True):
        if held is None:
            scale = lcm(*(part.denominator for part in edge))
            changes.append(sums([int(part * scale) for part in edge[:-1]]))
    return [mask for mask in masks if any(change[mask] for change in changes)]


def _made_firm(row: Row, level: Fraction) -> Row:
    *ones, complains = row.coefficients
    return Row(row.key, (*ones, 0), row.level - complains * level, firm=True)
