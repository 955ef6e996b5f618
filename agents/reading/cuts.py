"""What a buyer asks to be taken off the standing ask: "40 % kam kar do" bids 60 % of it."""

from collections.abc import Sequence

from agents.reading.answer import Standing
from agents.reading.changes import Change, changes, is_percent, moved
from agents.reading.phrases import Phrasebook
from agents.reading.pieces import Text
from agents.reading.role_words import CLASSES
from agents.reading.spelling import word_set
from agents.reading.standing_words import standing_words
from negotiation.engine.quantities import MIN_PRICE, Paise

RUPEE = 100

LARGEST_SUM = 0.5
"""A sum above this share of the ask may be the price itself: "900 kam karo" is asked back."""

_CUTS = word_set(
    "kam off less discount minus cut reduce ghata ghatao chhod chhodo chhoot choot tod"
)
"""Words that ask for a cut in so many words; "come down 100" leaves open what 100 is."""

_HALVES: Phrasebook[str] = Phrasebook(
    (
        ("half|aadha ~ price|rate|daam|keemat|paisa", "half"),
        ("half|aadha mein|pe|par ~ de|dedo|do|doge|dena|dijiye|lunga|lungi", "half"),
        ("half|aadha kar ~ do|dijiye|doge|sakte", "half"),
    ),
    CLASSES,
)


def asked_cut(text: Text, said: Sequence[Change], standing: Standing) -> Paise | None:
    """Give what a cut that is clearly asked for leaves of the ask, in whole rupees.

    Args:
        text: the buyer's words.
        said: their numbers with the role of each.
        standing: what stands before them.

    Returns:
        None where no cut is asked for, or where it is not clear which.
    """
    if standing.ask is None:
        return None
    steps = [step for step in changes(text, list(said)) if step[1] == "off"]
    if len(steps) == 1 and len(said) == 1 and _is_clear(text, steps[0], standing.ask):
        return _whole(moved(text, steps[0], standing))
    return _whole(standing.ask // 2) if not said and _asks_for_half(text) else None


def _is_clear(text: Text, step: Change, ask: Paise) -> bool:
    if is_percent(text, step[0]):
        return True
    has_word = any(piece.text in _CUTS for piece in text.pieces)
    return has_word and step[0].amount.paise <= LARGEST_SUM * ask


def _asks_for_half(text: Text) -> bool:
    words = standing_words(text)
    is_named = words is not None and words.word == "half"
    return is_named or any(True for _ in _HALVES.find(text.pieces))


def _whole(price: int | None) -> Paise | None:
    if price is None or price < MIN_PRICE:
        return None
    return Paise(max(RUPEE, round(price / RUPEE) * RUPEE))
