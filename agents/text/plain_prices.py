"""Prices that nobody can have misheard, however far they move their speaker."""

import re

from agents.text.price_text import STRONG, read_text, stands_whole
from agents.text.reading import judge as judging
from agents.text.reading.answer import Standing, laughs
from agents.text.reading.pieces import to_text
from agents.text.reading.roles import sign_after
from agents.text.reading.spelling import word_set
from bazaarbatna.bargain.quantities import Paise, Side

SURE, NAMED = 0.97, 0.9
"""So sure the judge has to be of a price, and of one that the line calls the last, or its own."""
_SIGN = re.compile(r"[.!?\n,]")
_IFS = word_set("agar if unless")


def is_plain_price(text: str, price: Paise, standing: Standing, seat: Side) -> bool:
    """Whether a price is written in digits, between both standing ones, and no other is possible.

    >>> standing = Standing(Paise(200000), Paise(100000), "INR")
    >>> is_plain_price("1400 is what I have on me", Paise(140000), standing, "buyer")
    True
    >>> is_plain_price("1400? my foot", Paise(140000), standing, "buyer")
    False
    """
    cut = to_text(text)
    mine = [item for item in cut.said if item.amount.paise == price]
    if not standing.bid or price == standing.ask or not standing.allows(price) or laughs(cut):
        return False
    if any(not item.amount.digits or sign_after(cut, item, _SIGN) == "?" for item in mine):
        return False
    if not _IFS.isdisjoint(piece.text for piece in cut.pieces):
        return False
    reading = read_text(cut, standing)
    if not stands_whole(cut, reading, price, standing, alone=False):
        return False
    found = zip(cut.said, reading.roles, strict=True)
    is_named = any(item in mine and role in STRONG for item, role in found)
    opinions = judging.judge().weigh(judging.options(cut, reading.roles, standing, seat))
    sure = [one.probability for one in opinions if one.option.paise == price]
    return max(sure, default=0.0) >= (NAMED if is_named else SURE)
