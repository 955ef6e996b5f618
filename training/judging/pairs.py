"""Pairs for DPO: two games of one policy on each scenario, judged and written at once."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import msgspec

from training.evaluation.playing import source_of
from training.judging.pair_file import PairFile, PairRecord, ScenarioKey, preference_rows, side_of
from training.judging.transcript import (
    BadRequest,
    BrokenPairs,
    Judge,
    NotAGame,
    PlayedGame,
    check_comparable,
    transcript_of,
)

TEMPERATURES = (0.5, 0.9)  # Of the two games of a pair: one careful, one that tries things
BATCH = 32  # Pairs that are played in one call: all their games are generated together
Pair = tuple[ScenarioKey, PlayedGame, PlayedGame]


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
        """Return where the work stands."""
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


class Job(msgspec.Struct, frozen=True):
    """One game to be played: a bargain of a suite under a seed, against its own seller."""

    suite: str
    seed: int
    temperature: float


PlayMany = Callable[[Sequence[Job]], Sequence[PlayedGame]]
"""Plays games side by side with the policy in question; one finished game per job, in order."""


def build_pairs(
    play_many: PlayMany,
    scenarios: Sequence[ScenarioKey],
    judge: Judge,
    path: Path,
    *,
    policy: str,
    earlier: Collection[str] = (),
    temperatures: tuple[float, float] = TEMPERATURES,
    batch: int = BATCH,
    on_pair: Callable[[Progress], None] = lambda _: None,
) -> Progress:
    """Play and judge a pair per scenario; what is in the file already is not judged again.

    Each pair is on the disk before the next one is judged: a kill loses at most one batch of games.

    Args:
        play_many: plays the games of a batch.
        scenarios: suites and seeds, each once.
        judge: compares two games.
        path: the file; it is continued.
        policy: version label of who plays.
        earlier: labels of policies whose pairs may be in the file already; of no others.
        temperatures: of game "a" and game "b".
        batch: pairs that are played in one call, 1 or more.
        on_pair: hears of every pair that is safe.

    Raises:
        BadRequest: the arguments cannot be played; nothing was.
        BrokenPairs: the file is damaged, or of another policy.
        NotAGame, DifferentGames: ``play_many`` gave something else than was asked for.
    """
    _check(scenarios, temperatures, batch)
    file = PairFile(path)
    count = Count(scenarios)
    done = _recovered(file, policy, earlier)
    for record in done:
        count.add(record)
    known = {record.scenario for record in done}
    places = iter(scenarios)
    while keys := list(islice(places, batch)):
        if known.issuperset(keys):
            continue
        # A batch that was cut off is played again as it was: its games are drawn together.
        pairs = (pair for pair in _play(play_many, keys, temperatures) if pair[0] not in known)
        for record in _judged(pairs, judge, policy, temperatures):
            file.append(record)
            count.add(record)
            on_pair(count.progress())
    return count.progress()


def _check(scenarios: Sequence[ScenarioKey], temperatures: tuple[float, float], batch: int) -> None:
    if not scenarios:
        raise BadRequest("Pairs need at least one scenario (a suite's id and a seed).")
    twice = [key for key, times in Counter(scenarios).items() if times > 1]
    if twice:
        raise BadRequest(f"{twice[0].suite}, seed {twice[0].seed}, was asked for twice.")
    for key in scenarios:
        source_of(key.suite)
        if key.seed < 0:
            raise BadRequest(f"A seed is 0 or more, not {key.seed}.")
    if not all(math.isfinite(t) and t >= 0 for t in temperatures):
        raise BadRequest(f"A pair needs two temperatures of 0 or more, not {temperatures}.")
    if batch < 1:
        raise BadRequest(f"A batch holds 1 pair or more, not {batch}.")


def _recovered(file: PairFile, policy: str, earlier: Collection[str]) -> list[PairRecord]:
    records = file.recover()
    others = {record.policy for record in records}.difference({policy}, earlier)
    if others:
        raise BrokenPairs(
            f"{file.path} holds pairs of {min(others)!r}; those of {policy!r} go into a new file."
        )
    return records


def _play(
    play_many: PlayMany, keys: Sequence[ScenarioKey], temperatures: tuple[float, float]
) -> Iterator[Pair]:
    jobs = [Job(key.suite, key.seed, t) for key in keys for t in temperatures]
    games = play_many(jobs)
    if len(games) != len(jobs):
        raise NotAGame(f"{len(jobs)} games were asked for and {len(games)} came back.")
    for place, key in enumerate(keys):
        a, b = games[2 * place], games[2 * place + 1]
        if a.log.scenario.suite != key.suite:
            raise NotAGame(
                f"A game of {key.suite} was asked for and one of {a.log.scenario.suite} came back; "
                "give one game per job, in order."
            )
        yield key, a, b


def _judged(
    pairs: Iterator[Pair], judge: Judge, policy: str, temperatures: tuple[float, float]
) -> Iterator[PairRecord]:
    for key, game_a, game_b in pairs:
        a, b = transcript_of(game_a), transcript_of(game_b)
        check_comparable(a, b)
        verdict = judge(a, b)
        side_a, side_b = side_of(a, temperatures[0]), side_of(b, temperatures[1])
        tags = {"a": side_b.tags, "b": side_a.tags, "tie": ()}[verdict.winner]
        yield PairRecord(
            scenario=key,
            seller=a.scenario.seller,
            policy=policy,
            verdict=verdict,
            tags=tags,
            a=side_a,
            b=side_b,
            rows=preference_rows(game_a, game_b, verdict),
        )
