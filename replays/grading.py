"""Grade every move of a finished game: what it lost, in expected share, against a better one.

1. Candidates: the played move and its alternatives in the position before it.
2. Each is played on to the end with the same luck (paired): the opponent that was really there,
   and the mover's own way of playing.
3. The field is narrowed on some of the luck; the loss is measured on other luck, so that the best
   of many noisy means does not look better than it is. What is within the noise is no loss.
"""

import hashlib
import math
from collections.abc import Sequence
from statistics import fmean, stdev

import msgspec

from negotiation.engine.moves import Move, Offer
from negotiation.engine.quantities import Paise, Side
from replays.accuracy import HALVING_LOSS
from replays.continuation import Crossroads, move_of
from replays.grade_candidates import AROUND, GRID, LOWEST_OPENING, candidates, offers
from replays.grade_words import WORDS
from replays.recorded import Record


class Effort(msgspec.Struct, frozen=True):
    """How much is tried for one move. Counts of paired continuations, and of candidates kept."""

    first: int = 6
    kept: int = 5
    second: int = 18
    measured: int = 60
    noise: float = 2.0
    """A difference below this many standard errors is no loss."""


EFFORT = Effort()
NUMBER = 1
"""Raise when the method changes in what its parameters do not say."""


class LineMove(msgspec.Struct, frozen=True):
    """One move of a line. Price in rupees is that of an offer or of the price taken."""

    actor: Side
    kind: str
    price: Paise | None


class GradedMove(msgspec.Struct, frozen=True):
    """One move and what it was worth to the side that made it.

    Shares are expected ones, 0..1 of the zone; ``best`` and ``line`` are what would have been
    better, None and empty where nothing was. ``stake``: the most that hung on this move.
    """

    seq: int
    actor: Side
    played: float
    loss: float
    stake: float
    best: LineMove | None = None
    line: tuple[LineMove, ...] = ()


def method(effort: Effort = EFFORT) -> str:
    """Name the method with its parameters: grades of different names are not compared."""
    numbers = (effort, GRID, AROUND, LOWEST_OPENING, HALVING_LOSS, WORDS)
    found = hashlib.sha256(msgspec.json.encode(numbers, order="sorted")).hexdigest()
    return f"grades@{NUMBER}#{found[:12]}"


def grade(record: Record, effort: Effort = EFFORT) -> tuple[GradedMove, ...]:
    """Grade all moves of both sides of a finished game.

    Args:
        record: the game, its sealed values included.
        effort: how much is tried.

    Returns:
        One grade per offer, acceptance and walk, in order. The same game gives the same grades.
    """
    return tuple(
        _Turn(Crossroads(record, seq), effort).graded()
        for seq, event in enumerate(record.events, start=1)
        if move_of(event) is not None
    )


class _Turn:
    """The search for a better move in one position."""

    def __init__(self, at: Crossroads, effort: Effort) -> None:
        self.at, self.effort = at, effort
        self.seq, self.state, self.side = at.seq, at.state, at.side
        self.moves = candidates(at.state, at.made)
        self.shares: dict[Move, list[float]] = {}

    def graded(self) -> GradedMove:
        """Search on some luck, measure on other luck."""
        played, effort = self.moves[0], self.effort
        if self.state.scenario.zopa <= 0:
            return GradedMove(self.seq, self.side, 0.0, 0.0, 0.0)
        best = self._search()
        first = 1 + effort.first + effort.second
        luck = range(first, first + effort.measured)
        mine = [self._share(played, number) for number in luck]
        theirs = mine if best == played else [self._share(best, number) for number in luck]
        loss = significant([b - a for a, b in zip(mine, theirs, strict=True)], effort.noise)
        means = [fmean(shares) for shares in self.shares.values()]
        stake = max(means) - min(means)
        graded = GradedMove(self.seq, self.side, fmean(mine), loss, stake)
        if not loss:
            return graded
        line = self._line(best)
        return msgspec.structs.replace(graded, best=line[0], line=line)

    def _search(self) -> Move:
        effort = self.effort
        self._try(self.moves, 1, effort.first)
        leaders = self._leaders(self.moves)
        near = self._beside(leaders[0])
        self._try(near, 1, effort.first)
        finalists = self._leaders((*self.moves, *near))
        self._try(finalists, 1 + effort.first, effort.second)
        return self._leaders(finalists)[0]

    def _try(self, moves: Sequence[Move], first: int, count: int) -> None:
        for move in moves:
            tried = self.shares.setdefault(move, [])
            tried += [self._share(move, number) for number in range(first, first + count)]

    def _leaders(self, moves: Sequence[Move]) -> list[Move]:
        # sorted() is stable: of equals the played move, which comes first, wins.
        ranked = sorted(moves, key=lambda move: -fmean(self.shares[move]))
        return ranked[: self.effort.kept]

    def _beside(self, leader: Move) -> list[Move]:
        """Look closer around the leading price: halfway to its neighbours."""
        if not isinstance(leader, Offer):
            return []
        prices = sorted(move.price for move in self.moves if isinstance(move, Offer))
        at = prices.index(leader.price)
        halfway = [
            (leader.price + other) / 2 for other in (*prices[at - 1 : at], *prices[at + 1 : at + 2])
        ]
        return [
            move for move in dict.fromkeys(offers(self.state, halfway)) if move not in self.moves
        ]

    def _share(self, move: Move, luck: int) -> float:
        """Give what the mover gets at the end, 0..1; nothing without a deal."""
        ended = self.at.rollout(move, luck).ended
        assert ended is not None
        return ended.buyer_share if self.side == "buyer" else ended.seller_share

    def _line(self, move: Move) -> tuple[LineMove, ...]:
        """Play a move on with the luck of the game itself."""
        turns = self.at.rollout(move, 0).turns[len(self.state.turns) :]
        return tuple(LineMove(turn.actor, turn.kind, turn.price) for turn in turns)


def significant(differences: Sequence[float], noise: float) -> float:
    """Give the mean of paired differences, or 0 where it could be chance.

    Args:
        differences: of paired continuations, at least two.
        noise: how many standard errors count as chance.

    >>> significant([0.2, 0.2, 0.2], 2.0), significant([0.4, -0.3, 0.0], 2.0)
    (0.2, 0.0)
    """
    mean = fmean(differences)
    error = stdev(differences) / math.sqrt(len(differences))
    return mean if mean > max(noise * error, 1e-9) else 0.0
