"""Moves of a line in words, as an order and as a report."""

from negotiation.engine.quantities import to_rupees
from negotiation.money import rupees_text
from replays.grade.moves import LineMove

ORDERS = {"accept": "accept", "walk": "walk away", "hold": "hold"}
REPORTS = {
    "accept": "accepts",
    "walk": "walks away",
    "hold": "holds",
    "wins": "wins at",
}


def order(deed: LineMove, currency: str) -> str:
    """Say what should have been done.

    >>> order(LineMove("seller", "offer", 17500), "INR")
    'ask ₹175'
    """
    if deed.kind == "offer":
        verb = "ask" if deed.actor == "seller" else "bid"
    else:
        verb = ORDERS.get(deed.kind, deed.kind)
    return _with_price(verb, deed, currency)


def report(deed: LineMove, who: str, currency: str) -> str:
    """Say what somebody does.

    >>> report(LineMove("buyer", "accept", 18250), "Sauda", "INR")
    'Sauda accepts ₹182.50'
    """
    if deed.kind == "unsold":
        return "nobody wins"
    if deed.kind == "offer":
        verb = "asks" if deed.actor == "seller" else "bids"
    else:
        verb = REPORTS.get(deed.kind, deed.kind)
    return f"{who} {_with_price(verb, deed, currency)}"


def _with_price(verb: str, deed: LineMove, currency: str) -> str:
    if deed.price is None:
        return verb if deed.kind != "accept" else f"{verb} the ask"
    return f"{verb} {rupees_text(to_rupees(deed.price), currency)}"
