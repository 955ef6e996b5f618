"""What the game asks back when words could mean more than one price: one sentence each."""

from collections.abc import Sequence

from negotiation.engine.quantities import MAX_PRICE, to_rupees
from negotiation.money import rupees_text

MAX_NAMED = 4
"""How many prices a question names at most."""


def ask_one_of(prices: Sequence[int], currency: str) -> str:
    """Ask which of several prices (in paise) is meant.

    >>> ask_one_of([15000, 17000], "INR")
    'Which is your price: ₹150 or ₹170?'
    """
    if not prices:
        return "Which price do you mean?"
    named = [_price(price, currency) for price in prices[:MAX_NAMED]]
    if len(prices) > MAX_NAMED:
        named.append("another")
    return f"Which is your price: {', '.join(named[:-1])} or {named[-1]}?"


def ask_whether(price: int, currency: str) -> str:
    """Ask whether a price (in paise) is meant."""
    return f"Is {_price(price, currency)} your price? Then write just the number."


def ask_off_or_price(said: int, left: int, currency: str) -> str:
    """Ask whether a number is the price or comes off it (both in paise)."""
    if left < 1:
        return f"Is {_price(said, currency)} your price? It is too much to take off your ask."
    return (
        f"Is {_price(said, currency)} your price, or do you take that off "
        f"and ask {_price(left, currency)}?"
    )


def ask_without_bid() -> str:
    """Ask for a number when words lean on a price that does not stand yet."""
    return "There is no other price to count from yet: which price do you ask?"


def ask_too_large(currency: str) -> str:
    """Ask again after a number no game knows."""
    return f"A price can be at most {_price(MAX_PRICE, currency)}: which price do you ask?"


def ask_zero() -> str:
    """Ask again after nothing or less."""
    return "A price must be above zero: which price do you ask?"


def ask_accept(bid: int, currency: str) -> str:
    """Ask whether the standing bid (in paise) is accepted."""
    return f"Do you accept {_price(bid, currency)}? Then write “done”, else name your price."


def _price(paise: int, currency: str) -> str:
    return rupees_text(to_rupees(paise), currency)
