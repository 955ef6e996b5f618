"""Phrases that name a price by the standing ones: the middle of both, or the same ask again."""

from typing import Literal

import msgspec

from agents.reading.phrases import Phrasebook
from agents.reading.pieces import Text
from agents.reading.role_words import CLASSES
from agents.reading.spelling import word_set

Word = Literal["middle", "same", "half"]


class StandingWords(msgspec.Struct, frozen=True):
    """Such a phrase, at the pieces ``first..last``."""

    word: Word
    first: int
    last: int


_TABLE: tuple[tuple[str, Word], ...] = (
    ("meet|settle|close|agree ~ in|at? ~ middle|halfway|half_way|midway|centre|center", "middle"),
    ("in|at the middle", "middle"),
    ("middle|halfway|center|centre mein|pe|par", "middle"),
    ("halfsies|half_and_half", "middle"),
    ("halfway|half_way|mid_way|midway|midpoint|mid_point|middle_price|middle_ground", "middle"),
    ("split ~ difference|diff|gap", "middle"),
    ("split it", "middle"),
    ("beech mein|ka|wala", "middle"),
    ("half_half|fifty_fifty|aadha_aadha|fiftyfifty", "middle"),
    ("same|wahi|wohi price|ask", "same"),
    ("price|ask ~ same|wahi|wohi hai|only|rahega|hi?", "same"),
    ("my price|ask stays|stands|remains|hasnt_changed|wont_change|doesnt_change", "same"),
    ("sticking|stick to|with my|the price|ask", "same"),
    ("not changing|reducing|lowering|dropping my|the? price", "same"),
    ("price nahi badlega|badlunga|kam_hoga|girega", "same"),
    ("half ka? price", "half"),
    ("aadha price", "half"),
    ("aadha|half kar|karo|kardo|kar_do|lagao|lagaiye|daam|rate", "half"),
)
_BOOK: Phrasebook[Word] = Phrasebook(_TABLE, CLASSES)
_BEFORE = word_set("no not dont cant wont never nahi cannot koi")
_AFTER = word_set("nahi na not mat no nope kaha kahan kyu kaun chhod")
"""Behind it: "beech mein kahan se aa gaye" is about something else."""


def standing_words(text: Text) -> StandingWords | None:
    """Find the first such phrase that is not denied.

    "beech mein nahi" and "can't meet in the middle" are denials.
    """
    for hit in _BOOK.find(text.pieces):
        before = {piece.text for piece in text.pieces[max(hit.first - 3, 0) : hit.first]}
        after = {piece.text for piece in text.pieces[hit.last + 1 : hit.last + 3]}
        if hit.record == "same" or not (before & _BEFORE or after & _AFTER):
            return StandingWords(hit.record, hit.first, hit.last)
    return None
