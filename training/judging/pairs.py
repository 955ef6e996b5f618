"""Pairs for DPO: two games of one policy on each scenario, judged and written at once."""

import math
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from agents.backends.base import Message
from bazaarbatna.bargain.events import OfferAccepted, OfferMade
from bazaarbatna.bargain.moves import Move, Offer
from bazaarbatna.bargain.quantities import Side
from training.disk import append, whole_lines
from training.evaluation.playing import source_of
from training.judging.heuristic import failure_tags
from training.judging.speech import line_worths, speech_score
from training.judging.transcript import (
    HEURISTIC,
    BadRequest,
    BrokenPairs,
    DecidedBy,
    Judge,
    NotAGame,
    PlayedGame,
    PlayedTurn,
    Spoken,
    Transcript,
    Verdict,
    check_comparable,
    transcript_of,
)

DECIMALS = 4

Differs = Literal["move", "words"]
"""What two answers differ in: the move that was played, or only what was said with it."""

FORMAT = "pair@1"
EVERY_GROUND: frozenset[DecidedBy] = frozenset(get_args(DecidedBy))


class PreferenceRow(msgspec.Struct, frozen=True):
    """One answer preferred to another on the same prompt; ``words``: how much better, -1..1."""

    prompt: tuple[Message, ...]
    chosen: str
    rejected: str
    differs: Differs = "move"
    words: float = 0.0


def preference_rows(a: PlayedGame, b: PlayedGame, verdict: Verdict) -> tuple[PreferenceRow, ...]:
    """Compare two judged games turn by turn until their prompts differ; the winner's is chosen.

    Where rules judged, of two lines with the same move the better one is, whoever won: a pinned
    seller hears prices only. What was said in no valid way is not preferred to anything.
    """
    rows = []
    for one, other in zip(_answers(a), _answers(b), strict=False):
        if one.turn.prompt != other.turn.prompt:
            break
        lead = _lead(one, other, verdict)
        better, worse = (one, other) if lead > 0 else (other, one)
        if lead and better.turn.valid and better.turn.completion != worse.turn.completion:
            rows.append(_row(better, worse))
    return tuple(rows)


def ground(row: PreferenceRow, decided_by: DecidedBy) -> DecidedBy | None:
    """Name what an answer is preferred for; None where it has nothing to do with the verdict.

    A price is decided by moves, words by being worth more. What moved a model is not known.
    """
    if decided_by == "model":
        return decided_by
    if row.differs == "words" or decided_by == "words":
        return "words" if row.words > 0 else None
    return decided_by


def settled(rows: Iterable[PreferenceRow]) -> list[PreferenceRow]:
    """Keep each preference once, in order, and none that is contradicted as often as it is held."""
    held = list(rows)
    votes = Counter((row.prompt, row.chosen, row.rejected) for row in held)
    kept: dict[tuple[object, ...], PreferenceRow] = {}
    for row in held:
        ahead = votes[row.prompt, row.chosen, row.rejected]
        if ahead > votes[row.prompt, row.rejected, row.chosen]:
            kept.setdefault((row.prompt, row.chosen, row.rejected), row)
    return list(kept.values())


class _Answer(msgspec.Struct, frozen=True):
    turn: PlayedTurn
    move: Move
    worth: float


def _lead(one: _Answer, other: _Answer, verdict: Verdict) -> float:
    # By how much the answer of "a" is ahead; negative: that of "b", 0: neither.
    if verdict.judge == HEURISTIC and _same(one.move, other.move):
        return one.worth - other.worth
    return {"a": 1.0, "b": -1.0, "tie": 0.0}[verdict.winner]


def _answers(game: PlayedGame) -> list[_Answer]:
    transcript = transcript_of(game)
    begun = len(transcript.turns) - len(game.turns)
    moved, worths = transcript.turns[begun:], line_worths(transcript)[begun:]
    played = zip(game.turns, moved, worths, strict=True)
    return [_Answer(turn, after.move, worth) for turn, after, worth in played]


def _row(better: _Answer, worse: _Answer) -> PreferenceRow:
    return PreferenceRow(
        better.turn.prompt,
        better.turn.completion,
        worse.turn.completion,
        "words" if _same(better.move, worse.move) else "move",
        round(better.worth - worse.worth, DECIMALS),
    )


def _same(one: Move, other: Move) -> bool:
    if isinstance(one, Offer) and isinstance(other, Offer):
        return one.price == other.price
    return type(one) is type(other)


class ScenarioKey(msgspec.Struct, frozen=True, order=True):
    """A bargain of a suite under a seed, against the suite's seller."""

    suite: str
    seed: int


class SpokenLine(msgspec.Struct, frozen=True):
    """One move or message; ``price`` in paise, None for a walk and for mere words."""

    actor: Side
    round: int
    kind: str
    price: int | None
    text: str


class PlayedSide(msgspec.Struct, frozen=True):
    """One of the two games: how it was sampled, how it went, and what was wrong with it."""

    temperature: float
    outcome: str
    price: int | None
    surplus: float
    rounds: int
    invalid: int
    words: float
    tags: tuple[str, ...]
    moves: tuple[SpokenLine, ...]


class PairRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the file. ``tags`` are the failures of the game that lost, none in a tie."""

    format: str = FORMAT
    scenario: ScenarioKey
    seller: str
    policy: str
    verdict: Verdict
    tags: tuple[str, ...]
    a: PlayedSide
    b: PlayedSide
    rows: tuple[PreferenceRow, ...]


def side_of(transcript: Transcript, temperature: float) -> PlayedSide:
    """Sum a game up for the file."""
    return PlayedSide(
        temperature=temperature,
        outcome=transcript.ended.outcome,
        price=transcript.ended.price,
        surplus=round(transcript.surplus, DECIMALS),
        rounds=transcript.ended.round,
        invalid=transcript.invalid,
        words=round(speech_score(transcript), DECIMALS),
        tags=failure_tags(transcript),
        moves=tuple(_line(event) for event in transcript.spoken),
    )


class PairFile:
    """A file with one writer. What was written is on the disk when ``append`` returns."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def recover(self) -> list[PairRecord]:
        """Cut off the half line of a killed writer, and read the rest."""
        if not self.path.exists():
            return []
        records = list(self.records())
        whole = sum(len(line) for line in whole_lines(self.path))
        os.truncate(self.path, whole)
        return records

    def records(self) -> Iterator[PairRecord]:
        """Read all whole lines; the half line of a killed writer is left out.

        BrokenPairs: a whole line is no pair, or a scenario is there twice.
        """
        seen = set()
        for number, line in enumerate(whole_lines(self.path), start=1):
            record = self._record(line, number)
            if record.scenario in seen:
                raise BrokenPairs(
                    f"{self.path}, line {number}: {record.scenario.suite}, seed "
                    f"{record.scenario.seed}, is there twice. Delete one of the lines."
                )
            seen.add(record.scenario)
            yield record

    def append(self, record: PairRecord) -> None:
        """Write a pair and wait until it is on the disk."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        append(self.path, msgspec.json.encode(record) + b"\n")

    def _record(self, line: bytes, number: int) -> PairRecord:
        try:
            record = msgspec.json.decode(line, type=PairRecord)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise BrokenPairs(
                f"{self.path}, line {number} is no pair ({error}). Delete it, then resume."
            ) from error
        if record.format != FORMAT:
            raise BrokenPairs(
                f"{self.path}, line {number} has the format {record.format[:40]!r}; this version "
                f"reads {FORMAT!r}. Start a new file."
            )
        return record


def _line(event: Spoken) -> SpokenLine:
    kind: str = event.__struct_config__.tag  # type: ignore[assignment]  # events have text tags
    price = event.price if isinstance(event, OfferMade | OfferAccepted) else None
    return SpokenLine(event.actor, event.round, kind, price, event.text)


def load_rows(
    path: Path, *, policy: str | None = None, decided_by: Collection[DecidedBy] | None = None
) -> list[dict[str, Any]]:
    """Read the rows that DPO trains on, each preference once, whatever the order of the file.

    A turn counts where it can have to do with the verdict (``ground``); contradictions cancel out
    (``settled``). ``policy`` and ``decided_by`` take only what one version played, or what was
    preferred for these. BrokenPairs: there is no such file, or it is damaged.

    Returns:
        ``{"prompt": [{"role", "content"}, ...], "chosen": text, "rejected": text}`` each.
    """
    if not path.is_file():
        raise BrokenPairs(f"There are no pairs at {path}; build them first.")
    records = sorted(PairFile(path).records(), key=lambda record: record.scenario)
    grounds = EVERY_GROUND if decided_by is None else frozenset(decided_by)
    rows = [
        row
        for record in records
        if policy in (None, record.policy)
        for row in record.rows
        if ground(row, record.verdict.decided_by) in grounds
    ]
    return [
        {
            "prompt": msgspec.to_builtins(row.prompt),
            "chosen": row.chosen,
            "rejected": row.rejected,
        }
        for row in settled(rows)
    ]


TEMPERATURES = (0.5, 0.9)  # Of the two games of a pair: one careful, one that tries things
BATCH = 32  # Pairs that are played in one call: all their games are generated together
Pair = tuple[ScenarioKey, PlayedGame, PlayedGame]


class Progress(msgspec.Struct, frozen=True):
    """Where the work stands: pairs of ``total`` that are in the file, rows that they gave.

    Several add up. ``winners`` says how often "a", "b" and "tie" came out, ``decided_by`` what told
    the games apart; in ``fallbacks`` pairs the heuristic stood in for a model.
    """

    done: int = 0
    total: int = 0
    rows: int = 0
    winners: dict[str, int] = {}
    decided_by: dict[str, int] = {}
    fallbacks: int = 0

    def __add__(self, other: "Progress") -> "Progress":
        return Progress(
            self.done + other.done,
            self.total + other.total,
            self.rows + other.rows,
            dict(Counter(self.winners) + Counter(other.winners)),
            dict(Counter(self.decided_by) + Counter(other.decided_by)),
            self.fallbacks + other.fallbacks,
        )

    @property
    def complete(self) -> bool:
        """All pairs are in the file."""
        return self.done == self.total


def _counted(record: PairRecord) -> Progress:
    told = record.verdict
    return Progress(
        1, 0, len(record.rows), {told.winner: 1}, {told.decided_by: 1}, bool(told.fallback)
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
    done = _recovered(file, policy, earlier)
    known = {record.scenario for record in done}
    wanted = frozenset(scenarios)
    counted = (_counted(record) for record in done if record.scenario in wanted)
    progress = sum(counted, Progress(total=len(scenarios)))
    places = iter(scenarios)
    while keys := list(islice(places, batch)):
        if known.issuperset(keys):
            continue
        # A batch that was cut off is played again as it was: its games are drawn together.
        pairs = (pair for pair in _play(play_many, keys, temperatures) if pair[0] not in known)
        for record in _judged(pairs, judge, policy, temperatures):
            file.append(record)
            progress += _counted(record)
            on_pair(progress)
    return progress


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
