"""Which of two policies a judge prefers, over paired games on held-out seeds."""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from negotiation.statistics import Interval, interval, ratio, resampled_sums
from training.judging.transcript import BadRequest, DecidedBy, Judge, Transcript, Verdict

DRAWS = "preference"
"""The bootstrap's draws follow from this name alone: same verdicts, same interval."""


class Preference(msgspec.Struct, frozen=True, kw_only=True):
    """How often the judge preferred the games of one policy to those of another.

    Attributes:
        wins: pairs in which the first policy's game was preferred.
        decided: wins per decided pair, 0..1; None where every pair is a tie.
        halves: the same over all pairs, a tie counting half.
        fallbacks: pairs in which the heuristic stood in for a model.
    """

    games: int
    wins: int
    losses: int
    ties: int
    decided: Interval | None
    halves: Interval
    wins_by: dict[DecidedBy, int]
    losses_by: dict[DecidedBy, int]
    fallbacks: int = 0


def compare(ours: Sequence[Transcript], theirs: Sequence[Transcript], judge: Judge) -> Preference:
    """Judge two policies' games pair by pair.

    Raises:
        BadRequest: there is no pair, or the numbers of games differ.
    """
    if not ours or len(ours) != len(theirs):
        raise BadRequest(
            f"A comparison needs paired games, one or more; got {len(ours)} and {len(theirs)}."
        )
    return summed_up([judge(a, b) for a, b in zip(ours, theirs, strict=True)])


def summed_up(verdicts: Sequence[Verdict]) -> Preference:
    """Sum up verdicts in which "a" is the policy in question; whole pairs are resampled.

    Raises:
        BadRequest: there is no verdict.
    """
    if not verdicts:
        raise BadRequest("A comparison needs at least one verdict.")
    won = np.array([verdict.winner == "a" for verdict in verdicts], dtype=np.float64)
    tied = np.array([verdict.winner == "tie" for verdict in verdicts], dtype=np.float64)
    counts = np.stack([won, 1 - tied, won + tied / 2, np.ones_like(won)], axis=-1)
    sums = resampled_sums(DRAWS, counts[:, None, :])[:, 0]
    halves = interval(ratio(sums[:, 2], sums[:, 3]))
    assert halves is not None
    return Preference(
        games=len(verdicts),
        wins=int(won.sum()),
        losses=int((1 - won - tied).sum()),
        ties=int(tied.sum()),
        decided=interval(ratio(sums[:, 0], sums[:, 1])),
        halves=halves,
        wins_by=_by(one for one in verdicts if one.winner == "a"),
        losses_by=_by(one for one in verdicts if one.winner == "b"),
        fallbacks=sum(bool(verdict.fallback) for verdict in verdicts),
    )


def _by(verdicts: Iterable[Verdict]) -> dict[DecidedBy, int]:
    return dict(Counter(verdict.decided_by for verdict in verdicts).most_common())
