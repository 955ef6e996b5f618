"""What a line asks for: a price, the other side's standing price, or nothing that moves."""

import re
from collections.abc import Sequence
from itertools import pairwise

from agents.text.price_text import read_text
from agents.text.reading.answer import (
    BOUGHT,
    BUYERS_TABLE,
    FILLERS,
    QUALITIES,
    SOLD,
    STORIES,
    TABLE,
    TURNS,
    Answer,
    PriceReading,
    Standing,
    ask_accept,
)
from agents.text.reading.changes import asked_cut
from agents.text.reading.phrases import AMOUNT, CLASSES, Phrasebook
from agents.text.reading.pieces import Text, to_text
from agents.text.reading.spelling import word_set
from negotiation.engine.quantities import MIN_PRICE, Paise
from negotiation.readers import Intent

_SENTENCE = re.compile(r"(?<=[.!।\n])\s+")
_BOOK: Phrasebook[Answer] = Phrasebook(TABLE, CLASSES)
_SOLD: Phrasebook[None] = Phrasebook(((pattern, None) for pattern in SOLD), CLASSES)
_BOUGHT: Phrasebook[None] = Phrasebook(((pattern, None) for pattern in BOUGHT), CLASSES)
_BUYERS_BOOK: Phrasebook[Answer] = Phrasebook((*BUYERS_TABLE, *TABLE), CLASSES)
MAYBE_WORDS = 4

MIN_SENTENCES = 2

CLEAR_WORDS = 3
"""A clause of so many words, the price among them, says what becomes of it."""

LOOSE_WORDS = 2
"""A line with more words that the tables do not know sells nothing before it is asked back."""


def read_intent(
    text: str, standing_ask: Paise | None, standing_bid: Paise | None, currency: str = "INR"
) -> Intent:
    """Read what a seller's line of free text asks for; never raises.

    "150 done" takes a standing bid of 150 and asks 150 otherwise; a bare "ok" is asked back.

    >>> read_intent("theek hai le jao", Paise(20000), Paise(15000)).kind
    'accept'
    >>> read_intent("theek hai 170 final", Paise(20000), Paise(15000)).price
    17000
    """
    cut = to_text(text)
    standing = Standing(standing_ask, standing_bid, currency)
    reading = read_text(cut, standing)
    if reading.question:
        if _only_scoffs(cut, reading.candidates, standing_bid):
            return Intent("none")
        if _all_in_passing(cut, reading, standing):
            return Intent("none")
        return Intent("ambiguous", None, reading.candidates, reading.question)
    if reading.price is not None:
        if standing_ask is not None and reading.price > standing_ask and _in_passing(cut, reading):
            return Intent("none")
        return _priced(cut, reading.price, reading, standing_bid, currency)
    return _worded(cut, reading, standing_bid, currency)


def read_buyer_intent(
    text: str, standing_ask: Paise, standing_bid: Paise | None, currency: str = "INR"
) -> Intent:
    """Read what a buyer's line of free text asks for; never raises.

    The standing ask is what a "done" takes; a price above it is asked back. A cut that is asked for
    is a bid of what it leaves, or a mere wish where the own bid is better already.

    >>> read_buyer_intent("150 mein de do bhai", Paise(20000), Paise(12000)).price
    15000
    >>> read_buyer_intent("chalo le lunga, pack kar do", Paise(20000), Paise(12000)).kind
    'accept'
    >>> read_buyer_intent("40 % kam kar do", Paise(20000), None).price
    12000
    """
    cut = to_text(text)
    standing = Standing(standing_ask, standing_bid, currency)
    reading = read_text(cut, standing)
    left = asked_cut(cut, list(zip(cut.said, reading.roles, strict=True)), standing)
    if left is not None:
        is_bid = standing_bid is None or left > standing_bid
        return Intent("price", left) if is_bid else Intent("none")
    if any(item.amount.paise == standing_ask for item in cut.said) and _says_sold(cut, _BOUGHT):
        return Intent("accept", standing_ask)
    if reading.question:
        return Intent("ambiguous", None, reading.candidates, reading.question)
    if reading.price is None:
        return _worded(cut, reading, standing_ask, currency, _BUYERS_BOOK)
    if reading.price < (standing_bid or 0) and _in_passing(cut, reading):
        return Intent("none")
    if reading.price < standing_ask:
        return Intent("price", reading.price)
    return _at_the_ask(cut, reading.price, standing)


def _at_the_ask(text: Text, price: Paise, standing: Standing) -> Intent:
    ask, bid = Paise(standing.ask or MIN_PRICE), standing.bid
    if _answer(text, _BUYERS_BOOK) == "no":
        return Intent("none")
    if not text.said and bid is not None:
        return Intent("price", bid)  # "same price" is the buyer's own
    if price == ask and _says_done(text, _BUYERS_BOOK):
        return Intent("accept", ask)
    if price > ask or _questioned(text) or not _only_known_words(text):
        # "200 is too much" must not buy the item at 200.
        return Intent("ambiguous", None, (ask,), ask_accept(ask, standing.currency))
    return Intent("accept", ask)


def _priced(
    text: Text, price: Paise, reading: PriceReading, bid: Paise | None, currency: str
) -> Intent:
    if bid is None or price > bid:
        return Intent("price", price)
    if _answer(text) == "no" or (price == bid and _wants_more(text)):
        return Intent("none")
    if price == bid and (_says_done(text) or _says_sold(text)):
        return Intent("accept", bid)
    if _only_scoffs(text, (price,), bid):
        return Intent("none")
    if _questioned(text) or not _only_known_words(text):
        # "your 150 is a joke?" must not sell the item at 150.
        return Intent("ambiguous", None, (bid,), ask_accept(bid, currency))
    if price == bid:
        return Intent("accept", bid)
    if _answer(text) == "yes" or "final" in reading.roles or "floor" in reading.roles:
        return Intent("price", price)
    # A bare ask below the bid is a slip of the finger: nobody asks for less than is offered.
    return Intent("ambiguous", None, (bid,), ask_accept(bid, currency))


def _only_scoffs(text: Text, prices: Sequence[Paise], bid: Paise | None) -> bool:
    if bid is None or not prices or max(prices) > bid or _answer(text) in ("yes", "maybe"):
        return False
    return (_questioned(text) or _denied(text)) and _unknown_words(text) > LOOSE_WORDS


def _says_done(text: Text, book: Phrasebook[Answer] = _BOOK) -> bool:
    """Whether acceptance and price stand in clauses of their own: "done. 14300. bring tempo"."""
    if _questioned(text) or _turned(text) or _denied(text):
        return False
    clear = _clear_clauses(text)
    said = {item.piece for item in text.said}
    priced = [len(clause) for clause in clear if not said.isdisjoint(clause)]
    words = {
        hit.record for hit in book.find(text.pieces) if any(hit.first in clause for clause in clear)
    }
    # "ok. 6000. call me" may mean anything; "ok, 6000 mein de di" does not.
    return bool(priced) and ("yes" in words or ("maybe" in words and max(priced) >= CLEAR_WORDS))


def _says_sold(text: Text, book: Phrasebook[None] = _SOLD) -> bool:
    """Whether the thing is given away at the price: "4500 me almirah aapki hui"."""
    if _questioned(text) or _turned(text) or _denied(text) or len(text.said) > 1:
        return False
    told = any(piece.text in STORIES for piece in text.pieces)
    return not told and any(True for _ in book.find(text.pieces))


def _all_in_passing(text: Text, reading: PriceReading, standing: Standing) -> bool:
    """Whether none of several numbers can be an ask: "1300 mein pipe bhi nahi, nayi 16490 ki"."""
    several = standing.ask is not None and len(reading.candidates) > 1
    possible = any(map(standing.allows, reading.candidates))
    return several and not possible and _unknown_words(text) > LOOSE_WORDS


def _in_passing(text: Text, reading: PriceReading) -> bool:
    """Whether a number that no offer can be is only spoken of: "a new one costs 13000"."""
    named = not {"floor", "final", "named"}.isdisjoint(reading.roles)
    if named or _unknown_words(text) <= LOOSE_WORDS:
        return False
    # "shifting tomorrow, 9000" offers it; "the shop asks: 9000" goes on.
    mine = {item.piece for item in text.said if item.amount.paise == reading.price}
    alone = {item.piece for item in text.said if ":" not in item.before} & mine
    return not any(alone & set(clause) for clause in _clear_clauses(text))


def _clear_clauses(text: Text) -> list[range]:
    """Return the clauses of amounts and words that change nothing."""
    return [
        range(first, last)
        for first, last in _clauses(text)
        if all(piece.text in FILLERS or piece.text == AMOUNT for piece in text.pieces[first:last])
    ]


def _clauses(text: Text) -> list[tuple[int, int]]:
    starts = (at for at, piece in enumerate(text.pieces) if piece.breaks or not at)
    return list(pairwise([*starts, len(text.pieces)]))


def _vouches(text: Text, book: Phrasebook[Answer]) -> bool:
    """Whether "pakka" beside a clause about the thing only swears to it: "pakka, ekdum naya"."""
    taken = [hit for hit in book.find(text.pieces) if hit.record == "yes"]
    if any(text.pieces[hit.first].text != _SURELY or hit.first != hit.last for hit in taken):
        return False
    clauses = [{piece.text for piece in text.pieces[first:last]} for first, last in _clauses(text)]
    return any(words & QUALITIES and words <= QUALITIES | FILLERS | _QUITE for words in clauses)


def _worded(
    text: Text,
    reading: PriceReading,
    bid: Paise | None,
    currency: str,
    book: Phrasebook[Answer] = _BOOK,
) -> Intent:
    if bid is None:
        return Intent("none")
    if _takes_it_in_a_sentence(text, book):
        return Intent("accept", bid)
    answer = _answer(text, book)
    refuses = "refused" in reading.roles
    if answer is None or answer == "no" or refuses or _turned(text) or _vouches(text, book):
        return Intent("none")
    clear = not text.said and not _questioned(text) and _unknown_words(text) <= LOOSE_WORDS
    if answer == "yes" and clear:
        return Intent("accept", bid)
    return Intent("ambiguous", None, (bid,), ask_accept(bid, currency))


def _takes_it_in_a_sentence(text: Text, book: Phrasebook[Answer]) -> bool:
    """Whether a sentence does that and nothing else: "Yes madam, take it. Play it well."."""
    sentences = [to_text(one) for one in _SENTENCE.split(text.plain.text) if one.strip()]
    if len(sentences) < MIN_SENTENCES or text.said or _questioned(text) or _denied(text):
        return False
    if _turned(text) or any(piece.text in STORIES | _OTHERWISE for piece in text.pieces):
        return False
    if _answer(text, book) == "no" or _vouches(text, book):
        return False
    return any(_only_known_words(one) and _answer(one, book) == "yes" for one in sentences)


def _answer(text: Text, book: Phrasebook[Answer] = _BOOK) -> Answer | None:
    hits = list(book.find(text.pieces))
    if any(hit.record == "no" for hit in hits):
        return "no"
    if any(hit.record == "yes" for hit in hits):
        return None if _denied(text) else "yes"
    short = len(text.pieces) <= MAYBE_WORDS
    return "maybe" if hits and short and not _denied(text) else None


def _denied(text: Text) -> bool:
    return any(piece.text in _NO for piece in text.pieces)


def _turned(text: Text) -> bool:
    return any(piece.text in TURNS for piece in text.pieces)


def _questioned(text: Text) -> bool:
    return "?" in text.plain.text


def _wants_more(text: Text) -> bool:
    return any(piece.text in _MORE for piece in text.pieces)


def _only_known_words(text: Text) -> bool:
    return _unknown_words(text) == 0


def _unknown_words(text: Text) -> int:
    return sum(piece.text != AMOUNT and piece.text not in FILLERS for piece in text.pieces)


_SURELY = "pakka"
_QUITE = word_set("ekdum ekdam bilkul pura poora puri poori brand totally fully quite very")
_MORE = word_set("zyada jyada upar more above over higher better")
_OTHERWISE = word_set("or ya warna varna otherwise else leave only")
_NO = word_set("no nahi not nope na mat never dont wont cant cannot nahin")
