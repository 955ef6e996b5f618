"""The file of judged pairs: one JSON line each, and the rows that DPO trains on."""

import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec

from negotiation.engine.events import OfferAccepted, OfferMade
from negotiation.engine.quantities import Side
from training.judging.errors import BrokenPairs
from training.judging.failures import failure_tags
from training.judging.rows import PreferenceRow, ground, settled
from training.judging.speech import speech_score
from training.judging.transcript import DecidedBy, Spoken, Transcript, Verdict

FORMAT = "pair@1"
DECIMALS = 4


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
        """Cut off the half line of a killed writer, and read the rest.

        Raises:
            BrokenPairs: a whole line is no pair, or a scenario is there twice.
        """
        if not self.path.exists():
            return []
        records = list(self.records())
        whole = sum(len(line) for line in self._lines())
        os.truncate(self.path, whole)
        return records

    def records(self) -> Iterator[PairRecord]:
        """Read all whole lines; the half line of a killed writer is left out.

        Raises:
            BrokenPairs: a whole line is no pair, or a scenario is there twice.
        """
        seen = set()
        for number, line in enumerate(self._lines(), start=1):
            record = self._record(line, number)
            if record.scenario in seen:
                raise BrokenPairs(
                    f"{self.path}, line {number}: {record.scenario.suite}, seed "
                    f"{record.scenario.seed}, is there twice. Delete one of the lines."
                )
            seen.add(record.scenario)
            yield record

    def append(self, record: PairRecord) -> None:
        """Write a pair and wait until it is on the disk.

        Raises:
            OSError: not all of it could be written.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        left = msgspec.json.encode(record) + b"\n"
        with self.path.open("ab", buffering=0) as file:
            while left:
                left = left[file.write(left) :]
            os.fsync(file.fileno())

    def _lines(self) -> Iterator[bytes]:
        with self.path.open("rb") as file:
            yield from (line for line in file if line.endswith(b"\n"))

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


EVERY_GROUND: frozenset[DecidedBy] = frozenset(get_args(DecidedBy))


def load_rows(
    path: Path, *, policy: str | None = None, decided_by: Collection[DecidedBy] | None = None
) -> list[dict[str, Any]]:
    """Read the rows that DPO trains on, each preference once.

    A turn counts where it can have to do with the verdict (``rows.ground``); preferences that
    contradict each other cancel out (``rows.settled``). The order of the file does not matter.

    Args:
        path: the file.
        policy: take only what this version has played; all when missing.
        decided_by: take only what is preferred for these; all when missing.

    Returns:
        ``{"prompt": [{"role", "content"}, ...], "chosen": text, "rejected": text}`` each.

    Raises:
        BrokenPairs: there is no such file, or it is damaged.
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
