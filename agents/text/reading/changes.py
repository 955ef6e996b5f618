"""Amounts that move a standing price: "50 kam" off the ask, "20 aur do" on the bid."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from agents.text.reading.answer import PriceReading, Standing, ask_without_bid
from agents.text.reading.phrases import CLASSES, Phrasebook
from agents.text.reading.pieces import Said, Text
from agents.text.reading.roles import STEPS, Role
from agents.text.reading.spelling import word_set
from bazaarbatna.bargain.quantities import MIN_PRICE, Paise, clamp_price
from bazaarbatna.word_tables import read_table

Change = tuple[Said, Role]
Word = Literal["middle", "same", "half"]


class _Found(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    standing: tuple[tuple[str, Word], ...]
    halves: tuple[str, ...]
    words: dict[str, str]


_FOUND = read_table(Path(__file__).with_suffix(".toml"), _Found)
_WORDS = {name: word_set(words) for name, words in _FOUND.words.items()}

LEAST_LEFT = 0.5
"""A step that leaves less than this share of the ask is asked back: "I came down 170"."""

LEAST_OF_BID = 0.8
"""So is one that lands below this share of the bid."""

_BEFORE, _AFTER = _WORDS["before"], _WORDS["after"]
_PERCENT = word_set("percent pc pratishat")


def changes(text: Text, said: list[Change], standing: Standing) -> list[Change]:
    """Find the changes of a text that are not denied; of a step for a step the speaker's own."""
    found = [pair for pair in said if pair[1] in STEPS and not _denied(text, pair[0])]
    # "1900 chhod do": the whole ask is no step.
    found = [pair for pair in found if pair[0].amount.paise != standing.ask]
    return [pair for pair in found if pair[1] == "off"] or found


def _denied(text: Text, item: Said) -> bool:
    begins = max(at for at in range(item.piece + 1) if not at or text.pieces[at].breaks)
    before = {piece.text for piece in text.pieces[max(item.piece - 4, begins) : item.piece]}
    starts = (at for at in range(item.piece + 1, len(text.pieces)) if text.pieces[at].breaks)
    ends = min(item.piece + 5, next(starts, len(text.pieces)))
    after = {piece.text for piece in text.pieces[item.piece + 2 : ends]}
    return bool(before & _BEFORE or after & _AFTER)


def changed_price(text: Text, found: list[Change], standing: Standing) -> PriceReading:
    """Answer with the price that a change leads to, or ask back."""
    prices = dict.fromkeys(moved(text, change, standing) for change in found)
    if len(prices) > 1:
        return standing.one_of(price for price in prices if price is not None)
    item, role = found[0]
    price = moved(text, found[0], standing)
    if price is None:
        return PriceReading(question=ask_without_bid())
    if role == "off" and not _is_step_down(price, standing):
        return standing.off_or_price(item.amount.paise, price)
    if role == "off" and "came down" in " ".join(piece.text for piece in text.pieces):
        return PriceReading()  # "I came down 8 thousand" tells of steps that were taken
    if role == "more" and not _says_more(text, item):
        return standing.whether_reckoned(price)
    if role == "more" and standing.ask is not None and price > standing.ask:
        if (standing.bid or 0) < item.amount.paise <= standing.ask:
            # "1050 aur treat bhi doge": no ask goes up, so this is one, "and" something beside it.
            return standing.price(item.amount.paise, text.span(item.piece, item.piece))
        return standing.one_of([item.amount.paise, price])
    return standing.price(price, text.span(item.piece, item.piece))


def moved(text: Text, change: Change, standing: Standing) -> int | None:
    """Take an amount off the ask, or put it on the bid (paise); None when nothing stands there."""
    item, role = change
    start = standing.bid if role == "more" else standing.ask
    if start is None:
        return None
    by = item.amount.paise
    if is_percent(text, item):
        by = clamp_price(start * min(by / 10_000, 1.0), 0)
    return start + by if role == "more" else start - by


def _says_more(text: Text, item: Said) -> bool:
    """Whether it is clearly put on the bid: "500 aur" alone may be anything."""
    words = {piece.text for piece in text.pieces}
    return bool(words & _WORDS["raises"]) and "plus" not in words


def _is_step_down(price: int, standing: Standing) -> bool:
    ask, bid = standing.ask or 0, standing.bid or 0
    return price >= LEAST_LEFT * ask and price >= LEAST_OF_BID * bid


def is_percent(text: Text, item: Said) -> bool:
    """Whether a number is a part of a hundred: "10 %", "das percent"."""
    if item.after.lstrip().startswith("%"):
        return True
    following = text.pieces[item.piece + 1 : item.piece + 2]
    return bool(following) and following[0].text in _PERCENT


class StandingWords(msgspec.Struct, frozen=True):
    """Such a phrase, at the pieces ``first..last``."""

    word: Word
    first: int
    last: int


_BOOK: Phrasebook[Word] = Phrasebook(_FOUND.standing, CLASSES)
_BEFORE_STANDING = _WORDS["before_standing"]
_BY_FIFTIES = word_set("ka ke karke karka badha badhate badhao badh badhte utar utarte")
"""Behind "50 50" these count steps: "50 50 kar ke badha rahi ho"."""
_AFTER_STANDING = _WORDS["after_standing"]


def standing_words(text: Text) -> StandingWords | None:
    """Find the first such phrase that is not denied ("can't meet in the middle")."""
    for hit in _BOOK.find(text.pieces):
        before = {piece.text for piece in text.pieces[max(hit.first - 3, 0) : hit.first]}
        after = {piece.text for piece in text.pieces[hit.last + 1 : hit.last + 3]}
        if text.pieces[hit.first].text == "fiftyfifty" and after & _BY_FIFTIES:
            continue
        if hit.record == "same" or not (before & _BEFORE_STANDING or after & _AFTER_STANDING):
            return StandingWords(hit.record, hit.first, hit.last)
    return None


def is_plain(text: Text) -> bool:
    """Whether a step may be believed: nobody's price is read out of a story or a condition."""
    waits = "?" in text.plain.text or any(
        piece.text in _WAITING | CLASSES["fees"] for piece in text.pieces
    )
    spans = any(_is_a_guess(text, item) for item in text.said)
    return not (waits or spans) and len(text.pieces) <= MANY_PIECES


def _is_a_guess(text: Text, item: Said) -> bool:
    """Whether a step may be from one number to another: "sau pachas kam" is 50 to 100 less."""
    amount = item.amount
    return amount.first != amount.last and text.terms[amount.first].text in _ROUGHLY


_ROUGHLY = word_set("sau hazaar hazar")


MANY_PIECES = 10
_WAITING = _WORDS["waiting"]
"""Words with which a step is spoken of, or hangs on something."""


def moves(found: Sequence[Role]) -> bool:
    """Whether a line takes something off or puts something on."""
    return not STEPS.isdisjoint(found)


def own_step(text: Text, reading: PriceReading, standing: Standing) -> PriceReading:
    """Ask a buyer whether the step up is meant: "I add 300, you drop 300"."""
    if not {*reading.roles} >= STEPS:
        return reading
    said = list(zip(text.said, reading.roles, strict=True))
    ups = {up for step in said if step[1] == "more" and (up := moved(text, step, standing))}
    is_named = any(item.amount.paise == reading.price for item, _ in said)
    return reading if is_named or not ups else standing.one_of(ups)


RUPEE = 100

LARGEST_SUM = 0.5
"""A sum above this share of the ask may be the price itself: "900 kam karo" is asked back."""

_HALVES = Phrasebook(((row, "half") for row in _FOUND.halves), CLASSES)


def asked_cut(text: Text, said: Sequence[Change], standing: Standing) -> Paise | None:
    """Return what a cut that is clearly asked for leaves of the ask, in whole rupees, or None."""
    if standing.ask is None:
        return None
    steps = [step for step in changes(text, list(said), standing) if step[1] == "off"]
    others = {item.amount.paise for item, role in said if role != "off"}
    of_the_ask = bool(steps) and is_percent(text, steps[0][0]) and others == {standing.ask}
    alone = len(said) == 1 or of_the_ask  # "10 percent off on 3000"
    if len(steps) == 1 and alone and _is_clear(text, steps[0], standing.ask):
        return _whole(moved(text, steps[0], standing))
    return _whole(standing.ask // 2) if not said and _asks_for_half(text) else None


def _is_clear(text: Text, step: Change, ask: Paise) -> bool:
    if is_percent(text, step[0]):
        return True
    has_word = any(piece.text in _WORDS["cuts"] for piece in text.pieces)
    return has_word and step[0].amount.paise <= LARGEST_SUM * ask


def _asks_for_half(text: Text) -> bool:
    words = standing_words(text)
    is_named = words is not None and words.word == "half"
    return is_named or any(True for _ in _HALVES.find(text.pieces))


def _whole(price: int | None) -> Paise | None:
    if price is None or price < MIN_PRICE:
        return None
    return Paise(max(RUPEE, round(price / RUPEE) * RUPEE))
