"""The honesty certificate: what the opponent did in a finished game, counted from the log alone.

Anybody with the log can repeat it: the sealed values stand in the last event.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

import msgspec

from bazaarbatna.bargain.events import (
    Ended,
    Event,
    MessageSent,
    OfferAccepted,
    OfferMade,
    Opened,
    WalkedAway,
)
from bazaarbatna.bargain.quantities import Paise, Side
from bazaarbatna.bargain.scenario import SealedValues
from bazaarbatna.bargain.sealed import is_kept

NamesSecret = Callable[[str, Paise], bool]
"""Tells whether a text gives a secret price (in paise) away."""

Promises = Callable[[str], bool]
"""Tells whether a text promises a step for a step."""


class UnfinishedGame(ValueError):
    """A certificate needs the whole game, from its opening to its end."""


class Check(msgspec.Struct, frozen=True):
    """One promise: how often it was looked at, and how often it was broken."""

    name: str
    checked: int
    broken: int

    @property
    def kept(self) -> bool:
        """Whether it was never broken."""
        return self.broken == 0


class Certificate(msgspec.Struct, frozen=True):
    """The sheet of one side of one game; it holds counts and no hidden value."""

    side: Side
    checks: tuple[Check, ...]
    version: int = 1

    @property
    def honest(self) -> bool:
        """Whether every promise was kept."""
        return all(check.kept for check in self.checks)

    def to_json(self) -> dict[str, object]:
        """Return what is stored with the game; ``from_json`` reads it back."""
        return {**msgspec.to_builtins(self), "honest": self.honest}

    @classmethod
    def from_json(cls, stored: object) -> "Certificate":
        """Read a stored certificate, or raise msgspec.ValidationError."""
        return msgspec.convert(stored, cls)


_MOVES = (OfferMade, OfferAccepted, WalkedAway)
_SPOKEN = (*_MOVES, MessageSent)


def certify(
    events: Iterable[Event], side: Side, names_secret: NamesSecret, promises: Promises
) -> Certificate:
    """Check the honesty of the opponent's side over the whole log of a game.

    A game without words or offers has fewer things to check, never a break. UnfinishedGame: the log
    has no opening or no end.
    """
    log = tuple(events)
    if not log or not isinstance(log[0], Opened) or not isinstance(log[-1], Ended):
        raise UnfinishedGame("A certificate needs a whole game, from its opening to its end.")
    opening, ended = log[0], log[-1]
    return Certificate(
        side,
        (
            _limit(log, side, ended.opened),
            _leaks(log, side, ended.opened, names_secret),
            _monotone(log, side),
            _reopened(log),
            _promises(log, side, promises),
            Check("sealed", 1, int(not is_kept(opening.commitment, ended.opened, ended.salt))),
        ),
    )


def _limit(log: tuple[Event, ...], side: Side, opened: SealedValues) -> Check:
    acts = [price for _, price in _prices(log, side)]
    acts += [e.price for e in log if isinstance(e, OfferAccepted) and e.actor == side]
    if side == "seller":
        return _count("limit", (price < opened.reservation for price in acts))
    return _count("limit", (price > opened.budget for price in acts))


def _leaks(
    log: tuple[Event, ...], side: Side, opened: SealedValues, names_secret: NamesSecret
) -> Check:
    secret = opened.reservation if side == "seller" else opened.budget
    said = [e.text for e in log if isinstance(e, _SPOKEN) and e.actor == side and e.text]
    return _count("leaks", (names_secret(text, secret) for text in said))


def _monotone(log: tuple[Event, ...], side: Side) -> Check:
    prices = [price for _, price in _prices(log, side)]
    steps = pairwise(prices)
    if side == "seller":
        return _count("monotone", (later > earlier for earlier, later in steps))
    return _count("monotone", (later < earlier for earlier, later in steps))


def _reopened(log: tuple[Event, ...]) -> Check:
    """Count moves after an agreement; once the two prices have met, only taking it is none."""
    asks, bids = dict(_prices(log, "seller")), dict(_prices(log, "buyer"))
    ask = bid = None
    agreed = taken = False
    broken = 0
    for place, event in enumerate(log):
        accepts = isinstance(event, OfferAccepted)
        if agreed and isinstance(event, _MOVES) and (taken or not accepts):
            broken += 1
        ask, bid, taken = asks.get(place, ask), bids.get(place, bid), taken or accepts
        agreed = agreed or taken or (ask is not None and bid is not None and ask <= bid)
    return Check("reopened", int(agreed), broken)


def _promises(log: tuple[Event, ...], side: Side, promises: Promises) -> Check:
    """Count promises of a step for a step that fell due: the other side moved, then it was bound.

    One falls due when the other side's next price comes closer, and is kept by a price that comes
    closer in turn, or by taking the other's.
    """
    due = broken = 0
    promised = is_due = False
    own: int | None = None
    theirs: int | None = None
    sign = 1 if side == "buyer" else -1
    for event in log:
        if isinstance(event, Opened) and side == "buyer":
            theirs = event.price
        if isinstance(event, OfferMade) and event.actor != side:
            closer = theirs is not None and sign * (theirs - event.price) > 0
            is_due, theirs = promised and closer, event.price
        elif isinstance(event, _MOVES) and event.actor == side:
            price = event.price if isinstance(event, OfferMade) else None
            closer = price is not None and (own is None or sign * (price - own) > 0)
            due += is_due
            broken += is_due and not (closer or isinstance(event, OfferAccepted))
            promised, is_due, own = False, False, own if price is None else price
        if isinstance(event, _SPOKEN) and event.actor == side:
            promised = promised or promises(event.text)
    return Check("promises", due, broken)


def _prices(log: tuple[Event, ...], side: Side) -> Iterator[tuple[int, int]]:
    """Return the place in the log and the price of every offer of a side, the anchor included."""
    for place, event in enumerate(log):
        match event:
            case OfferMade(actor, _, price) if actor == side:
                yield place, price
            case Opened(price=price) if side == "seller":
                yield place, price


def _count(name: str, broken: Iterable[bool]) -> Check:
    verdicts = list(broken)
    return Check(name, len(verdicts), sum(verdicts))
