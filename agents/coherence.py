"""What a message of the buyer may say: its own price, never the budget, one short plain line.

The budget must not appear even where a legitimate price happens to equal it: such a move is
spoken without any number (the price still stands in the move itself).
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from agents.number_words import ENGLISH, spoken
from agents.reading.amounts import find_amounts
from agents.reading.plain_text import to_plain
from agents.reading.terms import to_terms
from negotiation.engine.moves import Accept, Move, Offer
from negotiation.engine.observe import BuyerObservation

MAX_MESSAGE = 240
"""Characters of a message."""

LIKE_A_PRICE = 0.1
"""A number of at least this share of the ask is taken for a price; smaller ones are counts."""

_MARKUP = re.compile(r"[<>`{}\[\]|\\]|\*\*|__|https?:|www\.|^#|\]\(")
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_SPACE = re.compile(r"\s+")
_FOLDS = (("aa", "a"), ("ee", "i"), ("oo", "u"), ("z", "j"), ("w", "v"))
_DOUBLE = re.compile(r"(.)\1+")
_BREATH = re.compile(r"([bcdgjkpt])h+")
_WORD = re.compile(r"[a-z]+")


def tidy(text: str) -> str:
    r"""Make one line of a text: no control, direction or invisible characters, single spaces.

    >>> tidy("ek\u200b baat\n\nsuniye ")
    'ek baat suniye'
    """
    spaced = _SPACE.sub(" ", text)
    kept = [c for c in spaced if c.isascii() or unicodedata.category(c) not in _INVISIBLE]
    plain = "".join(c for c in kept if c == " " or c.isprintable())
    return _SPACE.sub(" ", plain).strip()


def is_plain(text: str) -> bool:
    """Tell whether a text is one short line without markup and hidden characters."""
    return len(text) <= MAX_MESSAGE and tidy(text) == text and not _MARKUP.search(text)


def names_budget(text: str, budget: int) -> bool:
    """Tell whether a text holds the budget (in paise) in digits or in words.

    Whole rupees just below and nearest to it count as well, and digits that are spaced out.
    """
    secret = _secret_amounts(budget)
    if any(amount in secret for amount in amounts_in(text)):
        return True
    plain = to_plain(text).text
    if _spaced_out(budget).search(plain):
        return True
    folded = f" {' '.join(_fold(word) for word in _WORD.findall(plain))} "
    return any(f" {phrase} " in folded for phrase in _secret_phrases(budget))


def is_secret(price: int, budget: int) -> bool:
    """Tell whether saying this price (both in paise) would say the budget."""
    return price in _secret_amounts(budget)


def names_price(text: str, observation: BuyerObservation, move: Move) -> bool:
    """Tell whether the prices in a text are those of the move.

    An offer with prices in its text names its own; beside it only the standing ask may stand. An
    acceptance names the ask, a walk the ask or the own last bid. Numbers of the item's title, and
    numbers too small to be a price, are left alone.
    """
    ask = observation.standing_ask
    title = amounts_in(observation.item.title)
    said = {a for a in amounts_in(text) if a >= LIKE_A_PRICE * ask and a not in title}
    if isinstance(move, Offer):
        return not said or (move.price in said and said <= {move.price, ask})
    if isinstance(move, Accept):
        return said <= {ask}
    return said <= {ask, observation.own_last_bid}


def is_coherent(text: str, observation: BuyerObservation, move: Move) -> bool:
    """Tell whether a message may be sent with a move."""
    return (
        bool(text)
        and is_plain(text)
        and not names_budget(text, observation.budget)
        and names_price(text, observation, move)
    )


def first_coherent(texts: Iterable[str], observation: BuyerObservation, move: Move) -> str:
    """Give the first text that may be sent with the move; no words if none may.

    Args:
        texts: wordings from the preferred to the safest, made only as far as needed.
        observation: the position before the move.
        move: what is played.
    """
    return next((t for t in map(tidy, texts) if is_coherent(t, observation, move)), "")


def amounts_in(text: str) -> frozenset[int]:
    """Give every number of a text as paise, in digits or words, also in its second reading."""
    found = find_amounts(to_terms(to_plain(text))[0])
    return frozenset({a.paise for a in found} | {a.other for a in found if a.other is not None})


@lru_cache(maxsize=1024)
def _secret_amounts(budget: int) -> frozenset[int]:
    tenth, rupee = 10, 100
    nearest = {(budget + unit // 2) // unit * unit for unit in (tenth, rupee)}
    return frozenset({budget, budget // tenth * tenth, budget // rupee * rupee} | nearest)


@lru_cache(maxsize=1024)
def _secret_phrases(budget: int) -> frozenset[str]:
    whole = {amount // 100 for amount in _secret_amounts(budget)} - {0}
    phrases = {way for number in whole for way in spoken(number)}
    phrases |= {" ".join(ENGLISH[int(d)] for d in str(number)) for number in whole}
    # One short word ("do", "ten") is everyday speech, not a price.
    several = {phrase for phrase in phrases if " " in phrase}
    return frozenset(" ".join(map(_fold, phrase.split())) for phrase in several)


@lru_cache(maxsize=1024)
def _spaced_out(budget: int) -> re.Pattern[str]:
    digits = str(budget // 100)
    between = r"[^a-z0-9]{0,3}"
    return (
        re.compile(rf"(?<![\d,.]){between.join(digits)}(?![\d,]*\d)") if len(digits) > 1 else _NONE
    )


_NONE = re.compile(r"(?!)")


def _fold(word: str) -> str:
    """Fold the spellings of one sound together: hazaar, hajar and hazar are one word."""
    for written, folded in _FOLDS:
        word = word.replace(written, folded)
    return _DOUBLE.sub(r"\1", _BREATH.sub(r"\1", word))
