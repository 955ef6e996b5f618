"""How far the building of pairs has come."""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from training.judging.pair_file import PairRecord, ScenarioKey


class Progress(msgspec.Struct, frozen=True):
    """Where the work stands: pairs of ``total`` that are in the file, rows that they gave."""

    done: int
    total: int
    rows: int
    winners: dict[str, int]
    """How often "a", "b" and "tie" came out."""

    decided_by: dict[str, int]
    """What told the games apart, by name."""

    fallbacks: int = 0
    """Pairs in which the heuristic stood in for a model."""

    @property
    def complete(self) -> bool:
        """All pairs are in the file."""
        return self.done == self.total


class Count:
    """Counts the pairs of the scenarios that were asked for."""

    def __init__(self, scenarios: Iterable[ScenarioKey]) -> None:
        self._wanted = frozenset(scenarios)
        self._done = self._rows = self._fallbacks = 0
        self._winners: Counter[str] = Counter()
        self._decided_by: Counter[str] = Counter()

    def add(self, record: PairRecord) -> None:
        """Count a pair; one of another scenario is passed over."""
        if record.scenario not in self._wanted:
            return
        self._done += 1
        self._rows += len(record.rows)
        self._winners[record.verdict.winner] += 1
        self._decided_by[record.verdict.decided_by] += 1
        self._fallbacks += bool(record.verdict.fallback)

    def progress(self) -> Progress:
        """Say where the work stands."""
        return Progress(
            done=self._done,
            total=len(self._wanted),
            rows=self._rows,
            winners=dict(self._winners),
            decided_by=dict(self._decided_by),
            fallbacks=self._fallbacks,
        )


def together(parts: Sequence[Progress]) -> Progress:
    """Add up how far several buildings of pairs have come."""
    winners, decided_by = Counter[str](), Counter[str]()
    for part in parts:
        winners.update(part.winners)
        decided_by.update(part.decided_by)
    return Progress(
        done=sum(part.done for part in parts),
        total=sum(part.total for part in parts),
        rows=sum(part.rows for part in parts),
        winners=dict(winners),
        decided_by=dict(decided_by),
        fallbacks=sum(part.fallbacks for part in parts),
    )
