"""Gives every amount of a text its role."""

from agents.reading.codes import codes
from agents.reading.phrases import AMOUNT, Hit, Phrasebook, Piece
from agents.reading.pieces import Said, Text
from agents.reading.role_table import CORRECTIONS, TABLE, Role
from agents.reading.role_words import CLASSES

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
    """Give the role of each amount of ``text.said``, in order."""
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
    """Tell whether a word belongs to the number in front: "2021 model 42000", "200 tha 180"."""
    if not hit.first or text.pieces[hit.first].breaks:
        return False
    word = text.pieces[hit.first].text
    leans = word in _WAS or (hit.last == hit.first + 1 and word in CLASSES["label"])
    return leans and text.pieces[hit.first - 1].text == AMOUNT


def _own_role(item: Said, role: Role) -> Role:
    """Let the signs written against an amount overrule the words around it."""
    if item.glued or role == "year":
        return "counted"
    if item.after.lstrip().startswith("%"):
        return "off" if role == "off" else "counted"
    return role
