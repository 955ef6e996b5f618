"""Whether a line takes the other side's price, throws it back, names its own plainly, says yes.

And what keeps its numbers from being one: a condition, what was said before, the thing itself.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Literal

import msgspec

from agents.text.price_text import PRICE_ROLES, STRONG, WEAK, read_text, stands_whole
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
    clauses,
    clear_clauses,
    denies,
    laughs,
    only_known_words,
    questioned,
    turned,
    unknown_words,
)
from agents.text.reading.phrases import AMOUNT, CLASSES, Phrasebook, Piece
from agents.text.reading.pieces import Said, Text, to_text
from agents.text.reading.roles import sign_after
from agents.text.reading.spelling import word_set
from bazaarbatna.bargain.quantities import Paise, Side
from bazaarbatna.number_words import NUMBERS
from bazaarbatna.word_tables import read_patterns, read_table

_SENTENCE = re.compile(r"(?<=[.!।\n])\s+")
BOOK: Phrasebook[Answer] = Phrasebook(TABLE, CLASSES)
SOLD_BOOK: Phrasebook[None] = Phrasebook(((pattern, None) for pattern in SOLD), CLASSES)
BOUGHT_BOOK: Phrasebook[None] = Phrasebook(((pattern, None) for pattern in BOUGHT), CLASSES)
BUYERS_BOOK: Phrasebook[Answer] = Phrasebook((*BUYERS_TABLE, *TABLE), CLASSES)
MAYBE_WORDS, MOST_STRANGE = 4, 2

MIN_SENTENCES = 2

CLEAR_WORDS = 3
"""A clause of so many words, the price among them, says what becomes of it."""

LOOSE_WORDS = 2
"""A line with more words that the tables do not know sells nothing before it is asked back."""


def only_exclaims(text: Text, price: Paise, book: Phrasebook[Answer] = BOOK) -> bool:
    """Whether the other side's price is only repeated with a sign: "13000 for this?", "140!"."""
    if len(text.pieces) <= MAYBE_WORDS or answered(text, book) in ("yes", "maybe"):
        return False
    said = (item for item in text.said if item.amount.paise == price)
    return laughs(text) or any(sign_after(text, item, _SIGN) in ("?", "!") for item in said)


def only_mentions(text: Text, book: Phrasebook[Answer] = BOOK) -> bool:
    """Whether a line of many words has the other side's price in it, and none that takes it."""
    is_taken = any(hit.record != "no" for hit in book.find(text.pieces))
    return not is_taken and unknown_words(text) > LOOSE_WORDS


_SIGN = re.compile(r"[.!?\n,]")


def only_scoffs(text: Text, prices: Sequence[Paise], bid: Paise | None) -> bool:
    """Whether a line throws a price back that is no more than the other side's: "7500?? pagal"."""
    if bid is None or not prices or max(prices) > bid or answered(text) in ("yes", "maybe"):
        return False
    if any(piece.text in _SCOFFS for piece in text.pieces):
        return True
    return (questioned(text) or denies(text)) and unknown_words(text) > LOOSE_WORDS


PLAIN, NAMED = 0.95, 0.9
"""So sure the judge has to be of a price, and of one that the line calls the last, or its own."""
_CONDITIONS = word_set("agar if unless half aadha aadhe aadhi without bina")
"""They say for what a price holds, which may be less than the thing."""


def is_plain_price(text: str, price: Paise, standing: Standing, seat: Side) -> bool:
    """Whether a price is written in digits, between both standing ones, and no other is possible.

    >>> standing = Standing(Paise(200000), Paise(100000), "INR")
    >>> told = "1400 is what I have on me", "1400? my foot", "chaudah sau bas"
    >>> [is_plain_price(one, Paise(140000), standing, "buyer") for one in told]
    [True, False, False]
    """
    cut = to_text(text)
    open_words = laughs(cut) or not _CONDITIONS.isdisjoint(piece.text for piece in cut.pieces)
    if open_words or not standing.bid or not standing.bid < price < (standing.ask or 0):
        return False
    reading = read_text(cut, standing)
    found = zip(cut.said, reading.roles, strict=True)
    mine = [(item, role) for item, role in found if item.amount.paise == price]
    if any(not item.amount.digits or item.after.lstrip().startswith("?") for item, _ in mine):
        return False
    least = NAMED if any(role in STRONG for _, role in mine) else PLAIN
    opinions = judging.judge().weigh(judging.options(cut, reading.roles, standing, seat))
    is_sure = any(one.option.paise == price and one.probability >= least for one in opinions)
    return is_sure and stands_whole(cut, reading, price, standing, alone=False)


def lacks_its_scale(text: Text, reading: PriceReading, price: int, standing: Standing) -> bool:
    """Whether only one price can come next that the one number word leaves a scale out of."""
    is_open = standing.bid is None or turned(text) or questioned(text)
    if len(text.said) != 1 or is_open or text.said[0].amount.digits:
        return False
    place = text.said[0].piece
    before, after = text.pieces[max(place - 1, 0) : place], text.pieces[place + 1 : place + 2]
    # "pandra panso": a word that is not known may be more of the number.
    whole = not after or after[0].breaks or after[0].text in FILLERS
    whole = whole and (not before or before[0].text not in NUMBERS)
    clause = next(range(*one) for one in clauses(text) if place in range(*one))
    # "thirteen is my lucky number": with the price, two words at most may be strange.
    strange = [at for at in clause if text.pieces[at].text not in FILLERS | COMMITS]
    meant = [text.said[0].amount.paise * scale for scale in (1, *SCALES)]
    free = [one for one in meant if standing.allows(one) and one != standing.ask]
    is_clear = whole and len(strange) <= MOST_STRANGE
    return is_clear and free == [price] and reading.roles[0] in (*STRONG, *WEAK)


def says_done(text: Text, book: Phrasebook[Answer] = BOOK) -> bool:
    """Whether acceptance and price stand in clauses of their own: "done. 14300. bring tempo"."""
    if questioned(text) or turned(text) or denies(text) or laughs(text):
        return False
    if any(piece.text in _SCOFFS | DOUBTS for piece in text.pieces):
        return False
    if len(text.said) == 1 and answered(text, book) == "yes":
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


def says_sold(text: Text, book: Phrasebook[None] = SOLD_BOOK) -> bool:
    """Whether the thing is given away at the price: "4500 me almirah aapki hui"."""
    if questioned(text) or turned(text) or denies(text) or len(text.said) > 1:
        return False
    told = any(piece.text in STORIES for piece in text.pieces)
    return not told and any(True for _ in book.find(text.pieces))


def agrees(
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
    if book is BOOK and asks_the_buyer(text):
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
    if any(hit.record == "no" for hit in hits) or vouches(text, book):
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


def vouches(text: Text, book: Phrasebook[Answer]) -> bool:
    """Whether "pakka" beside a clause about the thing only swears to it: "pakka, ekdum naya"."""
    taken = [hit for hit in book.find(text.pieces) if hit.record == "yes"]
    if any(text.pieces[hit.first].text != _SURELY or hit.first != hit.last for hit in taken):
        return False
    told = [{piece.text for piece in text.pieces[first:last]} for first, last in clauses(text)]
    return any(words & QUALITIES and words <= QUALITIES | FILLERS | _QUITE for words in told)


def asks_the_buyer(text: Text) -> bool:
    """Whether it is the buyer who would take it: "would you take it", "aapko manzoor hai"."""
    words = [piece.text for piece in text.pieces]
    is_asked = any(left in _OF_YOU and right in _AGREED for left, right in pairwise(words))
    is_asked |= words[1:2] == ["you"] and words[0] in _ASKING
    return is_asked or not _WHO.isdisjoint(words[:1])


def takes_it_in_a_sentence(text: Text, book: Phrasebook[Answer]) -> bool:
    """Whether a sentence does that and nothing else: "Yes madam, take it. Play it well."."""
    sentences = [to_text(one) for one in _SENTENCE.split(text.plain.text) if one.strip()]
    if len(sentences) < MIN_SENTENCES or text.said or questioned(text) or denies(text):
        return False
    if turned(text) or any(piece.text in STORIES | _OTHERWISE for piece in text.pieces):
        return False
    if answered(text, book) == "no" or vouches(text, book):
        return False
    return any(only_known_words(one) and answered(one, book) == "yes" for one in sentences)


def answered(text: Text, book: Phrasebook[Answer] = BOOK) -> Answer | None:
    """Return what the words of acceptance and refusal of a line say together; None: nothing."""
    hits = list(book.find(text.pieces))
    if any(hit.record == "no" for hit in hits):
        return "no"
    if any(hit.record == "yes" for hit in hits):
        return None if denies(text) else "yes"
    short = len(text.pieces) <= MAYBE_WORDS and only_known_words(text)
    return "maybe" if hits and short and not denies(text) else None


def wants_more(text: Text) -> bool:
    """Whether a line asks for more than the price that it names."""
    return any(piece.text in _MORE for piece in text.pieces)


_SCOFFS = word_set(
    "pagal paagal mazak mazaak joke joking kidding kid crazy mad insane seriously lol haha hahaha "
    "kidney gurda robbery loot dimag dimaag hosh sapna sapne bheek insult ridiculous"
)
_SURELY = "pakka"
_ASKING = word_set("will would can could do")
_WHO = word_set("who wholl kaun kon")
_OF_YOU, _AGREED = word_set("aapko tumhe tumko apko"), word_set("manzoor manjoor manjur")
_QUITE = word_set("ekdum ekdam bilkul pura poora puri poori brand totally fully quite very")
_MORE = word_set("zyada jyada upar more above over higher better")
_OTHERWISE = word_set("or ya warna varna otherwise else leave only")


_FOUND = read_patterns(Path(__file__).with_suffix(".toml"))
_YES, _WRONG = _FOUND["yes"][0], _FOUND["wrong"][0]
_BARE = re.compile(rf"\W*{_YES}(?:\W+{_YES})*\W*", re.IGNORECASE)
_ONLY_FILLING = re.compile(_FOUND["filling"][0], re.IGNORECASE)
_TAKES_BACK = re.compile(_FOUND["signs"][0], re.IGNORECASE)
_MARKS = r"\u093a-\u094f"
"""Vowel signs of Devanagari, which are no letters by themselves: न is not the first word of नौ."""
_WORD = re.compile(rf"(?<![\w{_MARKS}])(?:{_WRONG})(?![\w{_MARKS}])", re.IGNORECASE)
LONGEST = 120
"""A longer line says more than yes."""
_PAUSE = re.compile(r"[.,!;\n\N{DEVANAGARI DANDA}]+\s*")


def besides_yes(text: str) -> str | None:
    """Return what a line says besides yes, "" where that is all; None: it says something else.

    >>> [besides_yes(one) for one in ("haan ji", "हाँ, वही", "yes. full tank", "yes, no problem")]
    ['', '', 'full tank', 'no problem']
    >>> [besides_yes(one) for one in ("that's it?", "yes 4800", "yes, deal", "haan, par 9")]
    [None, None, None, None]
    """
    plain = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    if len(text) > LONGEST or "?" in text:
        return None
    head, *rest = (plain,) if _BARE.fullmatch(plain) else _PAUSE.split(plain, maxsplit=1)
    if _BARE.fullmatch(head) is None or _ONLY_FILLING.fullmatch(head) is not None:
        return None
    told = to_text("".join(rest))
    is_open = told.said or denies(told) or turned(told) or answered(told) is not None
    doubts = not (DOUBTS | _SCOFFS).isdisjoint(piece.text for piece in told.pieces)
    return None if is_open or doubts else "".join(rest)


def correction(text: str) -> str | None:
    """Return what a line puts in the place of something said before; None: it takes nothing back.

    "" where it says that a price was wrong, and names no other.

    >>> correction("nahi, maine 4800 bola tha"), correction("नहीं, नौ सौ कहा"), correction("4800?")
    ('4800', 'नौ सौ', None)
    >>> correction("nahi, that was not my price!")
    ''
    """
    if _TAKES_BACK.search(text) is None:
        return None
    return _WORD.sub(" ", text).strip(" ,.;:!?-–।'\"")


class _Hedges(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    conditions: tuple[str, ...]
    repeated: tuple[str, ...]
    held: tuple[str, ...]
    if_asked: tuple[str, ...]
    patterns: dict[str, str]
    words: dict[str, str]


_HEDGES = read_table(Path(__file__).with_name("hedges.toml"), _Hedges)
_CONDITIONAL, _REPEATED, _HELD = (
    Phrasebook(((row, None) for row in rows), CLASSES)
    for rows in (_HEDGES.conditions, _HEDGES.repeated, _HEDGES.held)
)
_WORDS = {name: word_set(words) for name, words in _HEDGES.words.items()}
_PATTERNS = {name: re.compile(pattern) for name, pattern in _HEDGES.patterns.items()}
TAKEN_AWAY, MIND, IF_ASKED = _PATTERNS["taken_away"], _PATTERNS["mind"], _HEDGES.if_asked
SECRET = _PATTERNS["secret"]
COMMITS, OWN_PRICE = _WORDS["commits"], _WORDS["own_price"]
_SHOPS = CLASSES["platform"] - word_set("online net internet")  # "5000 online" is how it is paid
LEAST_TOLD = 3
"""Fewer words beside the numbers tell nothing."""


def tells_only(clause: Sequence[str]) -> bool:
    """Whether a clause with a number tells what others paid, or scorns it, and commits nobody."""
    there = frozenset(_PATTERNS["like_yours"].sub(" similar ", " ".join(clause)).split())
    told = (there & _WORDS["traded"] and there & _WORDS["others"]) or (
        there & (_WORDS["scorn"] | _SHOPS)
    )
    is_long = len(clause) - clause.count(AMOUNT) >= LEAST_TOLD
    return bool(told) and is_long and not there & (COMMITS | OWN_PRICE)


def _tells(text: Text, name: str) -> bool:
    return not _WORDS[name].isdisjoint(piece.text for piece in text.pieces)


def hangs(text: Text) -> bool:
    """Whether a price depends on what has to be given beside it: "32000 if you add the bag"."""
    flowing = [Piece(piece.text) for piece in text.pieces]
    hits = _CONDITIONAL.find(flowing)
    return any(Piece(AMOUNT) not in flowing[hit.first + 1 : hit.last] for hit in hits)


def unless_repeated(text: Text, price: int, own: int | None) -> Literal["none", "ask"] | None:
    """Return what to make of a price that was said before, None of any other or the own one.

    "I told you 19500, you forgot?" is talk; "I told you 20000 already" is asked about.
    """
    places = {item.piece for item in text.said if item.amount.paise == price}
    words = [piece.text for piece in text.pieces]
    mends = words[0] in _WORDS["mended"] or {("not", AMOUNT), ("nahi", AMOUNT)} & {*pairwise(words)}
    hits = _REPEATED.find(text.pieces)
    if mends or not any(places & {*range(hit.first, hit.last + 1)} for hit in hits):
        return None
    if questioned(text) or _tells(text, "complaints"):
        return "none"
    return "ask" if price != own and _tells(text, "past") else None


def held(text: Text) -> bool | None:
    """Whether a line without a number stays with the own price: "same as I told you before".

    None: it speaks of a price of others, "your price is the same as the shop's".
    """
    if text.said or _tells(text, "not_own"):
        return False if text.said else None
    flowing = [Piece(piece.text) for piece in text.pieces]
    asked = questioned(text) or text.pieces[:1] in ([Piece("is")], [Piece("kya")])
    hits = () if asked else _HELD.find(flowing)
    return any(Piece("not") not in flowing[: hit.last] for hit in hits)


def without_measures(text: Text, listing: str, standing: Standing) -> Text:
    """Leave out the numbers that a listing has of the thing: "GTX 1650", "is it 210?".

    Those that stand beside the same word, or have three digits and can be no next price.
    """
    if not listing or standing.ask is None or len(text.pieces) == 1:
        return text
    known = to_text(listing)
    plain = [item for item in known.said if not item.marked]
    beside = {pair for item in plain for pair in _neighbours(known, item)}
    large = {item.amount.paise for item in plain if item.amount.paise >= LARGE}
    named = {
        item.piece
        for item in text.said
        if not (item.marked or item.amount.scaled)
        and item.amount.paise not in (standing.ask, standing.bid)
        and (
            not beside.isdisjoint(_neighbours(text, item))
            or (item.amount.paise in large and not standing.allows(item.amount.paise))
        )
    }
    pieces = list(text.pieces)
    for place in named:
        pieces[place] = Piece("measure", pieces[place].breaks)
    said = [item for item in text.said if item.piece not in named]
    return msgspec.structs.replace(text, pieces=pieces, said=said)


LARGE = 100_00


def _neighbours(text: Text, item: Said) -> set[tuple[int, str, int]]:
    """Return a number with the telling words beside it, and the side on which each stands."""
    places = ((side, item.piece + side) for side in (-1, 1))
    near = [(side, text.pieces[at].text) for side, at in places if 0 <= at < len(text.pieces)]
    dull = FILLERS | OWN_PRICE | {AMOUNT}
    return {(side, word, item.amount.paise) for side, word in near if word not in dull and word[1:]}
