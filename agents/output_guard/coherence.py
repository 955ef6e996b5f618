"""What words may be said at the table: the own price, never the secret, one short plain line.

Where a legitimate price equals the secret, the move is spoken without any number.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from agents.output_guard.secrets import amounts_in, hides_number, names_secret
from agents.text.intent import read_intent
from bazaarbatna.bargain.moves import Accept, Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation, Observation
from bazaarbatna.word_tables import read_patterns, whole_words
from negotiation.catalogue.stock import in_all_languages, sentences_on

_SENTENCE = re.compile(r"[^.?!।;\n]+[.?!।;\n]*")
_CLAUSE = re.compile(
    r"[,:\u2013\u2014]|\s(?:but|and|because|so|par|lekin|magar|aur|पर|लेकिन|मगर|और)\s"
)
_QUOTED = re.compile('[“"]([^”"]*)[”"]')


_FOUND = read_patterns(Path(__file__).with_name("claims.toml"))
ADMITS, _DENIES, _SAYS_NO = (whole_words(*_FOUND[name]) for name in ("admits", "denies", "says_no"))
_LIFE, _HAS = whole_words(*_FOUND["life"]), whole_words(*_FOUND["has"])
"""A person's life: a body, a family, work, a home, a past; and what is a person's own, for "my
husband would not" is no denial of him."""
_NO_PURSE = whole_words(*_FOUND["no_purse"])
"""That she has no budget, or does not know it: she has one, sealed, and knows it."""
_DEEDS = whole_words(*_FOUND["deeds"])
"""A deed after the game, which binds nobody: fetching, paying, a day, a treat."""
_FACTS = tuple(map(whole_words, _FOUND["facts"]))
"""What can be so or not of a thing, a pattern for each: said only where it was told."""


@lru_cache(maxsize=8192)
def claims(text: str) -> tuple[str, ...]:
    """Name what a line claims that is not so.

    >>> claims("My brother has a tempo."), claims("No tempo and no brother, I am a program.")
    (('a life', 'a deed'), ())
    >>> claims("I don't even know my budget.")
    ('no budget',)
    """
    return tuple(dict.fromkeys(_claims(text.replace("’", "'"))))


def _claims(text: str) -> Iterator[str]:
    if _DENIES.search(text):
        yield "a life"
    if _NO_PURSE.search(text):
        yield "no budget"
    for found in _SENTENCE.findall(text):
        parts = [found]
        if _SAYS_NO.search(found):
            parts = [part for part in _CLAUSE.split(found) if not _SAYS_NO.search(part)]
        if not ADMITS.search(found) and (_HAS.search(found) or any(map(_LIFE.search, parts))):
            yield "a life"
        if any(map(_DEEDS.search, parts)):
            yield "a deed"


@lru_cache(maxsize=8192)
def untold(text: str, known: str) -> bool:
    """Whether a line speaks of something that nobody told: neither the listing nor the talk.

    >>> untold("One year of warranty is left.", "Kettle, lid has a dent")
    True
    >>> untold("I saw that the lid has a dent.", "Kettle, lid has a dent")
    False
    """
    return any(fact.search(text) and not fact.search(known) for fact in _FACTS)


MAX_MESSAGE, SELLERS_MAX_MESSAGE = 240, 320

LIKE_A_PRICE = 0.1
"""A number of at least this share of the ask is taken for a price; smaller ones are counts."""

MAX_ITEM = 42

_MARKUP = re.compile(r"[<>`{}\[\]|\\]|\*\*|__|https?:|www\.|^#|\]\(")
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_SPACE = re.compile(r"\s+")
_SAYABLE = re.compile(r"[^\W_][\w '&+./-]*\Z")


@lru_cache(maxsize=4096)
def tidy(text: str) -> str:
    r"""Make one line of a text: no control, direction or invisible characters, single spaces.

    >>> tidy("ek\u200b baat\n\nsuniye ")
    'ek baat suniye'
    """
    spaced = _SPACE.sub(" ", text)
    kept = [c for c in spaced if c.isascii() or unicodedata.category(c) not in _INVISIBLE]
    plain = "".join(c for c in kept if c == " " or c.isprintable())
    return _SPACE.sub(" ", plain).strip()


def is_plain(text: str, longest: int = MAX_MESSAGE) -> bool:
    """Whether a text is one line of at most ``longest`` characters, without markup."""
    return len(text) <= longest and tidy(text) == text and not _MARKUP.search(text)


def sayable(title: str) -> str:
    """Shorten a title to what fits into a sentence; nothing if that cannot be done.

    >>> sayable("Prestige Cooker, 5 litre (with box)")
    'Prestige Cooker'
    """
    short = re.split(r"\s*[,(|:;\u2013\u2014]|\s-\s", tidy(title), maxsplit=1)[0]
    fits = len(short) <= MAX_ITEM and _SAYABLE.match(short) and is_plain(short)
    return short if fits else ""


def prices_in(text: str, seen: Observation) -> frozenset[int]:
    """Return the numbers of a text that may be meant as prices (paise), not the title's."""
    return _large(text, seen) - amounts_in(seen.item.title)


def names_price(text: str, seen: Observation, move: Move) -> bool:
    """Whether the prices in a text are the move's, beside the other side's standing one."""
    said, (own, other) = prices_in(text, seen), _standing(seen)
    if isinstance(move, Offer):
        return not said or (move.price in said and said <= {move.price, other})
    return said <= ({other} if isinstance(move, Accept) else {own, other})


def is_coherent(text: str, seen: Observation, move: Move | None) -> bool:
    """Whether a message may be said; without a move it may repeat the prices on the table."""
    if move is None:
        fits = prices_in(text, seen) <= {*_standing(seen)}
    else:
        fits = names_price(text, seen, move)
    may_take = move is not None and not isinstance(move, Offer)
    return fits and _is_fit(text, seen, move) and (may_take or not says_yes(text, seen))


def is_mere_talk(text: str, seen: Observation) -> bool:
    """Whether a message may be said without a move: it names no price and takes none."""
    return not prices_in(text, seen) and is_coherent(text, seen, None)


def says_yes(text: str, seen: Observation) -> bool:
    """Whether a seller's words take the standing bid, as a buyer would hear them."""
    if isinstance(seen, BuyerObservation):
        return False
    intent = read_intent(text, seen.standing_ask, seen.standing_bid, seen.item.currency)
    return intent.kind == "accept"


def first_coherent(texts: Iterable[str], seen: Observation, move: Move) -> str:
    """Return the first text that may be sent with the move; no words if none may."""
    return next((text for text in map(tidy, texts) if is_coherent(text, seen, move)), "")


def _standing(seen: Observation) -> tuple[int | None, int | None]:
    if isinstance(seen, BuyerObservation):
        return seen.own_last_bid, seen.standing_ask
    return seen.standing_ask, seen.standing_bid


def _listed(seen: Observation) -> str:
    return in_all_languages(seen.item.title, seen.item.condition)


def _own(text: str, seen: Observation) -> str:
    """Leave out what a line has from the listing: its words in quotation marks, its facts."""
    for told in sentences_on(seen.item.condition):
        text = text.replace(told, "")
    listed = _listed(seen)
    return _QUOTED.sub(lambda quote: "" if quote[1] in listed else quote[0], text)


def _large(text: str, seen: Observation) -> frozenset[int]:
    said = amounts_in(_own(text, seen))
    return frozenset(a for a in said if a >= LIKE_A_PRICE * seen.standing_ask)


def _is_fit(text: str, seen: Observation, move: Move | None) -> bool:
    is_buyer = isinstance(seen, BuyerObservation)
    longest = MAX_MESSAGE if is_buyer else SELLERS_MAX_MESSAGE
    secret = seen.budget if isinstance(seen, BuyerObservation) else seen.reservation
    # Whatever is large enough for a price is judged as one.
    judged = _large(text, seen) if is_buyer and move is not None else prices_in(text, seen)
    own = _own(text, seen)
    known = {*seen.asks, *seen.bids, *judged, *((move.price,) if isinstance(move, Offer) else ())}
    return (
        bool(text)
        and is_plain(text, longest)
        and not claims(own)
        and not untold(own, " ".join((_listed(seen), *(turn.text for turn in seen.turns))))
        and not names_secret(own, secret)
        and not hides_number(own, secret, seen.item, frozenset(known))
    )


RUN = 7

_WORD = re.compile(r"[^\W_]+")


def recites(text: str, instructions: str) -> bool:
    """Whether a text and the instructions share a run of ``RUN`` words.

    >>> recites("Sure: you sell one item in an Indian stall", "You sell one item in an Indian ...")
    True
    """
    return not _runs(text).isdisjoint(_runs(instructions))


@lru_cache(maxsize=256)
def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return frozenset(tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1))
