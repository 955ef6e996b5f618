"""One shape for every refusal, over sockets and HTTP alike."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext

from bazaarbatna.bargain.errors import GameError
from bazaarbatna.bargain.quantities import InvalidPrice, Paise, to_rupees
from bazaarbatna.money import rupees_text
from negotiation.errors import Away, BadSale, NoRoom, RateLimited, SessionError, TwoPrices
from negotiation.outages import is_away, is_full
from negotiation.policies import UnknownPolicy
from negotiation.sentences import sentences

say = sentences(__file__)

REFUSALS = (SessionError, GameError, InvalidPrice, UnknownPolicy)
"""Errors that are answers: the sender asked for something that cannot be done."""

OUR_FAULT = {"code": "server-error", "detail": say.text("something_went_wrong_on_our_side")}

STATUS: dict[str, int] = {
    "illegal-move": 409,
    "not-your-turn": 409,
    "game-over": 409,
    "invalid-price": 422,
    "unknown-policy": 422,
}
"""HTTP status by code, for errors of the engine, which knows no HTTP."""


def refusal(wrong: Exception) -> dict[str, Any]:
    """Describe a refusal: ``code``, ``detail`` and what a client needs to go on.

    ``retry_after`` in seconds; ``candidates`` as prices in rupees with their text.
    """
    # KeyError's cousins quote their text in ``str``; the first argument is the plain sentence, in
    # English where the engine says it, which knows no translation.
    told = {"code": getattr(wrong, "code", "refused"), "detail": gettext(str(wrong.args[0]))}
    match wrong:
        case RateLimited(retry_after_s=seconds):
            return {**told, "retry_after": seconds}
        case BadSale(field=field) if field:
            return {**told, "field": field}
        case TwoPrices(candidates=prices, currency=currency) if prices:
            return {**told, "candidates": named_prices(prices, currency)}
    more = wrong.more if isinstance(wrong, SessionError) else {}
    return {**told, **more}


def named_prices(prices: Sequence[Paise], currency: str) -> list[dict[str, Any]]:
    """Name prices as buttons do: in rupees, and as text."""
    rupees = [to_rupees(price) for price in prices]
    return [{"price": price, "text": rupees_text(price, currency)} for price in rupees]


def fault(wrong: Exception) -> dict[str, Any]:
    """Describe what nobody expected: as our fault, or by what the site has run out of."""
    if is_full(wrong):
        return refusal(NoRoom())
    if is_away(wrong):
        return refusal(Away())
    return {**OUR_FAULT, "detail": gettext(OUR_FAULT["detail"])}


def status_of(wrong: Exception) -> int:
    """Return the HTTP status of a refusal."""
    if isinstance(wrong, SessionError):
        return wrong.status
    return STATUS.get(getattr(wrong, "code", ""), 400)
