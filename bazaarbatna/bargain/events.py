"""What happened, in order: the one log that every view of a game is made from.

An event's sequence number is its place in the log, counted from 1. The values of a game hold
no cycles, so they stay out of the garbage collector (``gc=False``): rollouts that keep their logs
run a third faster.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from bazaarbatna.bargain.quantities import Paise, Side
from bazaarbatna.bargain.scenario import Item, SealedValues
from bazaarbatna.bargain.tells import Tells, TellSpan

Termination = Literal["deal", "walk", "expired"]


class _Event(msgspec.Struct, frozen=True, gc=False, tag_field="kind"):
    pass


class Opened(_Event, frozen=True, gc=False, tag="opened"):
    """The seller opened with an ask; ``commitment`` binds the sealed values."""

    suite: str
    item: Item
    max_rounds: int
    price: Paise
    seller: str
    commitment: str
    persona: str | None = None


class OfferMade(_Event, frozen=True, gc=False, tag="offer"):
    """A side named a price: it now stands."""

    actor: Side
    round: int
    price: Paise
    text: str = ""


class OfferWithdrawn(_Event, frozen=True, gc=False, tag="withdrawn"):
    """A side took the price of event ``of_seq`` back before the other side had answered it.

    Its words stay said; the price that stood before stands again.
    """

    actor: Side
    round: int
    price: Paise
    of_seq: int


class OfferAccepted(_Event, frozen=True, gc=False, tag="accept"):
    """A side took the standing price of the other."""

    actor: Side
    round: int
    price: Paise
    text: str = ""


class WalkedAway(_Event, frozen=True, gc=False, tag="walk"):
    """A side left the table."""

    actor: Side
    round: int
    text: str = ""


class MessageSent(_Event, frozen=True, gc=False, tag="message"):
    """A side spoke without moving."""

    actor: Side
    round: int
    text: str


class TellsShown(_Event, frozen=True, gc=False, tag="tells"):
    """What the other side could notice; ``of_seq``: whose text the spans point into (0: none)."""

    actor: Side
    round: int
    tells: Tells
    spans: tuple[TellSpan, ...] = ()
    of_seq: int = 0


class Ended(_Event, frozen=True, gc=False, tag="ended"):
    """The game is over and its sealed values are open.

    ``price`` is the deal price in paise; shares are 0..1 of the zone of possible agreement and
    add to 1 for a deal, and are 0 without one; ``by`` is who accepted or walked.
    """

    outcome: Termination
    round: int
    opened: SealedValues
    salt: str
    by: Side | None = None
    price: Paise | None = None
    buyer_share: float = 0.0
    seller_share: float = 0.0


Event = (
    Opened
    | OfferMade
    | OfferWithdrawn
    | OfferAccepted
    | WalkedAway
    | MessageSent
    | TellsShown
    | Ended
)


def settled(events: Sequence[Event]) -> tuple[Event, ...]:
    """Return a log in which prices that were taken back are mere words, as nobody ever named them.

    Every event keeps its place, and the log leads to the same position.
    """
    taken_back = {event.of_seq for event in events if isinstance(event, OfferWithdrawn)}
    if not taken_back:
        return tuple(events)
    return tuple(
        _as_words(event) if seq in taken_back or isinstance(event, OfferWithdrawn) else event
        for seq, event in enumerate(events, start=1)
    )


def _as_words(event: Event) -> Event:
    if isinstance(event, OfferMade):
        return MessageSent(event.actor, event.round, event.text)
    assert isinstance(event, OfferWithdrawn)
    return MessageSent(event.actor, event.round, "")
