"""A position as whoever speaks in it sees it: what is the own, and what the other side's."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from agents.text.languages import ENGLISH, FEW_WORDS, HINDI, LOANED, Register, register_of
from bazaarbatna.bargain.observe import BuyerObservation, SellerObservation
from bazaarbatna.bargain.quantities import Paise, Side, other
from bazaarbatna.word_tables import read_table

Seen = BuyerObservation | SellerObservation


def _own_side(seen: Seen) -> Side:
    return "buyer" if isinstance(seen, BuyerObservation) else "seller"


def rival_side(seen: Seen) -> Side:
    """Name the side opposite."""
    return other(_own_side(seen))


def last_own(seen: Seen) -> Paise | None:
    """Return the own standing price; None before a buyer's first bid."""
    prices = _prices(seen, _own_side(seen))
    return prices[-1] if prices else None


def own_step(seen: Seen, price: Paise) -> int:
    """Return by how many paise a price gives way; below 0 where it takes something back."""
    last = last_own(seen)
    if last is None:
        return 0
    return price - last if _own_side(seen) == "buyer" else last - price


def rivals_step(seen: Seen) -> int:
    """Return by how many paise the other side's last price gave way; 0 for a first one."""
    prices = _prices(seen, rival_side(seen))
    if len(prices) < 2:
        return 0
    step = prices[-1] - prices[-2]
    return step if rival_side(seen) == "buyer" else -step


def rounds_left(seen: Seen) -> int:
    """Count the rounds after this one."""
    return seen.max_rounds - seen.round


def rivals_words(seen: Seen) -> str:
    """Return the words of the last turn, if the other side spoke in it."""
    turns = seen.turns
    return turns[-1].text if turns and turns[-1].actor == rival_side(seen) else ""


def rivals_lines(seen: Seen) -> list[str]:
    """Return what the other side has said lately, as far back as the position remembers turns."""
    return [turn.text for turn in seen.turns if turn.actor == rival_side(seen) and turn.text]


def own_words(seen: Seen) -> list[str]:
    """Return what this side has said, as far back as the position remembers."""
    recent = (turn.text for turn in seen.turns if turn.actor == _own_side(seen) and turn.text)
    return [*seen.earlier, *recent]


def heard_at(seen: Seen, *, speak_only: bool) -> tuple[Paise, Paise | None]:
    """Return ask and bid, in paise, as they stood when the other side's last line was said."""
    bid = seen.bids[-1] if seen.bids else None
    if speak_only:
        return seen.standing_ask, bid
    if _own_side(seen) == "buyer":
        return _before(seen.asks) or seen.standing_ask, bid
    return seen.standing_ask, _before(seen.bids)


def _before(prices: Sequence[Paise]) -> Paise | None:
    return prices[-2] if len(prices) > 1 else None


def _prices(seen: Seen, side: Side) -> tuple[Paise, ...]:
    return seen.bids if side == "buyer" else seen.asks


CHANGED_BY = 2
"""So many telling words in a line change the language of a talk."""
FIRST: Register = "english"
PAGES: dict[str, Register] = {"en": "english", "hi": "hindi"}
"""What is spoken first to who reads a page in a language."""
_READ = read_table(Path(__file__).with_name("titles.toml"), dict[str, str])
_WORDS = re.compile(r"[a-z']+")
_DEVANAGARI = re.compile(r"[\u0904-\u0939]")
_IN_DEVANAGARI = re.compile(r"[\u0900-\u097f]+")
TOLD_BY = frozenset(_READ["told_by"].split())
_VERB = re.compile(r"(?!challenge|revenge|avenge|scavenge)\w{3,}(?:oge|ogi|enge|engi|iyega)")
"""What another does or will do, in Hindi: "rakhoge", "bhejengi"."""
AT_HOME = LOANED | {"hello", "yes", "do"}
"""English words that tell of no English: who speaks Hindi says them too, or "do" for "give"."""


GREETINGS = frozenset({"namaste", "namaskar"})
CALLED = frozenset({"yaar", "didi", "bhai", "bhaiya", "behen"})
"""How one is spoken to in Hindi."""


def language_of(seen: Seen) -> Register | None:
    """Return the language of the rival's last clear line, else her own; None where none is known.

    Where nobody has spoken, the page tells that a person reads; without one the name of the goods
    may, unless it is English, as most are.
    """
    theirs = [turn.text for turn in reversed(seen.turns) if turn.actor == rival_side(seen)]
    own = [turn.text for turn in reversed(seen.turns) if turn.actor == _own_side(seen)]
    return (
        # A "chalo" in an English game is no change of language.
        _first(clearly(text, CHANGED_BY) for text in theirs)
        or _first(clearly(text) for text in theirs)
        or _first(_spoken_in(text) for text in own)
        or _first(_spoken_in(text) for text in theirs)
        or _of_listing(seen)
        or PAGES.get(seen.language[:2])
        or _named_in(seen.item.title)
    )


def _of_listing(seen: Seen) -> Register | None:
    # Who reads a page is spoken to in its language first, whatever the goods are told in.
    if seen.language[:2] in PAGES:
        return None
    found = clearly(seen.item.condition)
    return None if found == "english" else found


def _named_in(title: str) -> Register | None:
    # A capital within is a name's: a "Yashica Mat" forbids nothing.
    first, *rest = title.split() or [""]
    found = clearly(" ".join((first, *(word for word in rest if not word[0].isupper()))))
    return None if found == "english" else found


def _first(found: Iterable[Register | None]) -> Register | None:
    return next((language for language in found if language), None)


def clearly(text: str, least: int = 1) -> Register | None:
    """Name the language that a line is plainly in; None where two are about even, or none tells.

    ``least`` words have to tell it; a word in Devanagari does alone.

    >>> clearly("bhai final batao"), clearly("Is it in good shape?"), clearly("ok, 45")
    ('hinglish', 'english', None)
    """
    words = _WORDS.findall(text.lower())
    script = sum(map(bool, map(_DEVANAGARI.search, _IN_DEVANAGARI.findall(text))))
    hindi = sum(
        word in HINDI or word in TOLD_BY or _VERB.fullmatch(word) is not None for word in words
    )
    english = sum(word in ENGLISH and word not in AT_HOME for word in words)
    # "human or bot yaar?": who calls somebody so in few words speaks Hindi.
    hindi += 0 < english < FEW_WORDS and not CALLED.isdisjoint(words)
    # "namaste! is it new?" greets in one language and speaks another.
    hindi -= sum(word in GREETINGS for word in words) if english else 0
    if not script and max(hindi, english) < least:
        return None
    if english > 2 * (hindi + script):
        return "english"
    if hindi + script <= english:
        return None
    return "hindi" if script >= hindi else "hinglish"


def _spoken_in(text: str) -> Register | None:
    found = register_of(text)
    if found is None and any(word in TOLD_BY for word in _WORDS.findall(text.lower())):
        return "hinglish"
    # A sign of rupees is no Devanagari.
    return "hinglish" if found == "hindi" and not _DEVANAGARI.search(text) else found
