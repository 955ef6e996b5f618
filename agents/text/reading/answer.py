"""The answer of a price reading: the standing prices, the questions, the words that accept."""

import re
import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Literal

import msgspec

from agents.text.reading.phrases import AMOUNT
from agents.text.reading.pieces import Text
from agents.text.reading.roles import Role
from agents.text.reading.spelling import spell, word_set
from bazaarbatna.bargain.quantities import MAX_PRICE, MIN_PRICE, Paise, to_rupees
from bazaarbatna.money import rupees_text
from bazaarbatna.word_tables import read_table, texts_of

MAX_NAMED = 4

_TEXTS = texts_of(__file__)


def _say(name: str, /, **holes: object) -> str:
    """Return a sentence in the language of whoever is served; English where no site runs."""
    text: str = _TEXTS[name]
    conf = sys.modules.get("django.conf")
    if conf is not None and conf.settings.configured:
        from django.utils.translation import gettext

        text = gettext(text)
    return text % holes if holes else text


def ask_one_of(prices: Sequence[int], currency: str) -> str:
    """Ask which of several prices (in paise) is meant.

    >>> ask_one_of([15000, 17000], "INR")
    'Which is your price: ₹150 or ₹170?'
    """
    if not prices:
        return _say("which_price")
    named = [_price(price, currency) for price in prices[:MAX_NAMED]]
    if len(prices) > MAX_NAMED:
        named.append(_say("another"))
    return _say("one_of", some=", ".join(named[:-1]), last=named[-1])


def ask_whether(price: int, currency: str) -> str:
    """Ask whether a number (in paise) is meant as a price."""
    return _say("whether", price=_price(price, currency))


def ask_whether_alone(price: int, currency: str) -> str:
    """Ask whether a price (in paise) is meant without the condition that was put on it."""
    return _say("whether_alone", price=_price(price, currency))


def _ask_off_or_price(said: int, left: int, currency: str) -> str:
    if left < 1:
        return _say("too_much_to_take_off", price=_price(said, currency))
    return _say("price_or_off", price=_price(said, currency), left=_price(left, currency))


def ask_without_bid() -> str:
    """Ask for a number when words lean on a price that does not stand yet."""
    return _say("nothing_to_count_from")


def _ask_too_large(currency: str) -> str:
    return _say("too_large", most=_price(MAX_PRICE, currency))


def _ask_zero() -> str:
    return _say("zero")


def ask_accept(bid: int, currency: str) -> str:
    """Ask whether the standing bid (in paise) is accepted."""
    return _say("accept", price=_price(bid, currency))


def _price(paise: int, currency: str) -> str:
    return rupees_text(to_rupees(paise), currency)


LOW, HIGH = 0.2, 2.0
"""A bare number between these shares of the standing ask needs no question."""

TINY = 0.05
"""A bare number below this share of the standing ask counts something else."""

SCALES = (100, 1000, 100_000)
"""What people leave out: "12" for 12,000, "2.5" for 2,50,000."""

MEANT = (0.4, 1.05)
"""Shares of the standing ask between which a number with its scale put back is believable."""


class PriceReading(msgspec.Struct, frozen=True):
    """What a text says about the price, in paise.

    ``candidates`` are what it could be when there is a ``question`` for the player; ``span`` is
    where the price stands, in code points; ``roles`` what each number was taken for;
    ``reckoned``: the candidates are no numbers of the line, but follow from them.
    """

    price: Paise | None = None
    candidates: tuple[Paise, ...] = ()
    question: str = ""
    span: tuple[int, int] | None = None
    roles: tuple[Role, ...] = ()
    reckoned: bool = False


class Standing(msgspec.Struct, frozen=True):
    """What stands when a line is read: ask and bid in paise, and the currency of questions."""

    ask: Paise | None
    bid: Paise | None
    currency: str

    def allows(self, paise: int) -> bool:
        """Whether a number may be the next price: no ask goes up, no bid comes down."""
        return (self.bid or 0) < paise <= (self.ask or 0)

    def fits(self, paise: int) -> bool:
        """Whether a number is of the size of a price here."""
        return self.ask is not None and LOW * self.ask <= paise <= HIGH * self.ask

    def is_small(self, paise: int) -> bool:
        """Whether a bare number is suspiciously small for a price."""
        return self.ask is not None and paise < LOW * self.ask

    def is_tiny(self, paise: int) -> bool:
        """Whether a bare number is far too small for a price."""
        return self.ask is not None and paise < TINY * self.ask

    def with_scale(self, paise: int) -> list[int]:
        """Put back a scale that was left out, where that gives a believable price."""
        if self.ask is None:
            return []
        low, high = max(MEANT[0] * self.ask, self.bid or 0), MEANT[1] * self.ask
        # Hundreds are left out of "32", and of "210" nothing but thousands.
        scales = SCALES[paise >= 100 * SCALES[0] :]
        return [paise * scale for scale in scales if low <= paise * scale <= high]

    def price(self, paise: int, span: tuple[int, int] | None) -> PriceReading:
        """Answer with a price, or ask again when no game knows it."""
        if paise < MIN_PRICE:
            return PriceReading(question=_ask_zero())
        if paise > MAX_PRICE:
            return PriceReading(question=_ask_too_large(self.currency))
        return PriceReading(price=Paise(paise), span=span)

    def one_of(self, prices: Iterable[int]) -> PriceReading:
        """Ask which of several prices is meant."""
        known = _known(prices)
        if len(known) == 1:
            return self.whether(known[0])
        return PriceReading(candidates=known, question=ask_one_of(known, self.currency))

    def whether(self, paise: int) -> PriceReading:
        """Ask whether a price is meant."""
        if not _known([paise]):
            return self.price(paise, None)
        return PriceReading(candidates=(Paise(paise),), question=ask_whether(paise, self.currency))

    def whether_reckoned(self, paise: int) -> PriceReading:
        """Ask about a price that stands nowhere in the line: of such the judge knows nothing."""
        return msgspec.structs.replace(self.whether(paise), reckoned=True)

    def off_or_price(self, said: int, left: int) -> PriceReading:
        """Ask whether a number is the price or comes off the ask."""
        question = _ask_off_or_price(said, left, self.currency)
        return PriceReading(candidates=_known([said, left]), question=question)


def _known(prices: Iterable[int]) -> tuple[Paise, ...]:
    return tuple(Paise(p) for p in dict.fromkeys(prices) if MIN_PRICE <= p <= MAX_PRICE)


Answer = Literal["yes", "maybe", "no"]


class _Acceptance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    phrases: tuple[tuple[str, Answer], ...]
    sold: tuple[str, ...]
    bought: tuple[str, ...]
    buyers_phrases: tuple[tuple[str, Answer], ...]
    plans: str
    doubts: str
    reasons: str
    payments: str
    turns: str
    stories: str
    fillers: str
    qualities: str
    handing: str


_ACCEPTANCE = read_table(Path(__file__).with_name("acceptance.toml"), _Acceptance)
TABLE, BUYERS_TABLE = _ACCEPTANCE.phrases, _ACCEPTANCE.buyers_phrases
SOLD, BOUGHT, STORIES = _ACCEPTANCE.sold, _ACCEPTANCE.bought, word_set(_ACCEPTANCE.stories)
TURNS, FILLERS = word_set(_ACCEPTANCE.turns), word_set(_ACCEPTANCE.fillers)
QUALITIES = word_set(_ACCEPTANCE.qualities)
PLANS, DOUBTS = word_set(_ACCEPTANCE.plans), word_set(_ACCEPTANCE.doubts)
HANDING = word_set(_ACCEPTANCE.handing)
REASONS, PAYMENTS = word_set(_ACCEPTANCE.reasons), word_set(_ACCEPTANCE.payments)

_MOST_ASKED = 8
_LAST_WORDS = re.compile(r"[\w\u0900-\u097f]+")
_LETTER = re.compile(r"[^\W\d_]")
_ASKING = word_set("kab when where kaha kahan")
_WHAT, _HAPPENS = (
    word_set("what kya aage"),
    word_set("happens will next hota hoga karna process step"),
)
_SUPPOSING = word_set("if when after once suppose agar jab to baad")


def before_handing_over(text: str) -> str | None:
    """Return what stands before a last clause that only asks when, where or how it changes hands.

    >>> before_handing_over("9000 ok, kab aau?"), before_handing_over("9000 ok, free delivery?")
    ('9000 ok,', None)
    """
    end = text.rstrip(" ?.!")
    place = max(map(end.rfind, ".,!;।\n"))
    head, words = (
        end[: place + 1],
        [spell(word.lower()) for word in _LAST_WORDS.findall(end, place + 1)],
    )
    is_asked = "?" in text[len(end) :] or not _ASKING.isdisjoint(words[:1])
    if "?" in end or not _LETTER.search(head) or not is_asked or len(words) > _MOST_ASKED:
        return None
    takes_back = any(word.isdigit() for word in words) or not (DOUBTS | TURNS).isdisjoint(words)
    return None if takes_back or HANDING.isdisjoint(words) else head


def asks_what_follows(words: Sequence[str]) -> bool:
    """Whether a yes is only supposed, "if I accept, what happens", or words are asked for."""
    follows = any(left in _WHAT and right in _HAPPENS for left, right in pairwise(words))
    return (follows and not _SUPPOSING.isdisjoint(words)) or not {"tell", "turn"}.isdisjoint(words)


def denies(text: Text) -> bool:
    """Whether a line says no to more than a worry: "no problem", "don't be late"."""
    words = ["", *(piece.text for piece in text.pieces), ""]
    return any(
        word in _NO and after not in _HARMLESS and before not in _CONSOLED
        for before, word, after in zip(words, words[1:], words[2:], strict=False)
    )


_CONSOLED = word_set("ro tension chinta fikar bura gussa naraz man mann dil")
"""What one is told not to do by who gives in: "utha le, ro mat"."""
_HARMLESS = word_set("more problem issue tension worries doubt drama be forget delay worry")
"""What "no" is said of by who agrees: "I take it, no more drama"."""
_NO = word_set("no nahi not nope na mat never dont wont cant cannot nahin")


_LAUGHS = re.compile(
    "[\N{FACE WITH TEARS OF JOY}\N{ROLLING ON THE FLOOR LAUGHING}\N{FACE WITH ROLLING EYES}"
    "\N{SMILING FACE WITH OPEN MOUTH AND TIGHTLY-CLOSED EYES}]"
)


def laughs(text: Text) -> bool:
    """Whether a line has a face that laughs or rolls its eyes."""
    return _LAUGHS.search(text.plain.text) is not None


def clear_clauses(text: Text) -> list[range]:
    """Return the clauses of amounts and words that change nothing."""
    return [
        range(first, last)
        for first, last in clauses(text)
        if all(piece.text in FILLERS or piece.text == AMOUNT for piece in text.pieces[first:last])
    ]


def clauses(text: Text) -> list[tuple[int, int]]:
    """Return where each clause begins and ends, in pieces."""
    starts = (at for at, piece in enumerate(text.pieces) if piece.breaks or not at)
    return list(pairwise([*starts, len(text.pieces)]))


def turned(text: Text) -> bool:
    """Whether a "but" is there that is more than how it is paid; "daam par le lo" has none."""
    words = ["", *(piece.text for piece in text.pieces), ""]
    return any(
        word in TURNS
        and after not in PAYMENTS
        and not (word == "par" and before in ("price", AMOUNT) and after in _DONE_AT)
        for before, word, after in zip(words, words[1:], words[2:], strict=False)
    )


_DONE_AT = word_set("le lelo lo de dedo do done deal pakka final manzoor sauda lunga dunga")


def questioned(text: Text) -> bool:
    """Whether a line has a question mark."""
    return "?" in text.plain.text


def only_known_words(text: Text) -> bool:
    """Whether every word is one that changes nothing."""
    return unknown_words(text) == 0


def unknown_words(text: Text) -> int:
    """Count the words of which the tables know nothing."""
    return sum(piece.text != AMOUNT and piece.text not in FILLERS for piece in text.pieces)
