"""What-ifs in plain words."""

from typing import Any

import msgspec

from arena.auction.web.game import AUCTION
from negotiation.bargain.recorded import PERSON, RULE_SELLER, Record
from negotiation.bargain.web.seats import Cast
from negotiation.engine.quantities import Side, to_rupees
from negotiation.games.game import Difference
from negotiation.models import Game
from negotiation.money import rupees_text

CLEAR = 0.0005
"""A mean difference below this share is told as none."""


class Deed(msgspec.Struct):
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


def deed_of(payload: bytes) -> Deed:
    """Read a stored move."""
    return msgspec.json.decode(payload, type=Deed)


def question(deed: Deed, currency: str, who: str) -> str:
    """Ask the question that a what-if answers.

    Args:
        deed: the move that was put in.
        currency: ISO code of the prices.
        who: what its mover is called inside a sentence.

    >>> question(Deed("offer", 3, "seller", 17500), "INR", "Asha")
    'What if Asha had asked ₹175 in round 3?'
    """
    return f"What if {who} had {done(deed, currency)} in round {deed.round}?"


def done(deed: Deed, currency: str) -> str:
    """Say what has been done, after "had".

    >>> done(Deed("placed", 2, move={"action": "walk"}), "INR")
    'left'
    """
    price = _price(deed, currency)
    match deed.action:
        case "offer":
            return f"{'asked' if deed.side == 'seller' else 'bid'} {price}"
        case "accept":
            return f"taken {price}" if price else "taken the ask"
        case "walk":
            return "left" if deed.is_envelope else "walked away"
        case _:
            return "held"


def branch(deed: Deed, currency: str, cast: Cast) -> str:
    """Name a branch of the tree of a game of two sides by its move.

    >>> branch(Deed("walk", 2, "buyer"), "INR", Cast("the seller", "Sauda"))
    'Round 2: Sauda walks away'
    """
    return f"Round {deed.round}: {cast.called(deed.side)} {_does(deed, currency)}"


def ending(game: Game, currency: str) -> str:
    """Return in a word or two how a game ended."""
    if game.deal_price is not None:
        return f"Deal at {rupees_text(to_rupees(game.deal_price), currency)}"
    if game.outcome != "walk":
        return "Rounds ran out"
    return "Every buyer left" if game.kind in AUCTION.kinds else "Somebody walked"


def points(share: float) -> str:
    """Write a change of share in points with its sign.

    >>> points(0.0413), points(-0.5), points(0.0001)
    ('+4.1', '−50', '0')
    """
    if abs(share) < CLEAR:
        return "0"
    number = f"{abs(share) * 100:.1f}".removesuffix(".0")
    return f"{'+' if share > 0 else '−'}{number}"


def verdict(found: Difference, cast: Cast, width: int, currency: str) -> str:
    """Say what a move changes on average, and how sure that is.

    Args:
        found: the difference.
        cast: what the sides are called.
        width: paise from the reservation price to the budget; 0 or less: nothing to share.
        currency: ISO code of the prices.
    """
    who = cast.called(found.side)
    if width <= 0:
        return "No price could suit both sides here, so no move gains anything."
    amount = rupees_text(to_rupees(abs(round(found.mean * width))), currency)
    verb = "gains" if found.mean > 0 else "loses"
    return no_verdict(found, who) or (
        f"On average {who} {verb} {amount} by it: {points(found.mean)} points of share."
    )


def no_verdict(found: Difference, who: str) -> str:
    """Say that a move changes nothing, or nothing for sure; "" where it does."""
    if found.low == found.high and abs(found.mean) < CLEAR:
        return f"It changes nothing for {who}."
    if found.low <= 0.0 <= found.high:
        return f"On average it makes no clear difference for {who}."
    return ""


def played_on_by(record: Record, cast: Cast) -> str:
    """Return who makes the moves after the one that was put in."""
    if record.seller == RULE_SELLER:
        return "From there on both play as they did before: the same policies on the same luck."
    house: Side = "buyer" if record.seller == PERSON else "seller"
    person = "buyer" if house == "seller" else "seller"
    if record.player(house) == PERSON:
        return "From there on two rule players without words take both sides."
    return (
        f"From there on {cast.called(house)} plays by rules, on the luck of that day, and a rule "
        f"{person} without words takes the visitor's side."
    )


def certainty(found: Difference) -> str:
    """Say where the number comes from."""
    span = f"{points(found.low)} to {points(found.high)}"
    return (
        f"Mean of {found.n} pairs of continuations, each pair with the same luck; "
        f"95 % interval {span} points."
    )


def _does(deed: Deed, currency: str) -> str:
    price = _price(deed, currency)
    match deed.action:
        case "offer":
            return f"{'asks' if deed.side == 'seller' else 'bids'} {price}"
        case "accept":
            return f"takes {price}"
        case _:
            return "walks away"


def _price(deed: Deed, currency: str) -> str:
    return "" if deed.paise is None else rupees_text(to_rupees(deed.paise), currency)
