"""The amounts of a text that may be the price, and what is unclear about one."""

import re
from itertools import pairwise

import msgspec

from agents.reading.answer import PriceReading, Standing
from agents.reading.pieces import Said, Text
from agents.reading.role_table import Role
from negotiation.engine.quantities import MAX_PRICE, MIN_PRICE

PRICE_ROLES: frozenset[Role] = frozenset({"floor", "final", "named", "hint", "bare", "either"})
MEANT_ROLES: frozenset[Role] = frozenset({"floor", "final"})
"""Whoever calls a number the last one means a price, and leaves its scale out at most."""
_MINUS = re.compile(r"(?:^|\s|[a-z])-\Z")
ALONE = 2
"""In a line of so many words a tiny number is still meant as a price."""


class Named(msgspec.Struct, frozen=True):
    """A possible price in paise; ``sure`` when a currency or a scale word stands with it."""

    paise: int
    role: Role
    said: Said
    sure: bool


def named_prices(text: Text, said: list[tuple[Said, Role]], standing: Standing) -> list[Named]:
    """Find the amounts that may be the price, each value once."""
    found = [
        _to_named(item, role, standing)
        for item, role in _without_start(said, standing)
        if role in PRICE_ROLES
    ]
    kept = _without_small(_joined(_with_shared_scale(found, standing), standing), standing)
    if not kept:
        kept = [name for name in found if name.role != "bare" or len(text.pieces) <= ALONE]
    return list({name.paise: name for name in kept}.values())


def _without_start(said: list[tuple[Said, Role]], standing: Standing) -> list[tuple[Said, Role]]:
    """Read "200 se 180" as a step down from the standing ask, not as a range."""
    for (left, role), (right, other) in pairwise(said):
        down = right.amount.paise < left.amount.paise == standing.ask
        if down and "either" in (role, other) and len(said) == 2:
            return [(right, "named")]
    return said


def _to_named(item: Said, role: Role, standing: Standing) -> Named:
    paise, other = item.amount.paise, item.amount.other
    if other is not None:
        fits = [value for value in (paise, other) if standing.fits(value)]
        if len(fits) == 1:
            return Named(fits[0], role, item, True)
    if role in MEANT_ROLES and standing.is_tiny(paise) and not item.marked:
        # "11.5 final" where 12,500 is asked.
        scaled = standing.with_scale(paise)
        if len(scaled) == 1:
            return Named(scaled[0], role, item, True)
    return Named(paise, role, item, other is None and (item.marked or item.amount.scaled))


def _with_shared_scale(found: list[Named], standing: Standing) -> list[Named]:
    """Read "4 se 5 hazaar" and "4-5k" as a range of thousands."""
    if len(found) != 2 or not all(name.role == "either" for name in found):
        return found
    left, right = found
    if left.sure or not right.said.amount.scaled or not standing.is_tiny(left.paise):
        return found
    meant = [price for price in standing.with_scale(left.paise) if price < right.paise]
    return [Named(meant[0], "either", left.said, True), right] if len(meant) == 1 else found


def _joined(found: list[Named], standing: Standing) -> list[Named]:
    """Read "3 200" as 3,200 where 200 alone would be no price."""
    if len(found) != 2:
        return found
    left, right = found
    digits = len(left.said.amount.digits) <= 3 and len(right.said.amount.digits) == 3
    whole = left.paise * 1000 + right.paise
    if digits and right.said.before == " " and standing.fits(whole):
        return found if standing.fits(right.paise) else [Named(whole, right.role, right.said, True)]
    return found


def _without_small(found: list[Named], standing: Standing) -> list[Named]:
    """Drop bare numbers far too small for a price: "2 for 300", "I have 2 kids"."""
    return [
        name
        for name in found
        if name.sure or name.said.amount.fraction or not standing.is_tiny(name.paise)
    ]


def unclear(name: Named, standing: Standing) -> PriceReading | None:
    """Ask back about a single price that is not beyond doubt; None when it is."""
    amount = name.said.amount
    if not MIN_PRICE <= name.paise <= MAX_PRICE:
        return standing.price(name.paise, None)
    if not name.said.marked and _MINUS.search(name.said.before):
        return standing.whether(name.paise)
    if amount.other is not None and not name.sure:
        return standing.one_of([name.paise, amount.other])
    if amount.fraction:
        return standing.one_of(standing.with_scale(name.paise) or [name.paise * 100])
    if name.sure or not standing.is_small(name.paise):
        return None
    meant = standing.with_scale(name.paise)
    if meant:
        return standing.one_of([name.paise, *meant])
    return standing.whether(name.paise) if standing.is_tiny(name.paise) else None
