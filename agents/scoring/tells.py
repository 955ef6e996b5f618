"""How often the tells reader notices what a person notices."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from statistics import mean

import msgspec

from agents.backends.base import Chat
from agents.buyers.model_tells import Ask, ask_for_spans, merge, silent
from agents.scoring.labelled import SIGNALS, TellsLine
from agents.text.tells.reader import read_tells
from agents.text.tells.words import SignalName
from negotiation.engine.tells import TellSpan
from negotiation.readers import Reading, SaleContext

Noticing = Callable[[str], frozenset[SignalName]]

SHOWN = 0.4
"""From this level on (0..1) urgency, deception and escalation count as noticed."""

FIRM = 0.7
"""From this level on (0..1) confidence counts as noticed: 0.5 is a calm voice."""

_NOBODY = SaleContext((), (), ())


class SignalScore(msgspec.Struct, frozen=True):
    """Counts of one signal: rightly seen, wrongly seen, overlooked."""

    hits: int
    false: int
    missed: int

    @property
    def precision(self) -> float:
        """Share of what was noticed that is there, 0..1."""
        return share(self.hits, self.hits + self.false)

    @property
    def recall(self) -> float:
        """Share of what is there that was noticed, 0..1."""
        return share(self.hits, self.hits + self.missed)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, 0..1."""
        return share(2 * self.hits, 2 * self.hits + self.false + self.missed)


class TellsMiss(msgspec.Struct, frozen=True):
    """A line in which the reader notices other signals than a person."""

    line: TellsLine
    noticed: frozenset[SignalName]


class TellsScore(msgspec.Struct, frozen=True):
    """Scores of all signals; ``negations_fired`` of ``negations`` showed a signal they deny."""

    lines: int
    signals: dict[SignalName, SignalScore]
    negations: int
    negations_fired: int
    misses: tuple[TellsMiss, ...]

    @property
    def macro_f1(self) -> float:
        """Mean of the F1 of the five signals, 0..1."""
        return mean(score.f1 for score in self.signals.values())


def noticed_in(reading: Reading) -> frozenset[SignalName]:
    """Return which signals a reading shows a player."""
    tells = reading.tells
    shown: dict[SignalName, bool] = {
        "urgency": (tells.verbal_urgency or 0) >= SHOWN,
        "deception": (tells.verbal_deception_cue or 0) >= SHOWN,
        "confidence": (tells.verbal_confidence or 0) >= FIRM,
        "condition": any(span.signal == "condition" for span in reading.spans),
        "escalation": (tells.emotional_escalation or 0) >= SHOWN,
    }
    return frozenset(signal for signal, there in shown.items() if there)


def notice(text: str) -> frozenset[SignalName]:
    """Notice the signals of a line without a history, as the live game would."""
    return noticed_in(read_tells(text, _NOBODY, None))


def score_tells(lines: Iterable[TellsLine], read: Noticing = notice) -> TellsScore:
    """Compare a reader with the labels."""
    rows = [TellsMiss(line, read(line.text)) for line in lines]
    denials = [row for row in rows if row.line.note == "negation"]
    return TellsScore(
        lines=len(rows),
        signals={signal: _count(rows, signal) for signal in SIGNALS},
        negations=len(denials),
        negations_fired=sum(bool(row.noticed - row.line.signals) for row in denials),
        misses=tuple(row for row in rows if row.noticed != row.line.signals),
    )


def _count(rows: Iterable[TellsMiss], signal: SignalName) -> SignalScore:
    pairs = [(signal in row.line.signals, signal in row.noticed) for row in rows]
    return SignalScore(
        hits=pairs.count((True, True)),
        false=pairs.count((False, True)),
        missed=pairs.count((True, False)),
    )


def share(part: int, whole: int) -> float:
    """Return a share, 0..1; none of nothing is 0."""
    return part / whole if whole else 0.0


TOGETHER = 4
"""Lines that are asked at the same time: as many as the gates let through."""

_NO_MODEL = SaleContext((), (), ())


class Comparison(msgspec.Struct, frozen=True):
    """Scores of the three readers; ``unanswered`` lines got nothing from the model."""

    patterns: TellsScore
    model: TellsScore
    merged: TellsScore
    unanswered: int


async def compare(lines: Sequence[TellsLine], ask: Ask) -> Comparison:
    """Ask a model about every line and score what it adds."""
    gate = asyncio.Semaphore(TOGETHER)
    unanswered = 0

    async def counted(chat: Chat) -> str | None:
        nonlocal unanswered
        answer = None
        try:
            answer = await ask(chat)
        finally:
            unanswered += answer is None
        return answer

    async def spans_of(text: str) -> tuple[TellSpan, ...]:
        async with gate:
            return await ask_for_spans(text, counted)

    answers = await asyncio.gather(*(spans_of(line.text) for line in lines))
    found = {line.text: spans for line, spans in zip(lines, answers, strict=True)}
    return Comparison(
        patterns=score_tells(lines),
        model=score_tells(lines, lambda text: noticed_in(merge(silent(), found[text]))),
        merged=score_tells(
            lines,
            lambda text: noticed_in(merge(read_tells(text, _NO_MODEL, None), found[text])),
        ),
        unanswered=unanswered,
    )
