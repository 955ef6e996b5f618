"""A price as data files write it: ``₹1,09,900``, ``$1,099.99``, ``Rs. 450`` or a number.

A row without a price to bargain about is skipped, and the summary says why.
"""

import math
import re
from decimal import Decimal
from enum import StrEnum

from bazaarbatna.bargain.quantities import MAX_PRICE, Paise


class Skip(StrEnum):
    """A reason, in the words of the summary."""

    NOT_A_RECORD = "not a record"
    NO_TITLE = "no title"
    NO_LIST_PRICE = "no list price"
    NO_STREET_PRICE = "no street price"
    UNREADABLE_PRICE = "unreadable price"
    OTHER_CURRENCY = "price in another currency"
    TOO_CHEAP = "price below 1"
    NO_DISCOUNT = "street price not below list price"
    DUPLICATE = "same item twice in this import"


class Skipped(ValueError):
    """A row cannot become a listing."""

    def __init__(self, reason: Skip) -> None:
        super().__init__(reason.value)
        self.reason = reason


MIN_FIELD = Paise(100)
"""One rupee or dollar: below it there is nothing to bargain about."""

_NUMBER = re.compile(r"(?:\d{1,3}(?:,\d{2,3})*,\d{3}|\d{1,12})(?:\.\d{1,4})?", re.ASCII)
_SIGN = re.compile(r"[^\d.,+\-]{0,6}?\.?\s*(?=\d)", re.ASCII)
_SIGNS = {"INR": ("₹", "rs", "inr", "â‚¹"), "EUR": ("€", "eur"), "GBP": ("£", "gbp")}
"""Signs that belong to one currency; the dollar sign belongs to all the others."""


def read_price(field: object, currency: str, missing: Skip) -> Paise:
    """Read the price of one field of a file.

    Returns:
        The price in the smallest unit, half a unit rounded up.

    Raises:
        Skipped: as ``missing`` without a price, else why it cannot be read and bargained about.

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
