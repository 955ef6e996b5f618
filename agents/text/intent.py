"""What a line asks for: a price, the other side's standing price, or nothing that moves."""

import re
from collections.abc import Sequence
from itertools import pairwise

from agents.text.price_text import PRICE_ROLES, read_text, stands_whole
from agents.text.reading import judge as judging
from agents.text.reading.answer import (
    BOUGHT,
    BUYERS_TABLE,
    DOUBTS,
    FILLERS,
    PLANS,
    QUALITIES,
    REASONS,
    SCALES,
    SOLD,
    STORIES,
    TABLE,
    Answer,
    PriceReading,
    Standing,
    ask_accept,
    ask_whether,
    asks_what_follows,
    before_handing_over,
    clauses,
    clear_clauses,
    denies,
    laughs,
    only_known_words,
    questioned,
    turned,
    unknown_words,
)
from agents.text.reading.changes import asked_cut, is_plain, moves, own_step
from agents.text.reading.phrases import AMOUNT, CLASSES, Phrasebook
from agents.text.reading.pieces import Text, to_text
from agents.text.reading.roles import sign_after
from agents.text.reading.spelling import word_set
from bazaarbatna.bargain.quantities import MIN_PRICE, Paise, Side
from negotiation.readers import Intent

_SENTENCE = re.compile(r"(?<=[.!।\n])\s+")
_BOOK: Phrasebook[Answer] = Phrasebook(TABLE, CLASSES)
_SOLD: Phrasebook[None] = Phrasebook(((pattern, None) for pattern in SOLD), CLASSES)
_BOUGHT: Phrasebook[None] = Phrasebook(((pattern, None) for pattern in BOUGHT), CLASSES)
_BUYERS_BOOK: Phrasebook[Answer] = Phrasebook((*BUYERS_TABLE, *TABLE), CLASSES)
MAYBE_WORDS, MIN_SENTENCES = 4, 2

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
    head = before_handing_over(text)
    if head and read_intent(head, standing_ask, standing_bid, currency).kind == "accept":
        return Intent("accept", standing_bid)
    cut = to_text(text)
    standing = Standing(standing_ask, standing_bid, currency)
    reading = read_text(cut, standing)
    return _judged(cut, reading, standing, "seller", _sellers_intent(cut, reading, standing))


def _sellers_intent(cut: Text, reading: PriceReading, standing: Standing) -> Intent:
    standing_ask, standing_bid, currency = standing.ask, standing.bid, standing.currency
    if standing_bid is not None and _agrees(cut, reading, standing_bid, _BOOK, _SOLD):
        return Intent("accept", standing_bid)
    if reading.question:
        if _only_scoffs(cut, reading.candidates, standing_bid):
            return Intent("none")
        if _all_in_passing(cut, reading, standing):
            return Intent("none")
        return Intent("ambiguous", None, reading.candidates, reading.question)
    if reading.price is not None:
        if standing_ask is not None and reading.price >= standing_ask and _in_passing(cut, reading):
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
    head = before_handing_over(text)
    if head and read_buyer_intent(head, standing_ask, standing_bid, currency).kind == "accept":
        return Intent("accept", standing_ask)
    cut = to_text(text)
    standing = Standing(standing_ask, standing_bid, currency)
    reading = read_text(cut, standing)
    intent = _buyers_intent(cut, reading, standing, standing_ask)
    return _judged(cut, reading, standing, "buyer", intent)


def _buyers_intent(
    cut: Text, reading: PriceReading, standing: Standing, standing_ask: Paise
) -> Intent:
    standing_bid, currency = standing.bid, standing.currency
    left = asked_cut(cut, list(zip(cut.said, reading.roles, strict=True)), standing)
    if left is not None:
        if standing_bid is not None and left <= standing_bid:
            return Intent("none")
        if is_plain(cut):
            return Intent("price", left)
        asked = standing.whether(left)
        return Intent("ambiguous", None, asked.candidates, asked.question)
    at_the_ask = any(item.amount.paise == standing_ask for item in cut.said)
    is_bought = at_the_ask and _says_sold(cut, _BOUGHT)
    if is_bought or _agrees(cut, reading, standing_ask, _BUYERS_BOOK, _BOUGHT):
        return Intent("accept", standing_ask)
    reading = own_step(cut, reading, standing)
    if reading.question:
        return Intent("ambiguous", None, reading.candidates, reading.question)
    if reading.price is None:
        return _worded(cut, reading, standing_ask, currency, _BUYERS_BOOK)
    if reading.price < (standing_bid or 0) and _in_passing(cut, reading):
        return Intent("none")
    if reading.price == standing_bid and _in_passing(cut, reading):
        return Intent("none")
    if reading.price < standing_ask:
        return Intent("price", reading.price)
    return _at_the_ask(cut, reading.price, standing)


def _judged(
    text: Text, reading: PriceReading, standing: Standing, seat: Side, intent: Intent
) -> Intent:
    """Let the judge decide what the tables leave open, and doubt what they alone believe."""
    if all(piece.text == AMOUNT for piece in text.pieces):
        return intent
    opinions = judging.judge().weigh(judging.options(text, reading.roles, standing, seat))
    if intent.kind in ("price", "accept"):
        return _doubted(text, intent, opinions, standing)
    if not opinions:
        return intent
    best, paise, sure = opinions[0].option, opinions[0].option.paise, opinions[0].probability
    if best.deed == "none" and sure >= _talk_from(text, reading):
        return Intent("none")
    if best.deed == "price" and paise and intent.kind == "ambiguous":
        is_whole = stands_whole(text, reading, paise, standing, alone=sure < judging.SURE)
        return Intent("price", Paise(paise)) if is_whole and sure >= judging.LIKELY else intent
    if best.deed == "accept" and paise:
        least = _agreed_from(text, reading, paise, seat)
        if sure >= least:
            return Intent("accept", Paise(paise))
        if sure >= judging.ASKED_YES and least < NEVER and not text.said:
            return _asking_back(Paise(paise), "accept", standing)
    is_unheard = intent.kind == "none" and not PRICE_ROLES.isdisjoint(reading.roles)
    return _asked_about(intent, opinions, standing) if is_unheard else intent


def _doubted(
    text: Text, intent: Intent, opinions: Sequence[judging.Opinion], standing: Standing
) -> Intent:
    """Ask about what the tables book and the judge hardly believes."""
    same = [one for one in opinions if one.option.paise == intent.price]
    is_short = len(text.pieces) <= A_CHOICE
    least = judging.HARDLY if is_short else judging.DOUBTED
    if intent.kind == "accept" and not text.said:
        least = judging.DOUBTED if is_short else judging.DOUBTED_YES
    # A price that the rules refuse is told why, not asked about.
    is_open = standing.ask is None or standing.allows(intent.price or 0)
    is_refused = intent.kind == "price" and not is_open
    if not same or same[0].probability >= least or is_refused or intent.price is None:
        return intent
    return _asking_back(intent.price, intent.kind, standing)


def _asked_about(intent: Intent, opinions: Sequence[judging.Opinion], standing: Standing) -> Intent:
    """Ask about a number of which the tables made nothing, where the judge hardly believes that."""
    best = next((one.option for one in opinions if one.option.deed != "none"), None)
    nothing = sum(one.probability for one in opinions if one.option.deed == "none")
    if nothing >= judging.UNHEARD or best is None or best.paise is None:
        return intent
    return _asking_back(Paise(best.paise), best.deed, standing)


def _asking_back(price: Paise, deed: str, standing: Standing) -> Intent:
    ask = ask_accept if deed == "accept" else ask_whether
    return Intent("ambiguous", None, (price,), ask(price, standing.currency))


def _talk_from(text: Text, reading: PriceReading) -> float:
    """Return how likely it must be that a line names no price: two numbers alone are a choice."""
    if not text.said:
        return judging.MERE_TALK
    if "either" in reading.roles:
        return 1.0 if len(text.pieces) <= A_CHOICE else judging.SURE
    if moves(reading.roles):
        return judging.NO_STEP
    return judging.TALK if len(text.pieces) > A_CHOICE else judging.TALK_OF_FEW


def _agreed_from(text: Text, reading: PriceReading, paise: int, seat: Side) -> float:
    """Return how likely an acceptance has to be; more than 1 where none is booked unasked."""
    book = _BOOK if seat == "seller" else _BUYERS_BOOK
    is_asked = "?" in text.plain.text or (seat == "seller" and _asks_the_buyer(text))
    adds = moves(reading.roles) or any(piece.text in _ADDING for piece in text.pieces)
    if is_asked or adds or "either" in reading.roles or _answer(text, book) == "no":
        return NEVER
    is_open = turned(text) or not _IFS.isdisjoint(piece.text for piece in text.pieces)
    if text.said:
        is_named = any(said.amount.paise == paise for said in text.said)
        return NEVER if not is_named else judging.CERTAIN if is_open else judging.SURE
    if any(hit.record == "yes" for hit in book.find(text.pieces)):
        return judging.CERTAIN
    words = {piece.text for piece in text.pieces}
    return NEVER if words & _BESIDES and words & _GIVES else ASKED_ALONE


def _at_the_ask(text: Text, price: Paise, standing: Standing) -> Intent:
    ask, bid = Paise(standing.ask or MIN_PRICE), standing.bid
    if _answer(text, _BUYERS_BOOK) == "no":
        return Intent("none")
    if not text.said and bid is not None:
        return Intent("price", bid)  # "same price" is the buyer's own
    if price == ask and _says_done(text, _BUYERS_BOOK):
        return Intent("accept", ask)
    if price == ask and _only_exclaims(text, price, _BUYERS_BOOK):
        return Intent("none")
    if _only_mentions(text, _BUYERS_BOOK):
        return Intent("none")
    if price > ask or questioned(text) or laughs(text) or not only_known_words(text):
        # "200 is too much" must not buy the item at 200.
        return Intent("ambiguous", None, (ask,), ask_accept(ask, standing.currency))
    return Intent("accept", ask)


def _priced(
    text: Text, price: Paise, reading: PriceReading, bid: Paise | None, currency: str
) -> Intent:
    if bid is None or price > bid:
        return Intent("price", price)
    wants_more = any(piece.text in _MORE for piece in text.pieces)
    if _answer(text) == "no" or (price == bid and wants_more):
        return Intent("none")
    if price == bid and (_says_done(text) or _says_sold(text)):
        return Intent("accept", bid)
    if _only_scoffs(text, (price,), bid) or _only_exclaims(text, price):
        return Intent("none")
    if price == bid and _only_mentions(text):
        return Intent("none")
    strong = not {"floor", "final", "named", "hint"}.isdisjoint(reading.roles)
    if price < bid and not strong and unknown_words(text) > LOOSE_WORDS:
        return Intent("none")  # "you can pay 2000 as token": no ask goes below the bid
    if questioned(text) or laughs(text) or not only_known_words(text):
        # "your 150 is a joke?" must not sell the item at 150.
        return Intent("ambiguous", None, (bid,), ask_accept(bid, currency))
    if price == bid:
        return Intent("accept", bid)
    if _answer(text) == "yes" or "final" in reading.roles or "floor" in reading.roles:
        return Intent("price", price)
    # A bare ask below the bid is a slip of the finger: nobody asks for less than is offered.
    return Intent("ambiguous", None, (bid,), ask_accept(bid, currency))


def _only_exclaims(text: Text, price: Paise, book: Phrasebook[Answer] = _BOOK) -> bool:
    """Whether the other side's price is only repeated with a sign: "13000 for this?", "140!"."""
    if len(text.pieces) <= MAYBE_WORDS or _answer(text, book) in ("yes", "maybe"):
        return False
    said = (item for item in text.said if item.amount.paise == price)
    return laughs(text) or any(sign_after(text, item, _SIGN) in ("?", "!") for item in said)


def _only_mentions(text: Text, book: Phrasebook[Answer] = _BOOK) -> bool:
    """Whether a line of many words has the other side's price in it, and none that takes it."""
    is_taken = any(hit.record != "no" for hit in book.find(text.pieces))
    return not is_taken and unknown_words(text) > LOOSE_WORDS


_SIGN = re.compile(r"[.!?\n,]")


def _only_scoffs(text: Text, prices: Sequence[Paise], bid: Paise | None) -> bool:
    if bid is None or not prices or max(prices) > bid or _answer(text) in ("yes", "maybe"):
        return False
    if any(piece.text in _SCOFFS for piece in text.pieces):
        return True
    return (questioned(text) or denies(text)) and unknown_words(text) > LOOSE_WORDS


def _says_done(text: Text, book: Phrasebook[Answer] = _BOOK) -> bool:
    """Whether acceptance and price stand in clauses of their own: "done. 14300. bring tempo"."""
    if questioned(text) or turned(text) or denies(text) or laughs(text):
        return False
    if any(piece.text in _SCOFFS | DOUBTS for piece in text.pieces):
        return False
    if len(text.said) == 1 and _answer(text, book) == "yes":
        places = {text.said[0].piece}
        places |= {hit.first for hit in book.find(text.pieces) if hit.record == "yes"}
        mine = [
            at for clause in clauses(text) if places & set(range(*clause)) for at in range(*clause)
        ]
        near = [text.pieces[at].text for at in mine if text.pieces[at].text != AMOUNT]
        if STORIES.isdisjoint(near) and sum(word not in FILLERS for word in near) <= 1:
            return True
    clear = clear_clauses(text)
    said = {item.piece for item in text.said}
    priced = [len(clause) for clause in clear if not said.isdisjoint(clause)]
    words = {
        hit.record for hit in book.find(text.pieces) if any(hit.first in clause for clause in clear)
    }
    # "ok. 6000. call me" may mean anything; "ok, 6000 mein de di" does not.
    return bool(priced) and ("yes" in words or ("maybe" in words and max(priced) >= CLEAR_WORDS))


def _says_sold(text: Text, book: Phrasebook[None] = _SOLD) -> bool:
    """Whether the thing is given away at the price: "4500 me almirah aapki hui"."""
    if questioned(text) or turned(text) or denies(text) or len(text.said) > 1:
        return False
    told = any(piece.text in STORIES for piece in text.pieces)
    return not told and any(True for _ in book.find(text.pieces))


def _agrees(
    text: Text,
    reading: PriceReading,
    price: Paise,
    book: Phrasebook[Answer],
    sold: Phrasebook[None],
) -> bool:
    """Whether a line takes the other side's price, named or not, with at most a plan behind it.

    "Okay, 12000 it is, but cash only", "manzoor hai, kal subah paise lekar aata hu". Words that
    the tables do not know, a doubt, a condition or another sum leave it to be asked.
    """
    words = [piece.text for piece in text.pieces]
    if questioned(text) or denies(text) or not DOUBTS.isdisjoint(words):
        return False
    if book is _BOOK and _asks_the_buyer(text):
        return False
    if not _SCOFFS.isdisjoint(words) or turned(text) or (text.said and laughs(text)):
        return False
    if {reading.price, *reading.candidates} - {price, None}:
        return False
    end = next((at for at, word in enumerate(words) if word in REASONS), len(words))
    said = list(zip(text.said, reading.roles, strict=True))
    named = [item for item, _ in said if _is_price(item.amount.paise, price)]
    spoken = [(item, role) for item, role in said if item.piece < end]
    if any(role not in (PRICE_ROLES if item in named else _ASIDE) for item, role in spoken):
        return False
    hits = list(book.find(text.pieces))
    if any(hit.record == "no" for hit in hits) or _vouches(text, book):
        return False
    places = [(hit.first, hit.last) for hit in hits if hit.record == "yes"]
    places += [(hit.first, hit.last) for hit in sold.find(text.pieces)] if named else []
    covered = {at for first, last in places for at in range(first, last + 1)}
    if not named and {words[at] for at in covered} <= {_SURELY}:
        return False  # "pakka, kal subah aata hu" may be a visit
    if not covered and words[0] not in _OPENING:
        return False
    told = [word for at, word in enumerate(words[:end]) if at not in covered]
    unknown = [word for word in told if word not in FILLERS | PLANS | {AMOUNT}]
    is_story = not (STORIES - PLANS).isdisjoint(words[:end])
    return not is_story and len(unknown) <= (1 if named and covered else 0)


def _is_price(paise: int, price: int) -> bool:
    """Whether a number is a standing price, or is one with the scale that was left out."""
    return any(paise * scale == price for scale in (1, *SCALES))


_ASIDE = frozenset({"counted", "aside", "year", "old"})
_OPENING = word_set("ok theek alright fine haan yes done deal chalo accha sahi agreed pakka")


def _all_in_passing(text: Text, reading: PriceReading, standing: Standing) -> bool:
    """Whether none of several numbers can be an ask: "1300 mein pipe bhi nahi, nayi 16490 ki"."""
    several = standing.ask is not None and len(reading.candidates) > 1
    possible = any(map(standing.allows, reading.candidates))
    return several and not possible and unknown_words(text) > LOOSE_WORDS


def _in_passing(text: Text, reading: PriceReading) -> bool:
    """Whether a number that no offer can be is only spoken of: "a new one costs 13000"."""
    named = not {"floor", "final", "named"}.isdisjoint(reading.roles)
    if named or unknown_words(text) <= LOOSE_WORDS:
        return False
    # "shifting tomorrow, 9000" offers it; "the shop asks: 9000" goes on.
    mine = {item.piece for item in text.said if item.amount.paise == reading.price}
    alone = {item.piece for item in text.said if ":" not in item.before} & mine
    return not any(alone & set(clause) for clause in clear_clauses(text))


def _vouches(text: Text, book: Phrasebook[Answer]) -> bool:
    """Whether "pakka" beside a clause about the thing only swears to it: "pakka, ekdum naya"."""
    taken = [hit for hit in book.find(text.pieces) if hit.record == "yes"]
    if any(text.pieces[hit.first].text != _SURELY or hit.first != hit.last for hit in taken):
        return False
    told = [{piece.text for piece in text.pieces[first:last]} for first, last in clauses(text)]
    return any(words & QUALITIES and words <= QUALITIES | FILLERS | _QUITE for words in told)


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
    if refuses and answer == "yes" and any(item.amount.paise == bid for item in text.said):
        # "you said 15000, ok done": repeated to be taken, or to be turned down.
        return Intent("ambiguous", None, (bid,), ask_accept(bid, currency))
    if answer is None or answer == "no" or refuses or turned(text) or _vouches(text, book):
        return Intent("none")
    is_loose = unknown_words(text) > LOOSE_WORDS
    asks = book is _BOOK and _asks_the_buyer(text)
    doubts = not DOUBTS.isdisjoint(piece.text for piece in text.pieces)
    unclear = text.said or questioned(text) or is_loose or asks or doubts
    if answer == "yes" and not unclear:
        return Intent("accept", bid)
    if (asks and is_loose) or asks_what_follows([piece.text for piece in text.pieces]):
        return Intent("none")
    return Intent("ambiguous", None, (bid,), ask_accept(bid, currency))


def _asks_the_buyer(text: Text) -> bool:
    """Whether it is the buyer who would take it: "would you take it", "aapko manzoor hai"."""
    words = [piece.text for piece in text.pieces]
    is_asked = any(left in _OF_YOU and right in _AGREED for left, right in pairwise(words))
    is_asked |= words[1:2] == ["you"] and words[0] in _ASKING
    return is_asked or not _WHO.isdisjoint(words[:1])


def _takes_it_in_a_sentence(text: Text, book: Phrasebook[Answer]) -> bool:
    """Whether a sentence does that and nothing else: "Yes madam, take it. Play it well."."""
    sentences = [to_text(one) for one in _SENTENCE.split(text.plain.text) if one.strip()]
    if len(sentences) < MIN_SENTENCES or text.said or questioned(text) or denies(text):
        return False
    if turned(text) or any(piece.text in STORIES | _OTHERWISE for piece in text.pieces):
        return False
    if _answer(text, book) == "no" or _vouches(text, book):
        return False
    return any(only_known_words(one) and _answer(one, book) == "yes" for one in sentences)


def _answer(text: Text, book: Phrasebook[Answer] = _BOOK) -> Answer | None:
    hits = list(book.find(text.pieces))
    if any(hit.record == "no" for hit in hits):
        return "no"
    if any(hit.record == "yes" for hit in hits):
        return None if denies(text) else "yes"
    short = len(text.pieces) <= MAYBE_WORDS and only_known_words(text)
    return "maybe" if hits and short and not denies(text) else None


_SCOFFS = word_set(
    "pagal paagal mazak mazaak joke joking kidding kid crazy mad insane seriously lol haha hahaha "
    "kidney gurda robbery loot dimag dimaag hosh sapna sapne bheek insult ridiculous"
)
_ADDING = word_set("jod jodo jodiye badha badhao badhaiye add raise increase plus")
_BESIDES, _GIVES = word_set("bhi saath muft too"), word_set("dunga dungi denge deta deti give")
"""A thing that is given on top: where nothing is said of the price, nothing is accepted."""
_SURELY = "pakka"
_IFS = word_set("agar if unless")
"""With these, as with a "but", a yes may hang on something that costs."""
ASKED_ALONE, NEVER = 1.5, 2.0
"""More than any likelihood: words that no table knows are asked about, others not even that."""
A_CHOICE = 4
"""Words, numbers among them, of a line that only says two prices."""
_ASKING = word_set("will would can could do")
_WHO = word_set("who wholl kaun kon")
_OF_YOU, _AGREED = word_set("aapko tumhe tumko apko"), word_set("manzoor manjoor manjur")
_QUITE = word_set("ekdum ekdam bilkul pura poora puri poori brand totally fully quite very")
_MORE = word_set("zyada jyada upar more above over higher better")
_OTHERWISE = word_set("or ya warna varna otherwise else leave only")
