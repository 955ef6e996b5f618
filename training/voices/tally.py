"""What the judges thought, by language: points of each voice, and which of two was the better.

A position is the unit: its judges are averaged first, and whole positions are resampled, the same
draws for all voices.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import msgspec
import numpy as np

from agents.text.languages import Register
from negotiation.statistics import Interval, interval, ratio, resampled_sums
from training.receipts.tables import VoicePosition, VoicesTable, VoiceVerdict
from training.voices.sheets import RUBRIC, code_of

DRAWS = "voices"
"""The bootstrap's draws follow from this name alone: same verdicts, same interval."""
EVERY = "all"
LANGUAGES: tuple[Register, ...] = ("english", "hinglish", "hindi")
"""In the order of a table."""

Marks = Mapping[str, tuple[float, ...]]
"""Voice -> the share of judges who said yes, 0..1, for each question of the rubric."""


class VoiceTally(msgspec.Struct, frozen=True, kw_only=True):
    """One voice in one language: ``points`` of all questions, 0..1, and each question alone."""

    voice: str
    positions: int
    points: Interval
    questions: dict[str, Interval]


class PairTally(msgspec.Struct, frozen=True, kw_only=True):
    """Two voices: ``better`` is how often ``voice`` had more points; equal points count half."""

    voice: str
    than: str
    positions: int
    better: Interval


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """A language, or all of them under the name ``EVERY``."""

    language: str
    judges: int
    voices: tuple[VoiceTally, ...]
    pairs: tuple[PairTally, ...]


def tallies(table: VoicesTable, verdicts: Sequence[VoiceVerdict]) -> tuple[Tally, ...]:
    """Count all languages together, then each; nothing for those that nobody has judged."""
    marked = {one.id: marks for one in table.rows if (marks := marks_of(one, verdicts))}
    names = list(dict.fromkeys(name for one in table.rows for name in one.texts))
    languages = sorted({one.language for one in table.rows}, key=LANGUAGES.index)
    found = []
    for language in (EVERY, *languages):
        ids = {one.id for one in table.rows if language in (EVERY, one.language)} & set(marked)
        if ids:
            judges = {one.judge for one in verdicts if one.id in ids}
            some = [marked[one] for one in sorted(ids)]
            found.append(
                Tally(
                    language=language,
                    judges=len(judges),
                    voices=tuple(_voices(names, some)),
                    pairs=tuple(_pairs(names, some)),
                )
            )
    return tuple(found)


def marks_of(position: VoicePosition, verdicts: Sequence[VoiceVerdict]) -> Marks:
    """Average the judges of a position for every voice that they have judged in it."""
    by_code: dict[str, list[list[int]]] = defaultdict(list)
    for one in verdicts:
        if one.id == position.id:
            by_code[one.code].append([getattr(one, name) for name in RUBRIC])
    found = {}
    for name, text in position.texts.items():
        if given := by_code.get(code_of(position, text)):
            found[name] = tuple(sum(marks) / len(given) for marks in zip(*given, strict=True))
    return found


def _voices(names: Sequence[str], marked: Sequence[Marks]) -> Iterator[VoiceTally]:
    for name in names:
        rows = [marks[name] for marks in marked if name in marks]
        if not rows:
            continue
        points, *questions = _means([(sum(row) / len(row), *row) for row in rows])
        yield VoiceTally(
            voice=name,
            positions=len(rows),
            points=points,
            questions=dict(zip(RUBRIC, questions, strict=True)),
        )


def _pairs(names: Sequence[str], marked: Sequence[Marks]) -> Iterator[PairTally]:
    for than, voice in itertools.combinations(names, 2):
        rows = [
            (_better(marks[voice], marks[than]),)
            for marks in marked
            if voice in marks and than in marks
        ]
        if rows:
            (better,) = _means(rows)
            yield PairTally(voice=voice, than=than, positions=len(rows), better=better)


def _better(ours: Sequence[float], theirs: Sequence[float]) -> float:
    gap = round(sum(ours) - sum(theirs), 9)
    return 0.5 if gap == 0 else float(gap > 0)


def _means(rows: Sequence[tuple[float, ...]]) -> Iterator[Interval]:
    """Average the columns over positions, with 95 % intervals."""
    values = np.array([(*row, 1.0) for row in rows], dtype=np.float64)[:, None, :]
    sums = resampled_sums(DRAWS, values)[:, 0]
    for column in range(len(rows[0])):
        found = interval(ratio(sums[:, column], sums[:, -1]))
        assert found is not None
        yield found
