"""From the events of a file to events of the engine, with nothing rounded and nothing guessed."""

import re
from collections.abc import Sequence
from typing import assert_never

import msgspec

from negotiation.engine.events import (
    Ended,
    Event,
    MessageSent,
    OfferAccepted,
    OfferMade,
    Opened,
    TellsShown,
    WalkedAway,
)
from negotiation.engine.quantities import InvalidPrice, Paise, to_paise, to_rupees
from negotiation.engine.scenario import Item, SealedValues
from negotiation.engine.tells import Tells, TellSpan
from replays.transfer.sale_format import (
    FileAccept,
    FileEnded,
    FileEvent,
    FileMessage,
    FileOffer,
    FileOpened,
    FileSealed,
    FileTells,
    FileWalk,
)

LONGEST_WHY = 400
"""Characters of the reason for a tell."""

_SIGNALS = set(Tells.__struct_fields__) | {
    *("urgency", "confidence", "deception", "escalation", "condition"),
}
"""Names of what a tell can show; readers of words use the short ones."""

_UNSAID = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
"""What no page may show: controls, and marks that turn the direction of other words."""


class Doubtful(ValueError):
    """Something in an event cannot be; the message says what."""

    code = "doubtful-event"


def exact_paise(rupees: float) -> Paise:
    """Turn a price of the file into paise.

    Raises:
        Doubtful: it is out of range or has more than two decimals.
    """
    try:
        paise = to_paise(rupees)
    except InvalidPrice as wrong:
        raise Doubtful(str(wrong)) from wrong
    if to_rupees(paise) != rupees:
        raise Doubtful("A price has at most two decimals.")
    return paise


def sealed_of(opened: FileSealed) -> SealedValues:
    """Read an opened envelope.

    Raises:
        Doubtful: a price in it cannot be.
    """
    return SealedValues(
        reservation=exact_paise(opened.reservation),
        cost=exact_paise(opened.cost),
        budget=exact_paise(opened.budget),
        seed=opened.seed,
        persona=opened.persona,
        deadline=opened.deadline,
    )


def event_of(told: FileEvent, before: Sequence[FileEvent]) -> Event:
    """Turn one event of a file into one of the engine.

    Args:
        told: the event.
        before: the events of the file before it; tells point into their words.

    Raises:
        Doubtful: it cannot be.
    """
    match told:
        case FileOpened():
            return _opened(told)
        case FileOffer():
            price = exact_paise(told.price)
            return OfferMade(told.actor, told.round, price, said(told.text))
        case FileAccept():
            price = exact_paise(told.price)
            return OfferAccepted(told.actor, told.round, price, said(told.text))
        case FileWalk():
            return WalkedAway(told.actor, told.round, said(told.text))
        case FileMessage():
            return MessageSent(told.actor, told.round, said(told.text))
        case FileTells():
            return _tells(told, before)
        case FileEnded():
            return _ended(told)
        case _:
            assert_never(told)


def _opened(told: FileOpened) -> Opened:
    item = told.item
    for words in (item.title, item.category, item.condition):
        said(words)
    return Opened(
        suite=told.suite,
        item=Item(item.title, item.category, item.condition, item.condition_label, item.currency),
        max_rounds=told.max_rounds,
        price=exact_paise(told.price),
        seller=told.seller,
        commitment=told.commitment,
        persona=told.persona,
    )


def _ended(told: FileEnded) -> Ended:
    return Ended(
        outcome=told.outcome,
        round=told.round,
        opened=sealed_of(told.opened),
        salt=told.salt,
        by=told.by,
        price=None if told.price is None else exact_paise(told.price),
        buyer_share=told.buyer_share,
        seller_share=told.seller_share,
    )


def _tells(told: FileTells, before: Sequence[FileEvent]) -> TellsShown:
    if told.of_seq > len(before):
        raise Doubtful("Tells belong to words that came before them.")
    words = getattr(before[told.of_seq - 1], "text", "") if told.of_seq else ""
    spans = tuple(_span(span, words) for span in told.spans)
    signals = msgspec.structs.asdict(told.signals)
    _check_signals(signals)
    return TellsShown(told.actor, told.round, Tells(**signals), spans, told.of_seq)


def _span(span: TellSpan, words: str) -> TellSpan:
    if not 0 <= span.start < span.end <= len(words):
        raise Doubtful("A tell points outside its words.")
    if not 0 <= span.score <= 1 or span.signal not in _SIGNALS:
        raise Doubtful("A tell has a known signal and a score from 0 to 1.")
    if len(span.why) > LONGEST_WHY:
        raise Doubtful(f"The reason for a tell has at most {LONGEST_WHY} characters.")
    return TellSpan(span.start, span.end, span.signal, span.score, said(span.why))


def _check_signals(signals: dict[str, object]) -> None:
    for name, value in signals.items():
        highest = 1 if isinstance(value, float) else 1000
        if isinstance(value, int | float) and not 0 <= value <= highest:
            raise Doubtful(f"The signal {name} is out of range.")


def said(text: str) -> str:
    """Let words pass that a page can show.

    Raises:
        Doubtful: they hold controls, or marks that turn other words round.
    """
    if _UNSAID.search(text):
        raise Doubtful("The words hold characters that cannot be shown.")
    return text
