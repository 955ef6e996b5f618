"""Does a text name a secret price? One reading for the buyer's budget and the seller's limit.

A secret is found in digits and in words, exact or rounded to the rupee, spaced out, as a near miss
beside a word of limits ("around 34.5k", "310 se kam nahi"), inside a narrow range, and in the
roundabout ways of ``agents.roundabout``.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from agents.number_words import ENGLISH, HINDI, spoken
from agents.reading.amounts import Amount, find_amounts
from agents.reading.plain_text import to_plain
from agents.reading.spelling import spell
from agents.reading.terms import Term, to_terms
from agents.roundabout import is_calculated, is_pulled_apart, is_told_by_digits

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
"""Said in the same message as a price near the secret, these give it away."""

LEFT_OUT = 0.1
"""Below this share of the second number, the first of a range has left its scale out."""

SCALE_FROM = 100_000
"""Paise: from a thousand rupees on, the scale that was left out is a thousand, else a hundred."""

_JOINERS = frozenset(
    ("to", "and", "se", "aur", "or", "ya", "till", "tak", "rs", "rupees", "₹", "$")
)
_HIDDEN_SCALES = (1, 1_000, 100_000)
"""A thousand or a lakh that people leave out: "around 34.5" of a scooter."""

_FOLDS = (("aa", "a"), ("ee", "i"), ("oo", "u"), ("z", "j"), ("w", "v"))
_DOUBLE = re.compile(r"(.)\1+")
_BREATH = re.compile(r"([bcdgjkpt])h+")
_WORD = re.compile(r"[a-z]+")
_NONE = re.compile(r"(?!)")


def names_secret(text: str, secret: int) -> bool:
    """Tell whether a text gives a secret price (in paise) away. Never raises.

    >>> names_secret("310 se kam nahi", 31_200), names_secret("I can do 340", 31_200)
    (True, False)
    """
    plain = to_plain(text)
    terms, _ = to_terms(plain)
    found = find_amounts(terms)
    if not _amounts(found).isdisjoint(secret_amounts(secret)):
        return True
    if _spaced_out(secret).search(plain.text):
        return True
    if _in_words(plain.text, secret) or _hints(terms, found, secret):
        return True
    return _in_disguise(plain.text, terms, found, secret)


def is_secret(price: int, secret: int) -> bool:
    """Tell whether saying this price (both in paise) would say the secret."""
    return price in secret_amounts(secret)


def amounts_in(text: str) -> frozenset[int]:
    """Give every number of a text as paise, in digits or words, also in its second reading."""
    return _amounts(find_amounts(to_terms(to_plain(text))[0]))


@lru_cache(maxsize=1024)
def secret_amounts(secret: int) -> frozenset[int]:
    """Give the secret and the round prices right beside it, in paise."""
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
    folded = f" {' '.join(_fold(word) for word in _WORD.findall(plain))} "
    return any(f" {phrase} " in folded for phrase in _secret_phrases(secret))


def _in_disguise(plain: str, terms: Sequence[Term], found: Sequence[Amount], secret: int) -> bool:
    if is_calculated(terms, found, secret_amounts(secret)):
        return True
    if is_told_by_digits(terms, secret // 100):
        return True
    letters = _fold("".join(_WORD.findall(plain)))
    return is_pulled_apart(letters, _joined_phrases(secret))


@lru_cache(maxsize=1024)
def _joined_phrases(secret: int) -> frozenset[str]:
    return frozenset(_fold(phrase.replace(" ", "")) for phrase in _secret_phrases(secret))


@lru_cache(maxsize=1024)
def _secret_phrases(secret: int) -> frozenset[str]:
    whole = {amount // 100 for amount in secret_amounts(secret)} - {0}
    phrases = {way for number in whole for way in spoken(number)}
    for language in (ENGLISH, HINDI):
        phrases |= {" ".join(language[int(d)] for d in str(number)) for number in whole}
    # One short word ("do", "ten") is everyday speech, not a price.
    several = {phrase for phrase in phrases if " " in phrase}
    return frozenset(" ".join(map(_fold, phrase.split())) for phrase in several)


@lru_cache(maxsize=1024)
def _spaced_out(secret: int) -> re.Pattern[str]:
    digits = str(secret // 100)
    between = r"[^a-z0-9]{0,3}"
    return (
        re.compile(rf"(?<![\d,.]){between.join(digits)}(?![\d,]*\d)") if len(digits) > 1 else _NONE
    )


def _fold(word: str) -> str:
    """Fold the spellings of one sound together: hazaar, hajar and hazar are one word."""
    for written, folded in _FOLDS:
        word = word.replace(written, folded)
    return _DOUBLE.sub(r"\1", _BREATH.sub(r"\1", word))
