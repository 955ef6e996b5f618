"""A wire event in plain words, for the slider, the page title and people who listen."""

from typing import Any

from negotiation.bargain.web.outcome import zone_amounts
from negotiation.bargain.web.seats import SALE, Cast
from negotiation.engine.quantities import to_paise
from negotiation.money import rupees_text


def in_words(event: dict[str, Any], currency: str = "INR", cast: Cast = SALE) -> str:
    """Return in one sentence what happened, without the words that were spoken.

    >>> in_words({"kind": "offer", "actor": "buyer", "round": 2, "price": 1350.0})
    'Round 2: Sauda bids ₹1,350'
    """
    kind = event["kind"]
    if kind == "opened":
        return f"{cast.name('seller')} opens at {rupees_text(event['price'], currency)}"
    if kind == "ended":
        return _ending(event, currency, cast)
    return f"Round {event['round']}: {cast.called(event['actor'])} {_deed(event, currency)}"


def why_no_deal(event: dict[str, Any], currency: str, cast: Cast) -> str:
    """Return whether a deal was possible, and which; "" where there was one."""
    if event["outcome"] == "deal":
        return ""
    opened = event["opened"]
    reservation, budget = to_paise(opened["reservation"]), to_paise(opened["budget"])
    amounts = zone_amounts(reservation, budget, currency)
    if budget > reservation:
        words = (
            "A deal was possible: every price from {reservation} to {budget} suited both. That is "
            "{width} to share; {middle} would have split it about evenly."
        )
    elif budget == reservation:
        words = "A deal was possible at one price alone: {middle}."
    else:
        praise = "Right to walk" if event["outcome"] == "walk" else "Right not to agree"
        words = (
            "{praise}: no price suited both. {buyer} could pay at most {budget}; {seller} needed "
            "{reservation}."
        )
        amounts |= {"praise": praise, "buyer": cast.name("buyer"), "seller": cast.called("seller")}
    return words.format(**amounts)


def _deed(event: dict[str, Any], currency: str) -> str:
    match event["kind"]:
        case "offer":
            verb = "asks" if event["actor"] == "seller" else "bids"
            return f"{verb} {rupees_text(event['price'], currency)}"
        case "accept":
            return f"accepts {rupees_text(event['price'], currency)}"
        case "walk":
            return "walks away"
        case "tells":
            return "lets something show"
        case _:
            return "speaks"


def _ending(event: dict[str, Any], currency: str, cast: Cast) -> str:
    match event["outcome"]:
        case "deal":
            return f"Deal at {rupees_text(event['price'], currency)}"
        case "walk":
            return f"No deal: {cast.called(event['by'])} walked away"
        case _:
            return "No deal: the rounds ran out"
