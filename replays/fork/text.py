"""What-ifs in plain words, and the difference they made."""

from pathlib import Path
from typing import Any

import msgspec
from django.utils.translation import pgettext

from arena.auction.web.game import AUCTION
from bazaarbatna.bargain.quantities import Side, to_rupees
from bazaarbatna.money import about_text, rupees_text
from bazaarbatna.word_tables import read_table
from negotiation.bargain.recorded import PERSON, RULE_SELLER, Record
from negotiation.bargain.web.seats import Cast
from negotiation.games.game import Difference
from negotiation.models import Game
from negotiation.sentences import Sentences
from replays.wording import VERBS

say = Sentences(VERBS | read_table(Path(__file__).with_suffix(".toml"), dict[str, str]))


def you() -> str:
    """Call the reader."""
    return say("you")


class StoredMove(msgspec.Struct):
    """What a stored event tells of a move, of whatever kind of game; price in paise."""

    kind: str
    round: int = 0
    actor: str = ""
    price: int | None = None
    buyer: int = 0
    move: dict[str, Any] = msgspec.field(default_factory=dict)

    @property
    def is_envelope(self) -> bool:
        """It stands in the log of a match, where buyers move at once."""
        return self.kind == "placed"

    @property
    def side(self) -> str:
        """Who moved: "seller", "buyer", or "buyer-2" in an arena."""
        return self.actor or f"buyer-{self.buyer + 1}"

    @property
    def action(self) -> str:
        """What was done."""
        return str(self.move.get("action", "")) or self.kind

    @property
    def paise(self) -> int | None:
        """The price named or taken."""
        return self.move.get("price", self.price)


def stored_move(payload: bytes) -> StoredMove:
    """Read a stored move."""
    return msgspec.json.decode(payload, type=StoredMove)


def question(made: StoredMove, currency: str, who: str) -> str:
    """Ask the question that a what-if answers; ``who`` moved, as a sentence calls them.

    >>> question(StoredMove("offer", 3, "seller", 17500), "INR", "Asha")
    'What if Asha had asked ₹175 in round 3?'
    """
    return say("question", who=who, done=done(made, currency), round=made.round)


def done(made: StoredMove, currency: str) -> str:
    """Say what has been done, after "had".

    >>> done(StoredMove("placed", 2, move={"action": "walk"}), "INR")
    'left'
    """
    price = _price(made, currency)
    match made.action:
        case "offer":
            what = "asked" if made.side == "seller" else "bid"
        case "accept":
            what = "taken" if price else "taken_ask"
        case "walk":
            what = "left" if made.is_envelope else "walked_away"
        case _:
            what = "held"
    return say(what, price=price)


def branch(made: StoredMove, currency: str, cast: Cast) -> str:
    """Name a branch of the tree of a game of two sides by its move.

    >>> branch(StoredMove("walk", 2, "buyer"), "INR", Cast("the seller", "Sauda"))
    'Round 2: Sauda walks away'
    """
    match made.action:
        case "offer":
            what = "asks" if made.side == "seller" else "bids"
        case "accept":
            what = "takes"
        case _:
            what = "walks_away"
    does = say(what, price=_price(made, currency))
    return say("branch", round=made.round, who=cast.called(made.side), does=does)


def ending(game: Game, currency: str) -> str:
    """Return in a word or two how a game ended."""
    if game.deal_price is not None:
        # A guess: its paise would say more than is known.
        text = about_text if game.source == Game.Source.WHAT_IF else rupees_text
        return say("deal", price=text(to_rupees(game.deal_price), currency))
    if game.outcome != "walk":
        return say("ran_out")
    return say("all_left" if game.kind in AUCTION.kinds else "somebody_walked")


def points(share: float) -> str:
    """Write a change of share in whole points of 100 with its sign.

    >>> points(0.0413), points(-0.5), points(0.004)
    ('+4', '−50', '0')
    """
    number = round(abs(share) * 100)
    return f"{'+' if share > 0 else '−'}{number}" if number else "0"


class Compared(msgspec.Struct, frozen=True):
    """Two moves on one scale, in whole points of the room, for the side that moved.

    ``played`` is what really came, None where only the mean ``own`` is told; ``tried`` is the mean
    of ``n`` games with the other move, ``low`` to ``high`` its 95 % interval.
    """

    own: int
    tried: int
    low: int
    high: int
    n: int
    played: int | None = None


def compared(found: Difference, played: int | None = None) -> Compared | None:
    """Put a what-if beside what was played; None where no averages were kept.

    >>> compared(Difference("seller", -0.1, -0.12, -0.08, 100, 0.47, (0.33, 0.41)), 61)
    Compared(own=47, tried=37, low=33, high=41, n=100, played=61)
    """
    if found.own is None:
        return None
    low, high = found.tried or (found.own + found.low, found.own + found.high)
    own, tried, low, high = (
        round(100 * one) for one in (found.own, found.own + found.mean, low, high)
    )
    return Compared(own, tried, low, high, found.n, played)


def verdict(found: Difference, who: str, *, room: bool = True) -> str:
    """Say what a move changes where no averages can be compared.

    >>> verdict(Difference("seller", 0.05, 0.04, 0.06, 100), "Asha")
    'For Asha it changes +5 points of 100, on average.'
    """
    if not room:
        return say("no_zone")
    told = points(found.mean)
    return say("nothing" if told == "0" else "changes", who=who, points=told)


def match_branch(made: StoredMove, currency: str, name: str) -> str:
    """Name a branch of the tree of a match by its envelope; without a ``name`` it was yours."""
    told = done(made, currency)
    return say("match_branch", round=made.round, who=name or you(), done=told)


def span(low: str, high: str) -> str:
    """Say which bids an envelope allows; ``low`` is "" where nothing was bid before.

    >>> span("", "₹90"), span("₹60", "₹90")
    ('up to ₹90', '₹60 to ₹90')
    """
    return say("between" if low else "up_to", low=low, high=high)


def played_on_by(record: Record, cast: Cast) -> str:
    """Return who makes the moves after the one that was put in."""
    if record.seller == RULE_SELLER:
        return say("same_policies")
    opponent: Side = "buyer" if record.seller == PERSON else "seller"
    person = pgettext("player", "buyer") if opponent == "seller" else pgettext("player", "seller")
    if record.player(opponent) == PERSON:
        return say("two_rules")
    return say("one_rule", who=cast.called(opponent), person=person)


def _price(made: StoredMove, currency: str) -> str:
    return "" if made.paise is None else about_text(to_rupees(made.paise), currency)
