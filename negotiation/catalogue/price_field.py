"""A price as data files write it: ``₹1,09,900``, ``$1,099.99``, ``Rs. 450`` or a number."""

import math
import re
from decimal import Decimal

from negotiation.catalogue.skips import Skip, Skipped
from negotiation.engine.quantities import MAX_PRICE, Paise

MIN_FIELD = Paise(100)
"""One rupee or dollar: below it there is nothing to bargain about."""

_NUMBER = re.compile(r"(?:\d{1,3}(?:,\d{2,3})*,\d{3}|\d{1,12})(?:\.\d{1,4})?", re.ASCII)
_SIGN = re.compile(r"[^\d.,+\-]{0,6}?\.?\s*(?=\d)", re.ASCII)
_SIGNS = {"INR": ("₹", "rs", "inr", "â‚¹"), "EUR": ("€", "eur"), "GBP": ("£", "gbp")}
"""Signs that belong to one currency; the dollar sign belongs to all the others."""


def read_price(field: object, currency: str, missing: Skip) -> Paise:
    """Read the price of one field of a file.

    Args:
        field: what the file holds, of any type.
        currency: what prices of this file are in.
        missing: why a row without this price is skipped.

    Returns:
        The price in the smallest unit, half a unit rounded up.

    Raises:
        Skipped: when there is no price, or none that can be read and bargained about.

    >>> read_price("₹1,09,900", "INR", Skip.NO_LIST_PRICE)
    10990000
    """
    if field is None or (isinstance(field, str) and not field.strip()):
        raise Skipped(missing)
    paise = math.floor(_number(field, currency) * 100 + Decimal("0.5"))
    if paise > MAX_PRICE:
        raise Skipped(Skip.UNREADABLE_PRICE)
    if paise < MIN_FIELD:
        raise Skipped(Skip.TOO_CHEAP)
    return Paise(paise)


def _number(field: object, currency: str) -> Decimal:
    if isinstance(field, str):
        return _number_in_text(field.strip(), currency)
    if isinstance(field, bool) or not isinstance(field, int | float):
        raise Skipped(Skip.UNREADABLE_PRICE)
    if not 0 <= field <= MAX_PRICE:  # NaN fails this as well
        raise Skipped(Skip.UNREADABLE_PRICE)
    return Decimal(repr(field))


def _number_in_text(text: str, currency: str) -> Decimal:
    sign = _SIGN.match(text)
    if sign is None:
        raise Skipped(Skip.UNREADABLE_PRICE)
    number = _NUMBER.fullmatch(text, sign.end())
    if number is None:
        raise Skipped(Skip.UNREADABLE_PRICE)
    if not _is_sign_of(sign[0].strip(" .\xa0").casefold(), currency):
        raise Skipped(Skip.OTHER_CURRENCY)
    return Decimal(number[0].replace(",", ""))


def _is_sign_of(sign: str, currency: str) -> bool:
    if not sign or sign == currency.casefold():
        return True
    if sign in _SIGNS.get(currency, ()):
        return True
    return "$" in sign and currency not in _SIGNS
