"""Gives every amount of a text its role."""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Literal

import msgspec

from agents.text.reading.phrases import AMOUNT, CLASSES, Hit, Phrasebook, Piece
from agents.text.reading.pieces import Said, Text
from agents.text.reading.spelling import word_set
from bazaarbatna.word_tables import read_table

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
    "counted", "off", "more", "either", "vague", "year",
]  # fmt: skip
"""floor: the least the seller takes; final: called final; named: called the price; hint: probably
the price; bare: no word tells; refused: a price the seller turns down; old: the ask before; rival:
what somebody else pays; later: of another day, or "otherwise"; aside: another sum (paid, market,
loss, delivery); counted: people, days, pieces, units; off: taken off the ask; more: put on the bid;
either: one end of a range; vague: near the price that is meant; year: counted if it looks like a
year, else bare."""

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
_BOOK: Phrasebook[tuple[int, Role]] = Phrasebook(
    ((pattern, (place, role)) for place, (pattern, role) in enumerate(TABLE)), CLASSES
)

_CORRECTIONS: Phrasebook[tuple[int, Role]] = Phrasebook(
    ((pattern, (place, role)) for place, (pattern, role) in enumerate(CORRECTIONS)), CLASSES
)
_WAS = frozenset({"tha", "thi"})
YEARS = range(1930, 2036)
STEPS: frozenset[Role] = frozenset({"off", "more"})
"""Roles of what moves a standing price."""


def roles(text: Text) -> list[Role]:
    """Return the role of each amount of ``text.said``, in order."""
    best: dict[int, tuple[int, int, Role]] = {}
    years = {item.piece for item in text.said if is_year(item)}
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
    found |= {index for index, item in enumerate(text.said) if _is_of_things(text, item)}
    told = [
        "counted" if index in found else _own_role(item, best.get(item.piece, (0, 0, "bare"))[2])
        for index, item in enumerate(text.said)
    ]
    return _by_signs(text, told)


def _by_signs(text: Text, found: list[Role]) -> list[Role]:
    """Let what stands between amounts speak: "5500 -> 5200", "~~5500~~ 5200", "5 - 5.5k", a sum."""
    said, told = text.said, list(found)
    for index, (left, right) in enumerate(pairwise(said)):
        pair = _by_signs_between(text, left, right, (told[index], told[index + 1]))
        if left.amount.paise == right.amount.paise and pair == ("refused", "bare"):
            pair = ("named", "named")  # "9500 matlab 9500"
        told[index : index + 2] = pair
        if left.before.endswith("~") and left.after.startswith("~"):
            told[index] = "old"
        if pair == ("counted", "hint") and _is_a_year_before(text, left, right):
            told[index + 1] = "aside"  # "bought in 2018 for 21000"
        if pair[0] in ("rival", "aside") and pair[1] == "bare" and _is_of_another(text, right):
            told[index + 1] = pair[0]  # "one guy offered 7500, another 7800"
    for index, item in enumerate(said):
        told[index] = _in_its_sentence(text, item, _by_mark(text, item) or told[index])
    for index in range(len(said) - 2):
        if _is_sum(said[index : index + 3]):
            told[index : index + 3] = "aside", "aside", "final"
    return [_beside_things(text, index, told) or role for index, role in enumerate(told)]


def _beside_things(text: Text, index: int, found: Sequence[Role]) -> Role | None:
    """Free a price of what comes beside it: "6000 aur do chai", "12000 + delivery 200"."""
    item, following = text.said[index], text.said[index + 1 : index + 2]
    if found[index] == "more" and _gives_things(text, item):
        return "bare"
    is_fee = bool(following) and list(found[index : index + 2]) == ["aside", "aside"]
    return "bare" if is_fee and _adds_fee(text, item, following[0]) else None


def _gives_things(text: Text, item: Said) -> bool:
    """Whether "do" behind a price counts what comes with it: "6000 aur do chai"."""
    words = text.pieces[item.piece + 1 : item.piece + 4]
    if [piece.text for piece in words[:2]] not in (["aur", "do"], ["and", "do"]) or len(words) < 3:
        return False
    return not words[2].breaks and words[2].text not in _AFTER_GIVE


_AFTER_GIVE = word_set(
    "na bhai bhaiya yaar please to phir bas sir madam ji didi aunty uncle beta mujhe hame aur and "
    "deal done pakka final le lelo main hum ok warna nahi"
)


def _adds_fee(text: Text, left: Said, right: Said) -> bool:
    """Whether a small sum behind a price is a cost beside it: "12000 + delivery 200"."""
    between = {piece.text for piece in text.pieces[left.piece + 1 : right.piece]}
    is_small = right.amount.paise * FEES <= left.amount.paise
    return is_small and bool(between) and between <= CLASSES["fees"] | _FEE_WORDS


FEES = 5
"""A price is so many times as large as what is paid beside it."""
_FEE_WORDS = word_set("advance token plus aur and ka ke ki charge charges extra alag cost")


def _is_of_another(text: Text, item: Said) -> bool:
    words, place = _clause(text, item.piece)
    return not _ANOTHER.isdisjoint(words[:place]) and _SPEAKERS.isdisjoint(words)


_ANOTHER = CLASSES["platform"] | word_set(
    "another other others dusra someone somebody koi his her their neighbour padosi dealer cousin"
)
_SPEAKERS = word_set("i im ill me my main mein mera mujhe you your aap aapko aapka tum tumhe lo do")


def _by_mark(text: Text, item: Said) -> Role | None:
    """Let a tick or a cross beside an amount speak: "12500 ❌ 11800 ✅"."""
    leads = _MARK.match(text.said[0].before.strip()) is not None
    sign = _MARK.search(item.before.strip()[-2:] if leads else item.after.strip()[:2])
    return ("final" if sign[0] in _TICKS else "refused") if sign else None


_TICKS = "\N{WHITE HEAVY CHECK MARK}\N{HEAVY CHECK MARK}\N{CHECK MARK}"
_MARK = re.compile(f"[{_TICKS}\N{CROSS MARK}\N{HEAVY MULTIPLICATION X}\N{NO ENTRY SIGN}]")


def _is_a_year_before(text: Text, left: Said, right: Said) -> bool:
    words, place = _clause(text, right.piece)
    return is_year(left) and not _BOUGHT.isdisjoint(words[:place])


_BOUGHT = word_set("bought purchased paid got liya li khareeda kharida launched")


def _by_signs_between(
    text: Text, left: Said, right: Said, found: tuple[Role, Role]
) -> tuple[Role, Role]:
    between = [piece.text for piece in text.pieces[left.piece + 1 : right.piece]]
    if (between[-2:] in _ELSE or between[-1:] in _ELSE) and found[0] not in ("counted", "aside"):
        first = max(left.piece - 3, 0)
        words, _ = _clause(text, left.piece)
        near = {*words[:2], *(piece.text for piece in text.pieces[first : right.piece + 2])}
        hangs = bool(near & _CONDITIONS) or _hangs_on_a_deed(text, left)
        if (len(between) > 2 or between in _OR_ELSE) and not hangs:
            return found
        return ("either", "either") if hangs else ("refused", "final")
    if not {"ya", "or"}.isdisjoint(between) and asks(text, right):
        return "either", "either"
    if between[:1] in (["ya"], ["or"]) and len(between) <= NEAR_OR and _PRICES.issuperset(found):
        return "either", "either"
    if between:
        return found
    if _ARROW.fullmatch(right.before):
        return "old", "final"
    is_range = _RANGE.fullmatch(right.before) or _are_neighbours(left, right)
    return ("either", "either") if is_range and _PRICES.issuperset(found) else found


def _hangs_on_a_deed(text: Text, item: Said) -> bool:
    """Whether what somebody does stands before an amount: "phone doge to 10000 nahi to 11000"."""
    before = [piece.text for piece in text.pieces[max(item.piece - 4, 0) : item.piece]]
    return len(before) > 1 and before[-1] == "to" and _OWN.isdisjoint(before)


_OWN = word_set("aaj abhi ab today now main mera hum hamara i my phir chalo ok theek")
_OR_ELSE = (["warna"], ["otherwise"], ["else"])
_ELSE = (["nahi", "to"], ["if", "not"], ["nahi", "sahi"], *_OR_ELSE)
NEAR_OR = 4
_CONDITIONS = frozenset({"saath", "sath", "with", "bina", "without", "agar", "if", "jab"})
_ARROW = re.compile(r"\s*(?:[-=~]*>+|[→➡➜➔⇒⟶➞]+)\s*")
_RANGE = re.compile(r"\s*[-~]\s*")
_PRICES: frozenset[Role] = frozenset({"floor", "final", "named", "hint", "bare", "either"})


def asks(text: Text, item: Said) -> bool:
    """Whether an amount stands in a question."""
    return sign_after(text, item, _END) == "?"


def _in_its_sentence(text: Text, item: Said, role: Role) -> Role:
    """Let a sentence that asks or doubts take away what an amount alone seems to say."""
    if role not in _OPEN:
        return role
    if asks(text, item) and _is_answered_no(text, item):
        return "refused"  # "drop to 8000? no"
    words, place = _clause(text, item.piece)
    if not _DOUBTS.isdisjoint(words):
        return "vague"
    ends = "is where" in " ".join(words) and not asks(text, item)  # "7500, that is where I stop"
    is_asked = words[0] in _DOES and asks(text, item) and _SUITS.isdisjoint(words[place:])
    if (_wonders(words, place) and not ends) or (is_asked and words[1:2] != ["you"]):
        return "vague" if _OFFERS.intersection(words) else "refused"
    return role


_OPEN: frozenset[Role] = frozenset({"named", "hint", "bare"})
_DOUBTS = word_set("maybe shayad perhaps probably might")
_WONDERS = word_set("who kisne kisko kaun why kyu kyun kaise kitne kidhar where")
_DOES = word_set("will did does is are was were has have anyone")
_SUITS = word_set("possible ok fine work works enough acceptable good alright suit suits")
_OFFERS = word_set("dunga dungi denge karo kardo lelo dedo lunga lungi dijiye lijiye take give")


def _wonders(words: list[str], place: int) -> bool:
    """Whether a clause begins with such a word, or has it behind its amount: "8000 kyu du"."""
    pairs = enumerate(pairwise([*words, ""]))
    near = [pair for at, pair in pairs if at < NEAR_START or at > place]
    near = near if words[:2] != ["thats", "why"] else []
    return any(word in _WONDERS and (word, after) not in _TELLING for word, after in near)


NEAR_START = 3
_TELLING = frozenset(
    {(word, after) for word in _WONDERS for after in ("not", "na", "nahi")}
    | {("where", who) for who in ("i", "im", "we", "ill", "my")}
)
"""What only seems to wonder: "why not 8000", "8000 is where I stop"."""


def _clause(text: Text, piece: int) -> tuple[list[str], int]:
    """Return the words of the clause that a piece stands in, and its place among them."""
    first, last = piece, piece + 1
    while first and not text.pieces[first].breaks:
        first -= 1
    while last < len(text.pieces) and not text.pieces[last].breaks:
        last += 1
    return [one.text for one in text.pieces[first:last]], piece - first


def _is_answered_no(text: Text, item: Said) -> bool:
    starts = (at for at in range(item.piece + 1, len(text.pieces)) if text.pieces[at].breaks)
    first = next(starts, len(text.pieces))
    return not _DENIALS.isdisjoint(piece.text for piece in text.pieces[first : first + 2])


_DENIALS = word_set("no nahi never nope impossible")


def sign_after(text: Text, item: Said, signs: re.Pattern[str]) -> str:
    """Return the first of some signs that follow an amount; "" for none."""
    end = signs.search(text.plain.text, item.amount.end)
    return end[0] if end else ""


_END = re.compile(r"[.!?\n]")


def _are_neighbours(left: Said, right: Said) -> bool:
    """Whether two numbers guess at one: "saat aath sau", "two three thousand", "2000 2200"."""
    low, high = left.amount, right.amount
    if right.before == " " and low.scaled and low.paise == HUNDRED < high.paise <= MOST_HUNDREDS:
        return True  # "sau do sau"
    if right.before == " " and len(low.digits) >= PRICE_DIGITS and high.digits:
        return low.paise < high.paise <= CLOSE * low.paise  # "2000 2200 tak"
    if right.before.strip(" -") or low.scaled or not high.scaled or not 0 < low.paise < 10_000:
        return False
    steps = (high.paise / (low.paise * scale) for scale in (100, 1000, 100_000))
    return any(1 < step <= MOST_BESIDE for step in steps)


HUNDRED, MOST_HUNDREDS = 100 * 100, 500 * 100
PRICE_DIGITS, CLOSE = 3, 1.5
"""Numbers of so many digits side by side are one guess where the second is no larger than that."""
MOST_BESIDE = 2
"""Of two numbers that guess at one, the second is no more than so many times the first."""


def _is_sum(three: Sequence[Said]) -> bool:
    one, two, left = (item.amount.paise for item in three)
    if not left or "=" not in three[2].before:
        return False
    sign = three[1].before.strip()
    return (sign == "-" and one - two == left) or (sign == "+" and one + two == left)


def is_year(item: Said) -> bool:
    """Whether a number is written as years are."""
    plain = not item.marked and not item.amount.scaled and len(item.amount.digits) == 4
    return plain and item.amount.paise // 100 in YEARS


def _is_of_things(text: Text, item: Said) -> bool:
    """Whether a small number counts things: "two mixers, which one", "2 of these"."""
    amount, after = item.amount, text.pieces[item.piece + 1 : item.piece + 2]
    if item.marked or amount.scaled or not 200 <= amount.paise < 10_000:
        return False
    before = " ".join(piece.text for piece in text.pieces[max(item.piece - 3, 0) : item.piece])
    if not amount.digits and _OF_ALL.search(before) and (not after or after[0].breaks):
        return True  # "350 for the six"
    if not after:
        return False
    if after[0].text in _IN_NUMBERS and not after[0].breaks:
        return True  # "barah jodi", "chaar ban jayein"
    if amount.paise >= 1000:
        return False
    if after[0].breaks or after[0].text in _NO_THINGS:
        return False
    if after[0].text in CLASSES["goods"] | CLASSES["fees"]:
        return True  # "3 service free"
    if any(piece.text in _KIND for piece in text.pieces[item.piece + 2 : item.piece + 3]):
        return True  # "4 wheel wala stroller"
    # "two extra controllers": one word may stand between.
    near = text.pieces[item.piece + 1 : item.piece + 3]
    several = any(_SEVERAL.fullmatch(one.text) for one in near if not one.breaks)
    words = {piece.text for piece in text.pieces[item.piece + 2 :]}
    return several or after[0].text == "of" or not _WHICH.isdisjoint(words)


_OF_ALL = re.compile(r"\b(?:for|of) (?:the|all|these|those|all the|all these)$")
_IN_NUMBERS = word_set(
    "jodi jodiyan joda jode pair pairs darjan dozen baatein batein chand ban bane janam pyali thali"
    " kapde jute joote chappal bartan kursi bachche aankhein"
)
_SEVERAL = re.compile(r"[a-z]{3,}(?<!s)s")
_NO_THINGS = frozenset({AMOUNT}) | word_set(
    "bucks rupees final bas paas plus this thus always perhaps yes dus grands thousands hundreds"
    " lakhs lacs works stays stands remains fees kas parts halves instalments installments"
)
_KIND = word_set("wala wale wali")
_WHICH = word_set("which kaunsa kaunsi kaunse konsa konsi konse")


def _amounts(text: Text, hit: Hit[tuple[int, Role]], role: Role) -> list[int]:
    pieces = [p for p in range(hit.first, hit.last + 1) if text.pieces[p].text == AMOUNT]
    scaled = {item.piece for item in text.said if item.amount.scaled}
    if role == "counted" and _goes_on_with_a_thing(text, hit, scaled):
        return []
    if role == "counted" and len(pieces) > 1:
        return [piece for piece in pieces if piece == pieces[-1] or piece not in scaled]
    # "170 no 165": the words turn the first down and say nothing of the second.
    return pieces if role == "either" else pieces[:1]


def _goes_on_with_a_thing(text: Text, hit: Hit[tuple[int, Role]], scaled: set[int]) -> bool:
    """Whether "and" parts a number with a scale from a thing: "sava lakh aur number plate"."""
    after = text.pieces[hit.first + 1 : hit.first + 2]
    return hit.first in scaled and any(piece.text in _AND for piece in after)


_AND = word_set("aur and with saath")


def _labels_the_one_before(text: Text, hit: Hit[tuple[int, Role]]) -> bool:
    if not hit.first or text.pieces[hit.first].breaks:
        return False
    word = text.pieces[hit.first].text
    leans = word in _WAS or (hit.last == hit.first + 1 and word in CLASSES["label"])
    before = text.pieces[hit.first - 1].text
    # "liya tha, 7500 lagenge": such a "tha" belongs to what was done.
    return leans and (before == AMOUNT or (word in _WAS and before in _BOUGHT))


def _own_role(item: Said, role: Role) -> Role:
    if item.glued or role == "year":
        return "counted"
    if item.after.lstrip().startswith("%"):
        return "off" if role == "off" else "counted"
    return role
