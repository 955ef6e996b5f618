"""The two seats at the table, and every word of a page that depends on who sits where."""

import functools

import msgspec
from django.utils.translation import get_language, gettext

from negotiation.bargain.shops import shop_of
from negotiation.engine.quantities import Side
from negotiation.marking import gettext_noop
from negotiation.models import Game
from negotiation.policies import title_of

RIVAL = "{rival}"
"""Stands for the name of whoever sits opposite."""

Praise = tuple[tuple[float, str], ...]
"""Least share, 0..1, and what is said of it; the first that fits."""


class Cast(msgspec.Struct, frozen=True):
    """What both sides are called; ``own`` is drawn as one's own, and "you" if ``is_reader``."""

    seller: str
    buyer: str
    own: Side = "seller"
    is_reader: bool = True

    def called(self, side: str) -> str:
        """Name a side within a sentence."""
        return self.seller if side == "seller" else self.buyer

    def name(self, side: str) -> str:
        """Name a side at the head of a line."""
        called = self.called(side)
        return called[:1].upper() + called[1:]


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """One side of the table as its page words it. ``{rival}`` is the other's name.

    ``counter``, ``start``, ``page``, ``move`` and ``thumb`` are names of addresses; other names in
    braces are amounts. ``rightly_*`` is said of an end without a deal where no price suited both,
    ``missed`` where some did.
    """

    side: Side
    rival_side: Side
    rival: str = RIVAL
    counter: str
    start: str
    page: str
    move: str
    thumb: str
    socket: str
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
    own_move: str = gettext_noop("Your move.")
    own_walk: str = gettext_noop("You walked away.")
    opening: str
    first_word: str
    speak_to: str
    gap: str
    last_round: str

    barred: str
    chips: tuple[tuple[str, str], ...]
    middle: str
    walk_warning: str

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
        you = gettext("You")
        if self.side == "seller":
            return Cast(you, self.rival, "seller")
        return Cast(self.rival, you, "buyer")

    @property
    def is_seller(self) -> bool:
        """The person sells."""
        return self.side == "seller"

    def facing(self, rival: str) -> "Seat":
        """Seat somebody opposite, in the language that is spoken now."""
        words = msgspec.structs.asdict(self)
        told = {name: _filled(words[name], rival) for name in words.keys() - UNSAID}
        return msgspec.structs.replace(self, **told)


UNSAID = frozenset(
    {"side", "rival_side", "counter", "start", "page", "move", "thumb", "socket", "brief"}
    | {"own_kind", "rival_kind", "middle"}
)
"""Fields of a seat that hold no words of the page."""


def _filled(value: object, rival: str) -> object:
    if isinstance(value, str):
        return gettext(value).replace(RIVAL, rival) if value else value
    if isinstance(value, tuple):
        return tuple(_filled(one, rival) for one in value)
    return value


SALE = Cast("the seller", "Sauda")
"""A sale as somebody tells it who was not there."""


def sale_cast() -> Cast:
    """Name both sides of a sale for somebody who was not there."""
    return Cast(gettext("the seller"), gettext("Sauda"))


SELLING = Seat(
    side="seller",
    rival_side="buyer",
    counter="sell",
    start="sell-new",
    page="sale",
    move="sale-move",
    thumb="sale-thumb",
    socket="/ws/sell/",
    brief="negotiation/_brief.html",
    doing=gettext_noop("You are selling"),
    title=gettext_noop("selling to {rival}"),
    own_kind="ask",
    rival_kind="bid",
    own_price=gettext_noop("You ask"),
    rival_price=gettext_noop("{rival} bids"),
    first=gettext_noop("You ask {ask}. {place} {rival} moves first."),
    both=gettext_noop("{rival} bids {bid}, you ask {ask}. {place} {mover}"),
    thinking=gettext_noop("{rival} is thinking"),
    opening=gettext_noop("Say something, or name a price"),
    first_word="",
    speak_to=gettext_noop("Your words to {rival}"),
    gap="",
    last_round=gettext_noop("Last round"),
    barred=gettext_noop("Below your floor"),
    chips=(
        (gettext_noop("Your best price?"), "Aap ka best price kya hai?"),
        (gettext_noop("No lower"), "Isse kam nahi ho payega."),
    ),
    middle="Chalo, meet in the middle: ",
    walk_warning=gettext_noop(
        "If {rival} could have paid more than your floor, both of you "
        "lose; if not, it is right to walk."
    ),
    reading=gettext_noop("What {rival} reads"),
    reading_empty=gettext_noop(
        "Nothing yet. {rival} watches your words, your pace and how your price moves. "
        "After your first line you will see what she sees."
    ),
    from_words=gettext_noop("From your last words"),
    gives_way=gettext_noop("How you give way"),
    thumbs=gettext_noop(
        "Did {rival} talk well? Give any of her lines a thumb, up or down. It goes into this "
        "game's file, without your name."
    ),
    deal=gettext_noop("Sold for {price}"),
    rightly_walked=gettext_noop(
        "Right to walk: no price suited both of you. She could pay at most {budget}; "
        "you needed {reservation}."
    ),
    rightly_left=gettext_noop(
        "She was right to walk, and you lost nothing: no price suited both of you. She "
        "could pay at most {budget}; you needed {reservation}."
    ),
    rightly_expired=gettext_noop(
        "Right not to agree: no price suited both of you. She could pay at most "
        "{budget}; you needed {reservation}."
    ),
    missed=gettext_noop(
        "A deal was possible: every price from your {reservation} to her {budget} suited both "
        "of you. That is {width} to share; {middle} would have split it about evenly."
    ),
    missed_point=gettext_noop(
        "A deal was possible at one price alone, {middle}: all she had, and the least you "
        "could take."
    ),
    at_limits=gettext_noop("One single price suited you both, and you found it."),
    praise=(
        (0.8, gettext_noop("She will tell her friends to avoid your stall.")),
        (0.6, gettext_noop("You read her better than she read you.")),
        (0.4, gettext_noop("Close to an even split: a fair day in the bazaar.")),
        (0.2, gettext_noop("She had more to give.")),
        (0.0, gettext_noop("She had much more to give. Look where your words moved her.")),
    ),
    own_limit=gettext_noop("Your floor"),
    rival_limit=gettext_noop("{rival}'s budget"),
    rival_share=gettext_noop("{rival}'s share"),
    moved=gettext_noop("How your words moved her"),
    moved_about=gettext_noop(
        "After each of your turns {rival} guessed how pressed you were and how far you "
        "could still come down."
    ),
    moved_turn=gettext_noop("Your turn"),
    certificate=gettext_noop("{rival}'s honesty, checked"),
    certificate_about=gettext_noop(
        "Read from the log after the end, move by move and word by word."
    ),
)

BUYING = Seat(
    side="buyer",
    rival_side="seller",
    counter="buy",
    start="buy-new",
    page="purchase",
    move="purchase-move",
    thumb="purchase-thumb",
    socket="/ws/buy/",
    brief="negotiation/_buy_brief.html",
    doing=gettext_noop("You are buying"),
    title=gettext_noop("buying from {rival}"),
    own_kind="bid",
    rival_kind="ask",
    own_price=gettext_noop("You bid"),
    rival_price=gettext_noop("{rival} asks"),
    first=gettext_noop("{rival} asks {ask}. {place} You move first."),
    both=gettext_noop("{rival} asks {ask}, you bid {bid}. {place} {mover}"),
    thinking=gettext_noop("{rival} is thinking"),
    opening=gettext_noop("Say something, or name a price"),
    first_word=gettext_noop(
        "The first word is yours. Name a price, praise the thing or find its flaw: {rival} "
        "hears the number and everything around it."
    ),
    speak_to=gettext_noop("Your words to {rival}"),
    gap=gettext_noop("{gap} apart"),
    last_round=gettext_noop("Last round: take it, or one last bid"),
    barred=gettext_noop("Above your budget"),
    chips=(
        (gettext_noop("Last price?"), "Last price kya hai? Sach batao"),
        (gettext_noop("No higher"), "Isse zyada nahi ho payega."),
    ),
    middle="Chalo, meet in the middle: ",
    walk_warning=gettext_noop(
        "If {rival} would have come down to your budget, both of you lose; if not, it "
        "is right to walk."
    ),
    reading=gettext_noop("What she lets show"),
    reading_empty=gettext_noop(
        "Nothing yet. Watch her words and how her price moves. After her first line you "
        "will see here what a careful buyer would notice."
    ),
    from_words=gettext_noop("From her last words"),
    gives_way=gettext_noop("How she gives way"),
    thumbs=gettext_noop(
        "Did {rival} talk well? Give any of her lines a thumb, up or down. It goes into this "
        "game's file, without your name."
    ),
    deal=gettext_noop("Yours for {price}"),
    rightly_walked=gettext_noop(
        "Right to walk: no price suited both of you. She needed {reservation}; you "
        "could pay at most {budget}."
    ),
    rightly_left=gettext_noop(
        "She was right to walk, and you lost nothing: no price suited both of you. She "
        "needed {reservation}; you could pay at most {budget}."
    ),
    rightly_expired=gettext_noop(
        "Right not to agree: no price suited both of you. She needed {reservation}; "
        "you could pay at most {budget}."
    ),
    missed=gettext_noop(
        "A deal was possible: every price from her {reservation} to your {budget} suited both "
        "of you. That is {width} to share; {middle} would have split it about evenly."
    ),
    missed_point=gettext_noop(
        "A deal was possible at one price alone, {middle}: all you had, and the least she "
        "could take."
    ),
    at_limits=gettext_noop("One single price suited you both, and you found it."),
    praise=(
        (0.8, gettext_noop("She will not tell anybody what she let it go for.")),
        (0.6, gettext_noop("You read her better than she read you.")),
        (0.4, gettext_noop("Close to an even split: a fair day in the bazaar.")),
        (0.2, gettext_noop("She had room to come down.")),
        (0.0, gettext_noop("She had much room to come down. Look at what her words gave away.")),
    ),
    own_limit=gettext_noop("Your budget"),
    rival_limit=gettext_noop("{rival}'s floor"),
    rival_share=gettext_noop("{rival}'s share"),
    moved=gettext_noop("What her words gave away"),
    moved_about=gettext_noop(
        "After each of {rival}'s turns a careful buyer would have guessed how pressed she "
        "was and how far she could still come down."
    ),
    moved_turn=gettext_noop("Her turn"),
    certificate=gettext_noop("{rival}'s honesty, checked"),
    certificate_about=gettext_noop(
        "Read from the log after the end, move by move and word by word."
    ),
)


def seat_of(game: Game) -> Seat:
    """Return the words of whoever owns this game."""
    if game.seat == Game.Seat.BUYER:
        return _facing("buyer", shop_of(game.policy).keeper, get_language())
    return _facing("seller", gettext("Sauda"), get_language())


def replay_cast(game: Game) -> Cast:
    """Name both sides of a finished game for somebody who was not there."""
    if game.kind == "sim":
        return Cast(
            gettext("the seller"), gettext(title_of(game.policy)), "seller", is_reader=False
        )
    if game.seat == Game.Seat.BUYER:
        return Cast(shop_of(game.policy).keeper, gettext("the buyer"), "buyer")
    return sale_cast()


@functools.cache
def _facing(side: Side, rival: str, language: str | None) -> Seat:
    del language  # of the words, so that a kept seat is not shown in another one
    return (SELLING if side == "seller" else BUYING).facing(rival)
