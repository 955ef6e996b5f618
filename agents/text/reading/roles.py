"""Gives every amount of a text its role."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Literal

import msgspec

from agents.text.reading.phrases import AMOUNT, CLASSES, Hit, Phrasebook, Piece
from agents.text.reading.pieces import Said, Text
from agents.text.word_tables import read_table

_PHONE = re.compile(r"(?:0|91|0091)?[6-9]\d{9}\Z")
_GROUPED = re.compile(r"\d{1,3}(?:\.\d{2,3})*\.\d{3}\Z")
_TIME = re.compile(r"\s?:\s?\Z")


def codes(said: list[Said]) -> frozenset[int]:
    """Return the indexes of amounts that are codes: dates, and phone numbers, maybe cut in two."""
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


Role = Literal[
    "floor", "final", "named", "hint", "bare", "refused", "old", "rival", "later", "aside",
    "counted", "off", "more", "either", "year",
]  # fmt: skip
"""floor: the least the seller takes; final: called final; named: called the price; hint: probably
the price; bare: no word tells; refused: a price the seller turns down; old: the ask before; rival:
what somebody else pays; later: of another day, or "otherwise"; aside: another sum (paid, market,
loss, delivery); counted: people, days, pieces, units; off: taken off the ask; more: put on the bid;
either: one end of a range; year: counted if it looks like a year, else bare."""

Phrases = tuple[tuple[str, Role], ...]


class _Roles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    prices: Phrases
    refusals: Phrases
    other_sums: Phrases
    changes: Phrases
    counts: Phrases
    choices: Phrases
    corrections: Phrases


_ROLES = read_table(Path(__file__).with_name("roles.toml"), _Roles)
TABLE = (
    *_ROLES.prices, *_ROLES.refusals, *_ROLES.other_sums, *_ROLES.changes, *_ROLES.counts,
    *_ROLES.choices,
)  # fmt: skip
CORRECTIONS = _ROLES.corrections


_WEAK: dict[Role, int] = {"bare": -1000, "hint": -1000}
_UNITS = CLASSES["unit"] | CLASSES["time"]
_BOOK: Phrasebook[tuple[int, Role]] = Phrasebook(
    ((pattern, (place, role)) for place, (pattern, role) in enumerate(TABLE)), CLASSES
)

_CORRECTIONS: Phrasebook[tuple[int, Role]] = Phrasebook(
    (pattern, (place, role)) for place, (pattern, role) in enumerate(CORRECTIONS)
)
_WAS = frozenset({"tha", "thi"})
YEARS = range(1980, 2036)


def roles(text: Text) -> list[Role]:
    """Return the role of each amount of ``text.said``, in order."""
    best: dict[int, tuple[int, int, Role]] = {}
    years = {item.piece for item in text.said if _is_year(item)}
    flowing = [Piece(piece.text) for piece in text.pieces]
    for hit in (*_BOOK.find(text.pieces), *_CORRECTIONS.find(flowing)):
        place, role = hit.record
        if _labels_the_one_before(text, hit):
            continue
        rank = (hit.weight + _WEAK.get(role, 0), -place, role)
        for piece in _amounts(text, hit, role):
            if role == "year" and piece not in years:
                continue
            if piece not in best or rank[:2] > best[piece][:2]:
                best[piece] = rank
    found = codes(text.said)
    return [
        "counted" if index in found else _own_role(item, best.get(item.piece, (0, 0, "bare"))[2])
        for index, item in enumerate(text.said)
    ]


def _is_year(item: Said) -> bool:
    plain = not item.marked and not item.amount.scaled and len(item.amount.digits) == 4
    return plain and item.amount.paise // 100 in YEARS


def _amounts(text: Text, hit: Hit[tuple[int, Role]], role: Role) -> list[int]:
    pieces = [p for p in range(hit.first, hit.last + 1) if text.pieces[p].text == AMOUNT]
    # "170 no 165": the words turn the first down and say nothing of the second.
    return pieces if role in ("either", "counted") else pieces[:1]


def _labels_the_one_before(text: Text, hit: Hit[tuple[int, Role]]) -> bool:
    if not hit.first or text.pieces[hit.first].breaks:
        return False
    word = text.pieces[hit.first].text
    leans = word in _WAS or (hit.last == hit.first + 1 and word in CLASSES["label"])
    return leans and text.pieces[hit.first - 1].text == AMOUNT


def _own_role(item: Said, role: Role) -> Role:
    if item.glued or role == "year":
        return "counted"
    if item.after.lstrip().startswith("%"):
        return "off" if role == "off" else "counted"
    return role
