"""Judging without names: each text goes by a code, a verdict names the code, voices get points.

A code follows from position and text alone: a later voice changes none, a text that two voices
share is judged once, and a verdict on a text that has changed is found out. For the points a
position is the unit: its judges are averaged, and whole positions are resampled for all voices.
"""

import hashlib
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import get_args

import msgspec
import numpy as np

from agents.text.languages import Register
from bazaarbatna.intervals import Interval, interval, ratio, resampled_sums
from bazaarbatna.money import rupees_text
from negotiation.models import id_from
from negotiation.sentences import sentences
from training.receipts.tables import Mark, VoicePosition, VoicesTable, VoiceVerdict

say = sentences(__file__)

PER_SHEET = 20  # Positions of a sheet
CODE_LENGTH = 4
NO_WORDS = "(she says nothing)"

RUBRIC: dict[str, str] = say.texts("rubric")
"""What is marked 0 or 1, in the order of a sheet."""


class BadVerdict(ValueError):
    """A line of a filled sheet that cannot be counted."""


class _Filled(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    code: str
    answers: Mark | None
    true: Mark | None
    natural: Mark | None
    one_language: Mark | None
    go_on: Mark | None


def code_of(position: VoicePosition, text: str) -> str:
    """Name a text of a position without naming who said it."""
    digest = hashlib.sha256(f"{position.seed}:{position.id}:{text}".encode()).digest()
    return id_from(digest)[:CODE_LENGTH]


def texts_of(position: VoicePosition) -> dict[str, str]:
    """List the different texts of a position by code; the order of the codes tells nothing."""
    return dict(sorted((code_of(position, text), text) for text in set(position.texts.values())))


def voices_of(position: VoicePosition, code: str) -> tuple[str, ...]:
    """Name the voices that said the text with this code."""
    return tuple(name for name, text in position.texts.items() if code_of(position, text) == code)


def sheets_in(table: VoicesTable) -> int:
    """Count the sheets of a table."""
    return -(-len(table.rows) // PER_SHEET)


def sheet(table: VoicesTable, number: int) -> Iterator[str]:
    """Write sheet ``number``, from 1: lines to read begin with #, the others are to be filled."""
    rows = table.rows[PER_SHEET * (number - 1) : PER_SHEET * number]
    yield f"# Sheet {number} of {sheets_in(table)}: {rows[0].id} to {rows[-1].id}."
    yield "# Write 1 (yes) or 0 (no) in place of every null. Who wrote what is not told."
    for name, words in RUBRIC.items():
        yield f"#   {name}: {words}"
    for position in rows:
        yield "#"
        yield from (f"# {line}" for line in _told(position))
        for code, text in texts_of(position).items():
            yield f"#   [{code}] {text or NO_WORDS}"
            blank = _Filled(position.id, code, None, None, None, None, None)
            yield msgspec.json.encode(blank).decode()


def read_sheet(table: VoicesTable, text: str, judge: str) -> Iterator[VoiceVerdict]:
    """Read a filled sheet without what was left blank; BadVerdict names the line."""
    known = {position.id: texts_of(position) for position in table.rows}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            told = msgspec.json.decode(line, type=_Filled)
        except msgspec.DecodeError as wrong:
            raise BadVerdict(f"Line {number} is no verdict: {wrong}") from wrong
        if told.code not in known.get(told.id, {}):
            raise BadVerdict(f"Line {number}: {told.id} has no text {told.code!r}; it has changed.")
        marks = [getattr(told, name) for name in RUBRIC]
        if all(mark is None for mark in marks):
            continue
        if any(mark is None for mark in marks):
            raise BadVerdict(f"Line {number} is filled in part; mark all of {', '.join(RUBRIC)}.")
        yield VoiceVerdict(judge=judge, **msgspec.to_builtins(told))


def merged(
    before: Iterable[VoiceVerdict], fresh: Iterable[VoiceVerdict]
) -> tuple[VoiceVerdict, ...]:
    """Join verdicts: a judge's later one on a text takes the place of the earlier."""
    found = {(one.id, one.code, one.judge): one for one in (*before, *fresh)}
    return tuple(found[key] for key in sorted(found))


def _told(position: VoicePosition) -> Iterator[str]:
    thing = position.title or "Something from home"
    *before, line = position.talk
    yield f"{position.id}, {position.language}. {thing}, first asked at {money(position.anchor)}."
    for said in before:
        yield f"{'Sauda' if said.actor == 'buyer' else 'Seller'}: {said.text}"
    yield f"Seller: {line.text}"
    yield f"Now {money(position.ask)} is asked, {money(position.bid)} bid. {deed_of(position)}"


def deed_of(position: VoicePosition) -> str:
    """Return what Sauda plays with her words."""
    match position.move:
        case "talk":
            return say("no_price_was_named_so_she")
        case "accept":
            return say("she_takes_price", price=money(position.ask))
        case "leave":
            return say("she_leaves")
        case "hold":
            return say("she_stays_at_price", price=money(position.bid))
        case _:
            assert position.to is not None
            return say("she_goes_up_to_price", price=money(position.to))


def money(paise: int) -> str:
    """Write a price as people do."""
    return rupees_text(paise / 100, "INR")


assert set(RUBRIC) <= {one.name for one in msgspec.structs.fields(VoiceVerdict)}
assert get_args(Mark) == (0, 1)


DRAWS = "voices"  # The bootstrap's draws follow from this name alone: same verdicts, same interval
EVERY = "all"
LANGUAGES: tuple[Register, ...] = ("english", "hinglish", "hindi")  # In the order of a table

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
    values = np.array([(*row, 1.0) for row in rows], dtype=np.float64)[:, None, :]
    sums = resampled_sums(DRAWS, values)[:, 0]
    for column in range(len(rows[0])):
        found = interval(ratio(sums[:, column], sums[:, -1]))
        assert found is not None
        yield found
