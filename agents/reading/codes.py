"""Digits that are no sum of money: phone numbers, dates, times, codes."""

import re
from itertools import pairwise

from agents.reading.pieces import Said

_PHONE = re.compile(r"(?:0|91|0091)?[6-9]\d{9}\Z")
_GROUPED = re.compile(r"\d{1,3}(?:\.\d{2,3})*\.\d{3}\Z")
_TIME = re.compile(r"\s?:\s?\Z")


def codes(said: list[Said]) -> frozenset[int]:
    """Give the indexes of the amounts that are codes.

    A phone number may be cut in two (98765 43210); a date has two or three parts (12/05/24).
    """
    found = {index for index, item in enumerate(said) if _is_code(item)}
    for index, (left, right) in enumerate(pairwise(said)):
        if right.piece != left.piece + 1 or not (left.amount.digits and right.amount.digits):
            continue
        joined = left.amount.digits + right.amount.digits
        sign = right.before.strip()
        if (_is_phone(joined) and len(left.amount.digits) > 2) or _is_clock(left, right):
            found |= {index, index + 1}
        elif sign in ("/", "-", ".") and _is_date(left, right, said[index + 2 : index + 3]):
            found |= {index, index + 1, *range(index + 2, min(index + 3, len(said)))}
    return frozenset(found)


def _is_code(item: Said) -> bool:
    digits = item.amount.digits
    if not digits or item.amount.scaled:
        return bool(item.glued)
    if item.before.endswith(("#", "_", "@.")) or item.after.startswith(("_", "@")):
        return True
    if item.before.endswith("+") and digits.startswith("91"):
        return True
    if len(digits) > 1 and digits[0] == "0" and digits[1] not in ".,":
        return True
    return (digits.count(".") > 1 and not _GROUPED.match(digits)) or (
        not item.marked and _is_phone(digits)
    )


def _is_phone(digits: str) -> bool:
    return _PHONE.match(digits) is not None


def _is_clock(left: Said, right: Said) -> bool:
    return (
        _TIME.match(right.before) is not None
        and len(right.amount.digits) == 2
        and _number(left) < 24
        and _number(right) < 60
    )


def _is_date(left: Said, right: Said, third: list[Said]) -> bool:
    if not 0 < _number(left) <= 31 or not 0 < _number(right) <= 12:
        return False
    if third and third[0].before.strip() == right.before.strip() and third[0].amount.digits:
        return len(third[0].amount.digits) in (2, 4)
    return False


def _number(item: Said) -> int:
    return item.amount.paise // 100
