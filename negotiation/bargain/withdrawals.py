"""A price that was misheard: asked back, or taken back while nobody has answered it yet."""

import re
from collections.abc import Sequence

from django.utils.translation import gettext

from bazaarbatna.bargain.events import Event, OfferMade, OfferWithdrawn, TellsShown
from bazaarbatna.bargain.quantities import Paise, Side
from negotiation.errors import TwoPrices
from negotiation.readers import reader

MOST = 3
"""Prices that a side may take back in one round."""


def last_offer(events: Sequence[Event], side: Side) -> int:
    """Return the number of the own price that nobody has answered yet; 0: there is none (left)."""
    for seq in range(len(events), 0, -1):
        event = events[seq - 1]
        if isinstance(event, TellsShown):
            continue
        if not isinstance(event, OfferMade) or event.actor != side:
            return 0
        return seq if _taken_back(events, side, event.round) < MOST else 0
    return 0


def _taken_back(events: Sequence[Event], side: Side, round_: int) -> int:
    return sum(
        isinstance(event, OfferWithdrawn) and (event.actor, event.round) == (side, round_)
        for event in events
    )


_BARE = re.compile(r"[\d\s,.₹$/=-]*")


def is_bare_price(text: str) -> bool:
    """Whether a line holds a number and nothing that could be misheard.

    >>> is_bare_price(" ₹4,800/- "), is_bare_price("4800 final")
    (True, False)
    """
    return _BARE.fullmatch(text) is not None


def confirmed(text: str, asked: tuple[Paise, ...], currency: str) -> Paise | None:
    """Return the price that a line says yes to; None where it says something else.

    Raises TwoPrices where several were asked about: a bare yes chooses none of them.
    """
    if not asked or not reader().confirms(text):
        return None
    if len(asked) > 1:
        raise TwoPrices(gettext("Which one? Choose a price."), asked, currency)
    return asked[0]
