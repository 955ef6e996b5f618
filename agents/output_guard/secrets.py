"""Whether a text names or hides a secret price: a buyer's budget or a seller's limit.

A secret is found in digits and in words, exact or rounded to the rupee, spaced out, as a near miss
beside a word of limits ("around 34.5k", "310 se kam nahi"), inside a narrow range, as a sum, digit
by digit or with its letters pulled apart. Said backwards, as a product or in base64 it is no price
and no near miss: so words may hold no numbers but those of the listing and of the game, and no
codes (``hides_number``). Even a digit a turn would tell it in the end.
"""

import base64
import binascii
import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise

from agents.text.reading.amounts import Amount, take_apart
from agents.text.reading.plain_text import Term, to_plain
from agents.text.reading.spelling import spell
from bazaarbatna.bargain.scenario import Item
from bazaarbatna.number_words import ENGLISH, HINDI, spoken

FEWEST_DIGITS = 3

FEWEST_LETTERS = 8


def _spelled(words: str) -> frozenset[str]:
    return frozenset(spell(word) for word in words.split())


PLUS = _spelled("plus add added aur and jod jodo")
MINUS = _spelled("minus less kam short ghata ghatao below under")
TIMES = _spelled("times x into guna multiplied")
TWICE = _spelled("double twice dugna duguna")
HALF = _spelled("half aadha")

_DIGITS = {spell(word): str(value) for value, word in enumerate(ENGLISH[:10])}
_DIGITS |= {spell(word): str(value) for value, word in enumerate(HINDI[:10])}


def is_calculated(terms: Sequence[Term], found: Sequence[Amount], secrets: Collection[int]) -> bool:
    """Whether two numbers beside each other, or half or twice one, make a secret (paise).

    >>> sum_ = take_apart("300 plus 10")
    >>> is_calculated(sum_.terms, sum_.amounts, {31_000})
    True
    """
    words = {term.text for term in terms}
    doubled, halved = not TWICE.isdisjoint(words), not HALF.isdisjoint(words)
    for amount in found:
        if (doubled and amount.paise * 2 in secrets) or (halved and amount.paise // 2 in secrets):
            return True
    return any(_makes(terms, first, second, secrets) for first, second in pairwise(found))


def _is_told_by_digits(terms: Sequence[Term], rupees: int) -> bool:
    digits = str(rupees)
    if len(digits) < FEWEST_DIGITS:
        return False
    said = (t.text if t.digits else _DIGITS.get(t.text, "") for t in terms)
    return digits in "".join(one for one in said if len(one) == 1)


def _is_pulled_apart(letters: str, phrases: Collection[str]) -> bool:
    return any(len(phrase) >= FEWEST_LETTERS and phrase in letters for phrase in phrases)


def _makes(terms: Sequence[Term], first: Amount, second: Amount, secrets: Collection[int]) -> bool:
    between = terms[first.last + 1 : second.first]
    words = {term.text for term in between}
    sign = terms[second.first].gap.strip() if not between else ""
    if (sign == "+" or not words.isdisjoint(PLUS)) and first.paise + second.paise in secrets:
        return True
    if sign in ("*", "x", "×") or not words.isdisjoint(TIMES):
        return first.paise * second.paise // 100 in secrets
    # "320 minus 10", "10 less than 320", "320 se 10 kam".
    less = {*words, *(term.text for term in terms[second.last + 1 : second.last + 3])}
    return not less.isdisjoint(MINUS) and abs(first.paise - second.paise) in secrets


NEAR = 0.01
"""A price within this share of the secret is as good as the secret beside a word of limits."""

NARROW = 0.25
"""A range around the secret no wider than this share of it tells too much."""

_LIMIT_WORDS = (
    "least most minimum min mini lowest last floor limit bottom rock below under above beyond "
    "less lower higher more than around about roughly approx approximately near nearly almost "
    "close closer max maximum budget upto cap highest final finally afford wallet pocket purse "
    "reserve reservation cost break even "
    "kam zyada jyada tak neeche niche upar aakhri akhri antim kareeb karib lagbhag aaspaas "
    "paas takriban takreeban jeb kharid laagat lagat seema had hadd"
)
LIMIT_WORDS = frozenset(spell(word) for word in _LIMIT_WORDS.split())

LEFT_OUT = 0.1
"""Below this share of the second number, the first of a range has left its scale out."""

SCALE_FROM = 100_000
"""Paise: from a thousand rupees on, the scale that was left out is a thousand, else a hundred."""

_JOINERS = frozenset(
    ("to", "and", "se", "aur", "or", "ya", "till", "tak", "rs", "rupees", "₹", "$")
)
_HIDDEN_SCALES = (1, 1_000, 100_000)

_FOLDS = (("aa", "a"), ("ee", "i"), ("oo", "u"), ("z", "j"), ("w", "v"))
_DOUBLE = re.compile(r"(.)\1+")
_BREATH = re.compile(r"([bcdgjkpt])h+")
_WORD = re.compile(r"[a-z]+")
_NONE = re.compile(r"(?!)")


def names_secret(text: str, secret: int) -> bool:
    """Whether a text gives a secret price (in paise) away. Never raises.

    >>> names_secret("310 se kam nahi", 31_200), names_secret("I can do 340", 31_200)
    (True, False)
    """
    parts = take_apart(text)
    plain, terms, found = parts.plain, parts.terms, parts.amounts
    if not _amounts(found).isdisjoint(_secret_amounts(secret)):
        return True
    if _spaced_out(secret).search(plain.text):
        return True
    if _in_words(plain.text, secret) or _hints(terms, found, secret):
        return True
    return _in_disguise(plain.text, terms, found, secret)


def is_secret(price: int, secret: int) -> bool:
    """Whether saying this price (both in paise) would say the secret."""
    return price in _secret_amounts(secret)


def amounts_in(text: str) -> frozenset[int]:
    """Return every number of a text as paise, in digits or words, also in its second reading."""
    return _amounts(take_apart(text).amounts)


@lru_cache(maxsize=1024)
def _secret_amounts(secret: int) -> frozenset[int]:
    tenth, rupee = 10, 100
    nearest = {(secret + unit // 2) // unit * unit for unit in (tenth, rupee)}
    return frozenset({secret, secret // tenth * tenth, secret // rupee * rupee} | nearest)


def _amounts(found: Sequence[Amount]) -> frozenset[int]:
    return frozenset({a.paise for a in found} | {a.other for a in found if a.other is not None})


def _hints(terms: Sequence[Term], found: Sequence[Amount], secret: int) -> bool:
    limits = any(term.text in LIMIT_WORDS for term in terms)
    if limits and any(_is_near(value, secret) for value in _amounts(found)):
        return True
    pairs = pairwise(found)
    return any(_is_range(terms, low, high, secret) for low, high in pairs)


def _is_near(value: int, secret: int) -> bool:
    return any(abs(value * scale - secret) <= NEAR * secret for scale in _HIDDEN_SCALES)


def _is_range(terms: Sequence[Term], first: Amount, second: Amount, secret: int) -> bool:
    low, high = sorted((first.paise, second.paise))
    if first.paise < LEFT_OUT * second.paise and second.scaled and not first.scaled:
        # "30 to 32k": the scale of the second counts for the first.
        low = first.paise * (1_000 if second.paise >= SCALE_FROM else 100)
        low, high = sorted((low, second.paise))
    between = terms[first.last + 1 : second.first]
    joined = all(term.text in _JOINERS for term in between)
    return joined and low <= secret <= high and high - low <= NARROW * secret


def _in_words(plain: str, secret: int) -> bool:
    folded = f" {' '.join(map(_folded_word, _WORD.findall(plain)))} "
    return any(f" {phrase} " in folded for phrase in _secret_phrases(secret))


def _in_disguise(plain: str, terms: Sequence[Term], found: Sequence[Amount], secret: int) -> bool:
    if is_calculated(terms, found, _secret_amounts(secret)):
        return True
    if _is_told_by_digits(terms, secret // 100):
        return True
    letters = _fold("".join(_WORD.findall(plain)))
    return _is_pulled_apart(letters, _joined_phrases(secret))


@lru_cache(maxsize=1024)
def _joined_phrases(secret: int) -> frozenset[str]:
    return frozenset(_fold(phrase.replace(" ", "")) for phrase in _secret_phrases(secret))


@lru_cache(maxsize=1024)
def _secret_phrases(secret: int) -> frozenset[str]:
    whole = {amount // 100 for amount in _secret_amounts(secret)} - {0}
    phrases = {way for number in whole for way in spoken(number)}
    for language in (ENGLISH, HINDI):
        phrases |= {" ".join(language[int(d)] for d in str(number)) for number in whole}
    # One short word ("do", "ten") is everyday speech, not a price.
    several = {phrase for phrase in phrases if " " in phrase}
    return frozenset(" ".join(map(_folded_word, phrase.split())) for phrase in several)


@lru_cache(maxsize=1024)
def _spaced_out(secret: int) -> re.Pattern[str]:
    digits = str(secret // 100)
    between = r"[^a-z0-9]{0,3}"
    return (
        re.compile(rf"(?<![\d,.]){between.join(digits)}(?![\d,]*\d)") if len(digits) > 1 else _NONE
    )


def _fold(word: str) -> str:
    for written, folded in _FOLDS:
        word = word.replace(written, folded)
    return _DOUBLE.sub(r"\1", _BREATH.sub(r"\1", word))


_folded_word = lru_cache(maxsize=8192)(_fold)


HUNDRED = 10_000
"""Paise: "100 % original" is talk."""

_MIXED = re.compile(r"[a-z]+\d+[a-z]|\d[a-z]+\d", re.IGNORECASE)
_FINE = re.compile(r"(?<!\d)0\.0\d+|\d\.\d{4,}")
"""A part of something large ("0.0085 lakh"), finer than the reading of amounts."""

_CODE_WORD = re.compile(r"[A-Za-z0-9+/]{3,}={0,2}")
_LEET = str.maketrans("oliezastbg", "0113245789")
_ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
    (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


def hides_number(text: str, secret: int, item: Item, known: frozenset[int]) -> bool:
    """Whether a text may hide the secret price (paise); never raises.

    ``item`` is the listing, whose numbers may be said, ``known`` are prices of the game in paise.

    >>> stall = Item("Kettle, 2 litre")
    >>> hides_number("690 times 50", 3_450_000, stall, frozenset())
    True
    >>> hides_number("all 2 litre of it", 3_450_000, stall, frozenset())
    False
    """
    listed = f"{item.title} {item.condition}"
    return (
        any(_is_fancy(letter) for letter in text if letter not in listed)
        or _FINE.search(to_plain(text).text) is not None
        or _has_foreign_number(text, listed, known)
        or any(_is_code(word, secret) for word in _CODE_WORD.findall(text) if word not in listed)
    )


def _has_foreign_number(text: str, listed: str, known: frozenset[int]) -> bool:
    parts = take_apart(text)
    return any(
        known.isdisjoint((a.paise, a.other))
        and a.paise != HUNDRED
        and _beside(parts.terms, a).isdisjoint(_named(listed))
        for a in parts.amounts
    )


Beside = tuple[str, int, str]


@lru_cache(maxsize=512)
def _named(listed: str) -> frozenset[Beside]:
    parts = take_apart(listed)
    return frozenset().union(*(_beside(parts.terms, amount) for amount in parts.amounts))


def _beside(terms: Sequence[Term], amount: Amount) -> frozenset[Beside]:
    before = terms[amount.first - 1].text if amount.first else ""
    after = terms[amount.last + 1].text if amount.last + 1 < len(terms) else ""
    both = {(before, amount.paise, ""), ("", amount.paise, after)}
    return frozenset(both - {("", amount.paise, "")})


def _is_fancy(letter: str) -> bool:
    if letter.isascii() or unicodedata.decimal(letter, None) is not None:
        return False
    return unicodedata.numeric(letter, None) is not None


def _is_code(word: str, secret: int) -> bool:
    if _MIXED.search(word):
        return True
    codes = _codes(secret)
    return word in codes or word.lower().translate(_LEET) in codes or _unpacked(word) in codes


@lru_cache(maxsize=1024)
def _codes(secret: int) -> frozenset[str]:
    rupees = {amount // 100 for amount in _secret_amounts(secret)}
    return frozenset({str(one) for one in rupees} | {_roman(one) for one in rupees})


def _unpacked(word: str) -> str:
    bare = word.rstrip("=")
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4)).decode("ascii")
    except (binascii.Error, ValueError):
        return ""


@lru_cache(maxsize=1024)
def _roman(number: int) -> str:
    letters = ""
    for value, name in _ROMAN:
        count, number = divmod(number, value)
        letters += name * min(count, 1_000)
    return letters
