"""What a line asks for: a price, the other side's standing price, or nothing that moves."""

from collections.abc import Sequence

from agents.text.agreement import (
    BOOK,
    BOUGHT_BOOK,
    BUYERS_BOOK,
    COMMITS,
    IF_ASKED,
    LOOSE_WORDS,
    MIND,
    OWN_PRICE,
    SECRET,
    SOLD_BOOK,
    TAKEN_AWAY,
    agrees,
    answered,
    asks_the_buyer,
    hangs,
    held,
    lacks_its_scale,
    only_exclaims,
    only_mentions,
    only_scoffs,
    says_done,
    says_sold,
    takes_it_in_a_sentence,
    tells_only,
    unless_repeated,
    vouches,
    wants_more,
    without_measures,
)
from agents.text.price_text import CHOICES, PRICE_ROLES, read_text, stands_whole
from agents.text.reading import judge as judging
from agents.text.reading.answer import (
    DOUBTS,
    Answer,
    PriceReading,
    Standing,
    ask_accept,
    ask_whether,
    ask_whether_alone,
    asks_what_follows,
    before_handing_over,
    clauses,
    clear_clauses,
    laughs,
    only_known_words,
    questioned,
    turned,
    unknown_words,
)
from agents.text.reading.changes import asked_cut, is_plain, moves, own_step
from agents.text.reading.phrases import AMOUNT, Phrasebook
from agents.text.reading.pieces import Text, to_text
from agents.text.reading.roles import is_year
from agents.text.reading.spelling import word_set
from bazaarbatna.bargain.quantities import MIN_PRICE, Paise, Side
from negotiation.readers import Intent


def read_intent(
    text: str,
    standing_ask: Paise | None,
    standing_bid: Paise | None,
    currency: str = "INR",
    listing: str = "",
) -> Intent:
    """Read what a seller's line of free text asks for; never raises.

    "150 done" takes a standing bid of 150 and asks 150 otherwise; a bare "ok" is asked back.
    Numbers that a ``listing`` has of the thing ("GTX 1650") are no prices.

    >>> read_intent("theek hai le jao", Paise(20000), Paise(15000)).kind
    'accept'
    >>> read_intent("theek hai 170 final", Paise(20000), Paise(15000)).price
    17000
    """
    head = before_handing_over(text)
    if head and read_intent(head, standing_ask, standing_bid, currency, listing).kind == "accept":
        return Intent("accept", standing_bid)
    standing = Standing(standing_ask, standing_bid, currency)
    cut = without_measures(to_text(text), listing, standing)
    reading = read_text(cut, standing)
    intent = _judged(cut, reading, standing, "seller", _sellers_intent(cut, reading, standing))
    return _unless_hedged(cut, _unless_told(cut, intent, standing), standing, standing_ask)


def _sellers_intent(cut: Text, reading: PriceReading, standing: Standing) -> Intent:
    standing_ask, standing_bid, currency = standing.ask, standing.bid, standing.currency
    if standing_bid is not None and agrees(cut, reading, standing_bid, BOOK, SOLD_BOOK):
        return Intent("accept", standing_bid)
    if reading.question:
        if only_scoffs(cut, reading.candidates, standing_bid):
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
    text: str,
    standing_ask: Paise,
    standing_bid: Paise | None,
    currency: str = "INR",
    listing: str = "",
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
    standing_prices = standing_ask, standing_bid, currency, listing
    if head and read_buyer_intent(head, *standing_prices).kind == "accept":
        return Intent("accept", standing_ask)
    standing = Standing(standing_ask, standing_bid, currency)
    cut = without_measures(to_text(text), listing, standing)
    reading = read_text(cut, standing)
    intent = _buyers_intent(cut, reading, standing, standing_ask)
    intent = _unless_told(cut, _judged(cut, reading, standing, "buyer", intent), standing)
    return _unless_hedged(cut, intent, standing, standing_bid)


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
    is_bought = at_the_ask and says_sold(cut, BOUGHT_BOOK)
    if is_bought or agrees(cut, reading, standing_ask, BUYERS_BOOK, BOUGHT_BOOK):
        return Intent("accept", standing_ask)
    reading = own_step(cut, reading, standing)
    if reading.question:
        return Intent("ambiguous", None, reading.candidates, reading.question)
    if reading.price is None:
        return _worded(cut, reading, standing_ask, currency, BUYERS_BOOK)
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
    is_word = len(text.said) == 1 and not text.said[0].amount.digits and not questioned(text)
    if all(piece.text == AMOUNT for piece in text.pieces) and not is_word:
        return intent
    opinions = judging.judge().weigh(judging.options(text, reading.roles, standing, seat))
    own = standing.ask if seat == "seller" else standing.bid
    if intent.kind in ("price", "accept"):
        doubted = _doubted(text, intent, opinions, standing)
        # An own price that stands already needs no question: the words beside it are answered.
        stands = doubted is not intent and (intent.kind, intent.price) == ("price", own)
        return Intent("none") if stands else doubted
    if not opinions:
        return intent
    best, sure = opinions[0].option, opinions[0].probability
    if best.deed == "none" and sure >= _talk_from(text, reading):
        return Intent("none")
    if reading.reckoned:
        return intent
    found = None
    if best.paise is not None and best.deed == "price":
        found = _likely_price(text, reading, intent, opinions[0], standing)
    elif best.paise is not None:
        found = _likely_yes(text, reading, intent, opinions[0], standing, seat)
    is_unheard = intent.kind == "none" and not PRICE_ROLES.isdisjoint(reading.roles)
    found = found or (_asked_about(intent, opinions, standing) if is_unheard else intent)
    # The own price that stands is held, and moves nobody: no question is worth it.
    is_held = best.paise == own and sure >= judging.SURE and CHOICES.isdisjoint(reading.roles)
    return Intent("price", own) if is_held and found.candidates == (own,) else found


def _unless_told(text: Text, intent: Intent, standing: Standing) -> Intent:
    """Book no number of which only is told what others paid, or what would be if it were asked."""
    words = [piece.text for piece in text.pieces]
    if intent.kind == "ambiguous" and not text.said and TAKEN_AWAY.search(" ".join(words)):
        return Intent("none")
    if intent.kind == "accept" and _is_said_twice(text, intent) and not COMMITS & {*words}:
        return Intent("none")
    if intent.kind not in ("price", "ambiguous") or not text.said:
        return intent
    about = [words[first:end] for first, end in clauses(text) if AMOUNT in words[first:end]]
    if about and all(map(tells_only, about)):
        return Intent("none")
    there = frozenset(words)
    line = " ".join(words)
    is_hinted = MIND.search(line) or SECRET.search(line)
    if intent.kind == "price" and intent.price is not None and is_hinted:
        return _asking_back(intent.price, "price", standing)
    if there & COMMITS:
        return intent
    if intent.kind == "price" and intent.price is not None and _may_be_a_year(text):
        return _asking_back(intent.price, "price", standing)
    first = min(item.piece for item in text.said)
    begun = " ".join(words[:first])
    supposed = there & _SUPPOSED or any(one in begun for one in IF_ASKED)
    if intent.kind == "price" and intent.price is not None and supposed:
        return _asking_back(intent.price, "price", standing)
    return intent


def _unless_hedged(text: Text, intent: Intent, standing: Standing, own: Paise | None) -> Intent:
    """Book no price that was said before or hangs on a condition; the own one may be held."""
    stays = held(text) if own is not None else False
    if own is not None and stays and intent.kind in ("none", "ambiguous"):
        return Intent("price", own)
    if stays is None and intent.price == own:
        return Intent("none")
    price = intent.price or (intent.candidates[0] if len(intent.candidates) == 1 else None)
    if intent.kind not in ("price", "ambiguous") or price is None:
        return intent
    repeated = unless_repeated(text, price, own)
    if repeated is not None:
        return Intent("none") if repeated == "none" else _asking_back(price, "price", standing)
    if price in (standing.ask, standing.bid) or not hangs(text):
        return intent
    return Intent("ambiguous", None, (price,), ask_whether_alone(price, standing.currency))


def _is_said_twice(text: Text, intent: Intent) -> bool:
    """Whether the price that is taken only stands there again: "900 is still 900"."""
    return sum(item.amount.paise == intent.price for item in text.said) > 1


def _may_be_a_year(text: Text) -> bool:
    """Whether the one number of a line is written as a year, beside words that name no price."""
    words = {one.text for one in text.pieces}
    if len(text.pieces) <= YEAR_AMONG or words & (OWN_PRICE | _HANDS_OVER) or len(text.said) != 1:
        return False
    # Prices are rounder than years are.
    return is_year(text.said[0]) and text.said[0].amount.paise % ROUND != 0


YEAR_AMONG, ROUND = 2, 50_00
"""So few words say nothing of a year; paise."""


_HANDS_OVER = word_set("le lo lena de do dena rupees rs")
_SUPPOSED = word_set("suppose supposing imagine hypothetically assume assuming")


def _likely_price(
    text: Text,
    reading: PriceReading,
    intent: Intent,
    likely: judging.Opinion,
    standing: Standing,
) -> Intent | None:
    """Book the judge's price, or ask whether it is meant; None where it is not so sure."""
    price, sure = Paise(likely.option.paise or 0), likely.probability
    is_open = intent.kind == "ambiguous" and sure >= judging.LIKELY and not questioned(text)
    if sure >= judging.CERTAIN and lacks_its_scale(text, reading, price, standing):
        return Intent("price", price)
    if is_open and stands_whole(text, reading, price, standing, alone=sure < judging.SURE):
        return Intent("price", price)
    is_heard = intent.kind == "ambiguous" or not PRICE_ROLES.isdisjoint(reading.roles)
    least = judging.SURE if is_heard else judging.CERTAIN
    if sure < least or "either" in reading.roles or not standing.allows(price):
        return None
    said = zip(text.said, reading.roles, strict=True)
    is_said = any(item.amount.paise == price and role in PRICE_ROLES for item, role in said)
    is_named = is_said and not questioned(text) and not moves(reading.roles)
    if is_named and sure >= judging.CERTAIN:
        return Intent("price", price)
    return _asking_back(price, "price", standing)


def _likely_yes(
    text: Text,
    reading: PriceReading,
    intent: Intent,
    likely: judging.Opinion,
    standing: Standing,
    seat: Side,
) -> Intent | None:
    """Book an acceptance that the judge is sure of, or ask; None where it is not so sure."""
    price, sure = Paise(likely.option.paise or 0), likely.probability
    least = _agreed_from(text, reading, price, seat)
    if sure >= least:
        return Intent("accept", price)
    is_unheard = not text.said or intent.kind == "none"  # "sirf 25 hazar, papa ke naam pe"
    asked_from = judging.LIKELY if text.said else judging.ASKED_YES
    is_asked = is_unheard and least < NEVER and sure >= asked_from
    return _asking_back(price, "accept", standing) if is_asked else None


def _doubted(
    text: Text, intent: Intent, opinions: Sequence[judging.Opinion], standing: Standing
) -> Intent:
    """Ask about what the tables book and the judge hardly believes."""
    same = [one for one in opinions if one.option.paise == intent.price]
    is_short = len(text.pieces) <= A_CHOICE
    least = judging.HARDLY if is_short else judging.DOUBTED
    if intent.kind == "accept" and not text.said:
        least = judging.YES_OF_FEW if is_short else judging.DOUBTED_YES
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
    if reading.reckoned:
        return judging.NO_STEP
    if not text.said:
        return judging.MERE_TALK
    if "either" in reading.roles:
        return 1.0 if len(text.pieces) <= A_CHOICE else judging.SURE
    if moves(reading.roles):
        return judging.NO_STEP
    return judging.TALK if len(text.pieces) > A_CHOICE else judging.TALK_OF_FEW


def _agreed_from(text: Text, reading: PriceReading, paise: int, seat: Side) -> float:
    """Return how likely an acceptance has to be; more than 1 where none is booked unasked."""
    book = BOOK if seat == "seller" else BUYERS_BOOK
    is_asked = "?" in text.plain.text or (seat == "seller" and asks_the_buyer(text))
    adds = moves(reading.roles) or any(piece.text in _ADDING for piece in text.pieces)
    if is_asked or adds or "either" in reading.roles or answered(text, book) == "no":
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
    if answered(text, BUYERS_BOOK) == "no":
        return Intent("none")
    if not text.said and bid is not None:
        return Intent("price", bid)  # "same price" is the buyer's own
    if price == ask and says_done(text, BUYERS_BOOK):
        return Intent("accept", ask)
    if price == ask and only_exclaims(text, price, BUYERS_BOOK):
        return Intent("none")
    if only_mentions(text, BUYERS_BOOK):
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
    if answered(text) == "no" or (price == bid and wants_more(text)):
        return Intent("none")
    if price == bid and (says_done(text) or says_sold(text)):
        return Intent("accept", bid)
    if only_scoffs(text, (price,), bid) or only_exclaims(text, price):
        return Intent("none")
    if price == bid and only_mentions(text):
        return Intent("none")
    strong = not {"floor", "final", "named", "hint"}.isdisjoint(reading.roles)
    if price < bid and not strong and unknown_words(text) > LOOSE_WORDS:
        return Intent("none")  # "you can pay 2000 as token": no ask goes below the bid
    if questioned(text) or laughs(text) or not only_known_words(text):
        # "your 150 is a joke?" must not sell the item at 150.
        return Intent("ambiguous", None, (bid,), ask_accept(bid, currency))
    if price == bid:
        return Intent("accept", bid)
    if answered(text) == "yes" or "final" in reading.roles or "floor" in reading.roles:
        return Intent("price", price)
    # A bare ask below the bid is a slip of the finger: nobody asks for less than is offered.
    return Intent("ambiguous", None, (bid,), ask_accept(bid, currency))


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


def _worded(
    text: Text,
    reading: PriceReading,
    bid: Paise | None,
    currency: str,
    book: Phrasebook[Answer] = BOOK,
) -> Intent:
    if bid is None:
        return Intent("none")
    if takes_it_in_a_sentence(text, book):
        return Intent("accept", bid)
    answer = answered(text, book)
    refuses = "refused" in reading.roles
    if refuses and answer == "yes" and any(item.amount.paise == bid for item in text.said):
        # "you said 15000, ok done": repeated to be taken, or to be turned down.
        return Intent("ambiguous", None, (bid,), ask_accept(bid, currency))
    if answer is None or answer == "no" or refuses or turned(text) or vouches(text, book):
        return Intent("none")
    is_loose = unknown_words(text) > LOOSE_WORDS
    asks = book is BOOK and asks_the_buyer(text)
    doubts = not DOUBTS.isdisjoint(piece.text for piece in text.pieces)
    unclear = text.said or questioned(text) or is_loose or asks or doubts
    if answer == "yes" and not unclear:
        return Intent("accept", bid)
    if (asks and is_loose) or asks_what_follows([piece.text for piece in text.pieces]):
        return Intent("none")
    return Intent("ambiguous", None, (bid,), ask_accept(bid, currency))


_ADDING = word_set("jod jodo jodiye badha badhao badhaiye add raise increase plus")
_BESIDES, _GIVES = word_set("bhi saath muft too"), word_set("dunga dungi denge deta deti give")
"""A thing that is given on top: where nothing is said of the price, nothing is accepted."""
_IFS = word_set("agar if unless")
"""With these, as with a "but", a yes may hang on something that costs."""
ASKED_ALONE, NEVER = 1.5, 2.0
"""More than any likelihood: words that no table knows are asked about, others not even that."""
A_CHOICE = 4
"""Words, numbers among them, of a line that only says two prices."""
