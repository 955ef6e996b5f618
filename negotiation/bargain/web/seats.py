"""The two seats at the table; the words of a page that depend on who sits where are in TOML."""

import functools
import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
from django.utils.translation import get_language, gettext

from bazaarbatna.bargain.quantities import Side
from negotiation.bargain.shops import rival_of, shop_of
from negotiation.bargain.terms import PERSON, terms_of
from negotiation.models import Game
from negotiation.portraits.characters import name_of
from negotiation.sentences import sentences

say = sentences(__file__)

RIVAL = "{rival}"
"""Stands for the name of whoever sits opposite."""

Praise = tuple[str, str, str, str, str]
"""What is said of a deal: with five stars, with four, down to one or none."""


class Cast(msgspec.Struct, frozen=True):
    """What both sides are called; ``own`` is drawn as one's own, and "you" if ``is_reader``.

    ``is_person``: the other may be a person, of whom nobody says "she".
    """

    seller: str
    buyer: str
    own: Side = "seller"
    is_reader: bool = True
    is_person: bool = False

    def called(self, side: str) -> str:
        """Name a side within a sentence."""
        return self.seller if side == "seller" else self.buyer

    def name(self, side: str) -> str:
        """Name a side at the head of a line."""
        called = self.called(side)
        return called[:1].upper() + called[1:]


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """One side of the table as its page words it. ``{rival}`` is the other's name.

    ``counter`` and ``page`` begin the names of its addresses; other names in braces are amounts.
    ``is_person``: the other may be a person,
    of whom nobody says "she". ``says`` is what the chips say, in the order of their labels.
    ``rightly_*`` is said of an end without a deal where no price suited both, ``missed`` where some
    did.
    """

    side: Side
    rival_side: Side
    rival: str = RIVAL
    is_person: bool = False
    counter: str
    page: str
    brief: str

    doing: str
    title: str
    own_kind: str
    rival_kind: str
    own_price: str
    rival_price: str
    first: str
    both: str
    thinking: str
    own_move: str
    own_walk: str
    opening: str
    first_word: str
    speak_to: str
    gap: str
    last_round: str

    barred: str
    chip_labels: tuple[str, ...]
    says: tuple[str, ...]
    middle: str = "Chalo, meet in the middle: "
    walk_warning: str
    walk_loses: str

    reading: str
    reading_empty: str
    from_words: str
    gives_way: str

    thumbs: str
    deal: str
    rightly_walked: str
    rightly_left: str
    rightly_expired: str
    missed: str
    missed_point: str
    at_limits: str
    praise: Praise
    own_limit: str
    rival_limit: str
    rival_share: str
    moved: str
    moved_about: str
    moved_turn: str
    certificate: str
    certificate_about: str

    @property
    def cast(self) -> Cast:
        """Both sides' names in this person's own transcript."""
        you = say("you")
        if self.side == "seller":
            return Cast(you, self.rival, "seller")
        return Cast(self.rival, you, "buyer", is_person=self.is_person)

    @property
    def chips(self) -> tuple[tuple[str, str], ...]:
        """What may be said at a touch: its label, and the words."""
        return tuple(zip(self.chip_labels, self.says, strict=True))

    @property
    def is_seller(self) -> bool:
        """The person sells."""
        return self.side == "seller"


WORDS: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
"""Words by seat; those of guests are only what differs from the seat they look at."""


def _seat(name: str, **places: Any) -> Seat:
    return msgspec.convert({**places, **WORDS[name]}, Seat)


def looking_on(seat: Seat, name: str) -> Seat:
    """Return a seat as guests read of it, who are not "you"."""
    return msgspec.structs.replace(seat, **WORDS[name])


_WITHIN = re.compile(r"(?<=[\w,:;] )\{rival\}")
"""Where the other's name stands within a sentence."""


def _filled(value: object, rival: str, within: str) -> object:
    if isinstance(value, str):
        told = gettext(value) if value else value
        return _WITHIN.sub(lambda _: within, told).replace(RIVAL, rival)
    if isinstance(value, tuple):
        return tuple(_filled(one, rival, within) for one in value)
    return value


SALE = Cast("the seller", "Sauda")
"""A sale as somebody tells it who was not there."""


def sale_cast() -> Cast:
    """Name both sides of a sale for somebody who was not there."""
    return Cast(say("the_seller"), say("sauda"))


SELLING = _seat(
    "selling",
    side="seller",
    rival_side="buyer",
    counter="sell",
    page="sale",
    brief="negotiation/_brief.html",
    own_kind="ask",
    rival_kind="bid",
)

BUYING = _seat(
    "buying",
    side="buyer",
    rival_side="seller",
    counter="buy",
    page="purchase",
    brief="negotiation/_buy_brief.html",
    own_kind="bid",
    rival_kind="ask",
)


def _to_person(seat: Seat, name: str) -> Seat:
    return msgspec.convert({**msgspec.structs.asdict(seat), **WORDS[name], "is_person": True}, Seat)


FACING_HOUSE: dict[Side, Seat] = {"seller": SELLING, "buyer": BUYING}
FACING_PERSON: dict[Side, Seat] = {
    "seller": _to_person(SELLING, "selling_to_person"),
    "buyer": _to_person(BUYING, "buying_from_person"),
}


def seat_of(game: Game) -> Seat:
    """Return the words of whoever owns this game."""
    side: Side = "buyer" if game.seat == Game.Seat.BUYER else "seller"
    is_person = game.policy == PERSON or not terms_of(game).persona_told
    seats = FACING_PERSON if is_person else FACING_HOUSE
    return facing(seats[side], rival_of(game), get_language())


def replay_cast(game: Game) -> Cast:
    """Name both sides of a finished game for somebody who was not there."""
    if game.is_pair or not terms_of(game).persona_told:
        own: Side = "buyer" if game.seat == Game.Seat.BUYER else "seller"
        return Cast(say("the_seller"), say("the_buyer"), own, is_person=True)
    if game.kind == "sim":
        return Cast(say("the_seller"), name_of(game.policy), "seller", is_reader=False)
    if game.seat == Game.Seat.BUYER:
        return Cast(shop_of(game.policy).keeper, say("the_buyer"), "buyer")
    return sale_cast()


@functools.lru_cache(maxsize=1000)
def facing(seat: Seat, rival: str, language: str | None) -> Seat:
    """Seat somebody opposite, in the language that is spoken now."""
    del language  # of the words, so that a kept seat is not shown in another one
    # "A stranger" is no name: within a sentence it is "a stranger".
    is_name = seat.is_person or not rival.startswith("A ")
    within = rival if is_name else rival[:1].lower() + rival[1:]
    told = {
        name: _filled(getattr(seat, name), rival, within) for name in ("rival", *WORDS["selling"])
    }
    return msgspec.structs.replace(seat, **told)
