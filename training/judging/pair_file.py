"""The file of judged pairs: one JSON line each, safe on disk before the next pair is judged."""

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from negotiation.engine.events import OfferAccepted, OfferMade
from negotiation.engine.quantities import Side
from training.judging.errors import BrokenPairs
from training.judging.failures import failure_tags
from training.judging.rows import PreferenceRow
from training.judging.speech import speech_score
from training.judging.transcript import Spoken, Transcript
from training.judging.verdict import Verdict

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
