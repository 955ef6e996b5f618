"""How often tells, prices and acts are read in a line as a person reads them."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from statistics import mean

import msgspec

from agents.backends.base import Chat
from agents.buyers.model_tells import Ask, ask_for_spans, merge, silent
from agents.scoring.labelled import SIGNALS, ActsLine, BookingLine, PriceLine, TellsLine
from agents.text.acts.acts import ACTS, Act
from agents.text.acts.hear import hear
from agents.text.intent import read_buyer_intent, read_intent
from agents.text.reading.pieces import to_text
from agents.text.reading.spelling import word_set
from agents.text.tells.reader import read_tells
from agents.text.tells.words import SignalName
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.tells import TellSpan
from negotiation.bargain.commands import is_bare_price, is_unsure_leap
from negotiation.readers import Intent, Reading, SaleContext

Noticing = Callable[[str], frozenset[SignalName]]
PriceReader = Callable[[PriceLine], Intent]
BookingReader = Callable[[BookingLine], Intent]

SHOWN = 0.4
"""From this level on (0..1) urgency, deception and escalation count as noticed."""

FIRM = 0.7
"""From this level on (0..1) confidence counts as noticed: 0.5 is a calm voice."""

_YES = word_set("ok okay deal done yes haan ji theek manzoor pakka sold lelo chalo")
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
        signals={
            signal: _count((signal in row.line.signals, signal in row.noticed) for row in rows)
            for signal in SIGNALS
        },
        negations=len(denials),
        negations_fired=sum(bool(row.noticed - row.line.signals) for row in denials),
        misses=tuple(row for row in rows if row.noticed != row.line.signals),
    )


def _count(there_and_read: Iterable[tuple[bool, bool]]) -> SignalScore:
    pairs = list(there_and_read)
    return SignalScore(
        hits=pairs.count((True, True)),
        false=pairs.count((False, True)),
        missed=pairs.count((True, False)),
    )


def share(part: int, whole: int) -> float:
    """Return a share, 0..1; none of nothing is 0."""
    return part / whole if whole else 0.0


TOGETHER = 4


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
            lambda text: noticed_in(merge(read_tells(text, _NOBODY, None), found[text])),
        ),
        unanswered=unanswered,
    )


class PriceMiss(msgspec.Struct, frozen=True):
    """A line that was read otherwise than a person reads it."""

    line: PriceLine
    read: Intent


class PriceScore(msgspec.Struct, frozen=True):
    """Counts over labelled lines; ``exact``: kind and price as labelled.

    ``asked_back``: a clear line was answered by a question; ``mistaken``: another price or kind was
    believed; ``sold``: a standing bid was taken that the person did not take.
    """

    lines: int
    exact: int
    priced: int
    found: int
    asked_back: int
    mistaken: int
    sold: int
    misses: tuple[PriceMiss, ...]

    @property
    def accuracy(self) -> float:
        """Share of lines that were read exactly, 0..1."""
        return share(self.exact, self.lines)

    @property
    def price_accuracy(self) -> float:
        """Share of the lines with a price whose price was read, 0..1."""
        return share(self.found, self.priced)


def read_line(line: PriceLine) -> Intent:
    """Read a labelled line as the live game would."""
    return read_intent(line.text, Paise(line.ask * 100), _paise(line.bid))


def score_prices(lines: Iterable[PriceLine], read: PriceReader = read_line) -> PriceScore:
    """Compare a reader with the labels."""
    rows = [(line, read(line)) for line in lines]
    priced = [(line, got) for line, got in rows if line.kind == "price"]
    misses = [PriceMiss(line, got) for line, got in rows if not _agrees(line, got)]
    asked = [miss for miss in misses if miss.read.kind == "ambiguous"]
    return PriceScore(
        lines=len(rows),
        exact=len(rows) - len(misses),
        priced=len(priced),
        found=sum(got.price == _paise(line.price) for line, got in priced),
        asked_back=len(asked),
        mistaken=len(misses) - len(asked),
        sold=sum(miss.read.kind == "accept" for miss in misses),
        misses=tuple(misses),
    )


def _agrees(line: PriceLine, got: Intent) -> bool:
    return got.kind == line.kind and (line.kind != "price" or got.price == _paise(line.price))


class BookingMiss(msgspec.Struct, frozen=True):
    """A line that was not booked as it was meant."""

    line: BookingLine
    read: Intent


class BookingScore(msgspec.Struct, frozen=True):
    """What is done with a line that names a price, or seems to.

    ``wrong``: a price or an acceptance is booked in silence that was not meant; ``unsaid``: of
    these, at a number that is nowhere in the line; ``needless``: asked back or not heard where the
    price is plainly there; ``confirmed``: asked back with the meant number on the button, since
    its scale is left out, it has to be reckoned, or it is a leap; ``missed``: what should be asked
    back was not.
    """

    lines: int
    wrong: tuple[BookingMiss, ...]
    unsaid: int
    needless: tuple[BookingMiss, ...]
    confirmed: int
    missed: int


def read_booking(line: BookingLine) -> Intent:
    """Read such a line as the live game does."""
    ask, bid = Paise(100 * line.ask), None if line.bid is None else Paise(100 * line.bid)
    reader = read_intent if line.seat == "seller" else read_buyer_intent
    return reader(line.text, ask, bid)


def read_last_number(line: BookingLine) -> Intent:
    """Read such a line by a blind rule: its last amount is the price, a yes without one agrees."""
    cut = to_text(line.text)
    if cut.said:
        return Intent("price", Paise(cut.said[-1].amount.paise))
    agrees = line.bid is not None and any(piece.text in _YES for piece in cut.pieces)
    return Intent("accept" if agrees else "none")


def read_bare_prices(line: BookingLine) -> Intent:
    """Read such a line by a blind rule: a bare price is booked, all else is asked about."""
    read = read_last_number(line)
    if read.kind == "none" or is_bare_price(line.text):
        return read
    return Intent("ambiguous")


BLIND: dict[str, BookingReader] = {
    "last_number": read_last_number,
    "bare_prices": read_bare_prices,
}


def score_bookings(
    lines: Iterable[BookingLine], reader: BookingReader = read_booking
) -> BookingScore:
    """Compare what would be booked with the labels."""
    rows = [BookingMiss(line, reader(line)) for line in lines]
    booked = [row for row in rows if _is_booked(row)]
    wrong = tuple(row for row in booked if not _is_meant(row))
    others = [row for row in rows if not _is_booked(row)]
    asked = [row for row in others if row.line.kind in ("price", "accept")]
    confirmed = [row for row in asked if _is_confirmed(row)]
    talk = [row for row in others if row.line.kind == "none" and row.read.kind != "none"]
    needless = [row for row in (*asked, *talk) if not row.line.may_ask and row not in confirmed]
    return BookingScore(
        lines=len(rows),
        wrong=wrong,
        unsaid=sum(row.read.kind == "price" and row.read.price not in _said(row) for row in wrong),
        needless=tuple(needless),
        confirmed=len(confirmed),
        missed=sum(row.line.kind == "ask" and row.read.kind == "none" for row in others),
    )


def _is_booked(row: BookingMiss) -> bool:
    # No ask goes up and no bid comes down: the page says so, and nothing is booked.
    price, line = row.read.price, row.line
    if row.read.kind == "accept":
        return True
    bids = () if line.bid is None else (Paise(100 * line.bid),)
    context = SaleContext((Paise(100 * line.ask),), bids, (), side=line.seat)
    if row.read.kind != "price" or price is None or is_unsure_leap(price, line.text, context):
        return False
    return price <= 100 * line.ask if line.seat == "seller" else price >= 100 * (line.bid or 0)


def _is_meant(row: BookingMiss) -> bool:
    is_price = row.line.kind in ("price", "accept") and row.read.price == _paise(row.line.price)
    return is_price or (row.line.kind == row.read.kind == "accept")


def _is_confirmed(row: BookingMiss) -> bool:
    meant = _paise(row.line.price)
    if row.read.kind == "price" and row.read.price == meant:
        return True  # a leap
    return row.read.candidates == (meant,) and meant not in _said(row)


def _said(row: BookingMiss) -> set[int]:
    return {amount.amount.paise for amount in to_text(row.line.text).said}


class ActsMiss(msgspec.Struct, frozen=True):
    """A line in which other acts are heard than a person hears."""

    line: ActsLine
    heard: frozenset[Act]


class ActsScore(msgspec.Struct, frozen=True):
    """Scores of all acts; ``found`` of the ``spans`` overlap what a person marked."""

    lines: int
    acts: dict[Act, SignalScore]
    spans: int
    found: int
    priced: int
    misses: tuple[ActsMiss, ...]

    @property
    def together(self) -> SignalScore:
        """Counts over all acts, each of them once a line."""
        rows = self.acts.values()
        return SignalScore(
            sum(one.hits for one in rows),
            sum(one.false for one in rows),
            sum(one.missed for one in rows),
        )

    @property
    def span_share(self) -> float:
        """Share of the rightly heard acts whose span meets the marked one, 0..1."""
        return share(self.found, self.spans)

    @property
    def price_share(self) -> float:
        """Share of lines whose price, or want of one, is read as meant, 0..1."""
        return share(self.priced, self.lines)


def score_acts(lines: Iterable[ActsLine]) -> ActsScore:
    """Compare hearing with the labels."""
    rows = tuple(lines)
    pairs: list[tuple[ActsLine, frozenset[Act]]] = []
    spans = found = priced = 0
    for line in rows:
        heard = hear(line.text, _paise(line.ask), _paise(line.bid))
        pairs.append((line, frozenset(one.act for one in heard)))
        for act in {one.act for one in heard} & line.names:
            spans += 1
            found += any(
                one.act == act and _meet(line.text, one.start, one.end, words)
                for one in heard
                for name, words in line.acts
                if name == act
            )
        priced += _price_of(line) == line.price
    return ActsScore(
        lines=len(rows),
        acts={
            act: _count((act in line.names, act in heard) for line, heard in pairs) for act in ACTS
        },
        spans=spans,
        found=found,
        priced=priced,
        misses=tuple(ActsMiss(line, heard) for line, heard in pairs if heard != line.names),
    )


def _meet(text: str, start: int, end: int, words: str) -> bool:
    place = text.find(words)
    return place < end and start < place + len(words)


def _price_of(line: ActsLine) -> float | None:
    intent = read_intent(line.text, _paise(line.ask), _paise(line.bid))
    return intent.price / 100 if intent.kind == "price" and intent.price is not None else None


def _paise(rupees: float | None) -> Paise | None:
    return None if rupees is None else Paise(round(rupees * 100))
