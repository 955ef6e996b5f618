"""Who is likely to get it: a belief made of what everybody may know, and of nothing that is sealed.

A buyer's score is a sum of weights: how its policy has fared before, what it signalled, and, where
bids are open, how they compare. Those who are still there share 1 in proportion to the exponent of
their scores. ``python -m tests.benchmarks.match_odds --write`` makes the weights and measures them
on matches that they were not made of.
"""

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from bazaarbatna.word_tables import read_table

FEWEST = 1e-3
"""Of the ask, where nobody bid: so that there is a logarithm."""


UNREAD = frozenset({"person"})
"""Whose signs mean nothing that was measured."""


class Shown(msgspec.Struct, frozen=True):
    """One buyer as everybody sees it after a round.

    ``bid`` in any unit of money, None without one or where bids are sealed; ``sign`` as claimed.
    """

    policy: str
    present: bool = True
    bid: float | None = None
    sign: str | None = None


class Table(msgspec.Struct, frozen=True):
    """A match as everybody sees it after ``round`` rounds (0: before the first).

    ``at_once``: it looks like one that a person began at once, whose luck was made fair.
    """

    round: int
    max_rounds: int
    ask: float
    buyers: tuple[Shown, ...]
    sealed: bool
    at_once: bool = False


class Measured(msgspec.Struct, frozen=True):
    """Brier scores, 0 (always sure and right) to 2, of the model and of simpler ones."""

    model: float
    everybody: float
    still_there: float
    favourite: float


class Weights(msgspec.Struct, frozen=True):
    """What a fit has found, for tables with sealed bids and with open ones.

    ``brier_at_once`` is of that part of the sealed ones that a person began at once.
    """

    version: str
    fitted_on: int
    measured_on: int
    sealed: dict[str, float]
    open: dict[str, float]
    brier_sealed: Measured
    brier_open: Measured
    brier_at_once: Measured

    def measured(self, table: Table) -> Measured:
        """Return how good the odds are at tables of this kind."""
        if table.at_once:
            return self.brier_at_once
        return self.brier_sealed if table.sealed else self.brier_open


@functools.cache
def weights() -> Weights:
    """Return the shipped weights."""
    return read_table(Path(__file__).with_name("odds.toml"), Weights)


def odds(table: Table, given: Mapping[str, float] | None = None) -> tuple[float, ...]:
    """Return each buyer's chance 0..1 to get it if anybody does; who has left has none.

    >>> odds(Table(0, 12, 100.0, (Shown("a"), Shown("b"), Shown("c", present=False)), True), {})
    (0.5, 0.5, 0.0)
    """
    found = given
    if found is None:
        found = weights().sealed if table.sealed else weights().open
    scores = [
        sum(found.get(name, 0.0) * value for name, value in features(table, seat))
        for seat in range(len(table.buyers))
    ]
    there = [seat for seat, shown in enumerate(table.buyers) if shown.present]
    if not there:
        return (0.0,) * len(table.buyers)
    top = max(scores[seat] for seat in there)
    parts = [
        math.exp(score - top) if table.buyers[seat].present else 0.0
        for seat, score in enumerate(scores)
    ]
    total = sum(parts)
    return tuple(part / total for part in parts)


def features(table: Table, seat: int) -> Iterator[tuple[str, float]]:
    """Yield the named numbers of a buyer that the weights are for."""
    shown = table.buyers[seat]
    late = table.round / table.max_rounds
    yield f"is {shown.policy}", 1.0
    yield f"is {shown.policy}, later", late
    if table.at_once:
        yield f"is {shown.policy}, at once", 1.0
        yield f"is {shown.policy}, at once, later", late
    if table.round and shown.policy not in UNREAD:
        # The first sign is a greeting; later ones answer how the round went.
        when = "opens with" if table.round == 1 else "signs"
        yield f"{shown.policy} {when} {shown.sign or 'nothing'}", 1.0
        yield f"{shown.policy} {when} {shown.sign or 'nothing'}, later", late
    if table.sealed or not table.round:
        return
    best = max((one.bid or 0.0 for one in table.buyers if one.present), default=0.0)
    reach = math.log(max(shown.bid or 0.0, FEWEST * table.ask) / table.ask)
    yield "reach", reach
    yield "reach, later", late * reach
    if best:
        behind = math.log(max(shown.bid or 0.0, FEWEST * table.ask) / best)
        yield "behind", max(behind, -1.0)
        yield "behind, later", late * max(behind, -1.0)
    if shown.bid and shown.bid == best:
        yield "in front", 1.0
        yield "in front, later", late


def percents(chances: Sequence[float]) -> tuple[int, ...]:
    """Return chances as whole percents that add to 100 where the chances add to 1.

    >>> percents((0.335, 0.335, 0.33))
    (34, 33, 33)
    """
    whole = [math.floor(100 * chance) for chance in chances]
    missing = round(sum(100 * chance for chance in chances)) - sum(whole)
    by_rest = sorted(range(len(chances)), key=lambda at: whole[at] - 100 * chances[at])
    for at in by_rest[:missing]:
        whole[at] += 1
    return tuple(whole)
