"""What-ifs in plain words, and the difference they made as a picture."""

from pathlib import Path
from typing import Any

import msgspec
from django.utils.safestring import SafeString
from django.utils.translation import pgettext

from arena.auction.web.game import AUCTION
from bazaarbatna.bargain.quantities import Side, to_rupees
from bazaarbatna.money import about_text, rupees_text
from bazaarbatna.word_tables import read_table
from negotiation.bargain.recorded import PERSON, RULE_SELLER, Record
from negotiation.bargain.web.seats import Cast
from negotiation.charts.svg import element, stroke
from negotiation.games.game import Difference
from negotiation.models import Game
from negotiation.sentences import Sentences
from negotiation.templatetags.money import share
from replays.wording import VERBS

say = Sentences(VERBS | read_table(Path(__file__).with_suffix(".toml"), dict[str, str]))

CLEAR = 0.0005  # a smaller mean difference, as a share, is told as none


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

    ``width`` are paise from the reservation price to the budget; 0 or less: nothing to share.
    """
    who = cast.called(found.side)
    if width <= 0:
        return say("no_zone")
    changed = to_rupees(abs(round(found.mean * width)))
    amount = rupees_text(round(changed) if changed >= 10 else changed, currency)
    return no_verdict(found, who) or say(
        "gains" if found.mean > 0 else "loses", who=who, amount=amount, points=points(found.mean)
    )


def averages_of(found: Difference, width: float, currency: str) -> tuple[tuple[str, str], ...]:
    """Write what both moves leave, the own one first, in money (of ``width`` rupees) and shares."""
    if found.own is None or width <= 0:
        return ()
    parts = (found.own, found.own + found.mean)
    return tuple((about_text(part * width, currency), share(part)) for part in parts)


def match_verdict(found: Difference, name: str) -> str:
    """Say what a move of a match changes on average; without a ``name`` it was the reader's."""
    gain = found.mean > 0
    if name:
        words = "gains_points" if gain else "loses_points"
    else:
        words = "you_gain_points" if gain else "you_lose_points"
    size = points(abs(found.mean)).lstrip("+")
    return no_verdict(found, name or you()) or say(words, who=name, points=size)


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


def title(*, here: bool) -> str:
    """Head one of the two games of an answer: the one that was played, or the what-if."""
    return say("what_if" if here else "as_it_was")


def no_verdict(found: Difference, who: str) -> str:
    """Say that a move changes nothing, or nothing for sure; "" where it does."""
    if found.low == found.high and abs(found.mean) < CLEAR:
        return say("nothing", who=who)
    if found.low <= 0.0 <= found.high:
        return say("unclear", who=who)
    return ""


def played_on_by(record: Record, cast: Cast) -> str:
    """Return who makes the moves after the one that was put in."""
    if record.seller == RULE_SELLER:
        return say("same_policies")
    opponent: Side = "buyer" if record.seller == PERSON else "seller"
    person = pgettext("player", "buyer") if opponent == "seller" else pgettext("player", "seller")
    if record.player(opponent) == PERSON:
        return say("two_rules")
    return say("one_rule", who=cast.called(opponent), person=person)


def certainty(found: Difference) -> str:
    """Say where the number comes from."""
    low, high = points(found.low), points(found.high)
    return say("certainty", n=found.n, low=low, high=high)


def _price(made: StoredMove, currency: str) -> str:
    return "" if made.paise is None else about_text(to_rupees(made.paise), currency)


LEAST_SPAN = 0.05  # reached to either side at least: little looks little


WIDTH, HEIGHT = 320.0, 64.0


def whisker(found: Difference) -> SafeString:
    """Draw a difference as ``<div class="chart">``; the title of its svg says the numbers."""
    span = max(abs(found.low), abs(found.high), LEAST_SPAN) * 1.15
    middle, line = WIDTH / 2, HEIGHT * 0.42

    def x(share: float) -> float:
        return middle + share / span * (middle - 14)

    low, high = points(found.low), points(found.high)
    words = say("whisker", mean=points(found.mean), low=low, high=high)
    tone = "chart-deal" if found.low > 0 else "chart-walk" if found.high < 0 else "chart-limit"
    letters = {"class": "chart-round", "y": HEIGHT - 4}
    worse, same, better = (say(word) for word in ("worse", "no_change", "better"))
    return element(
        "div",
        {"class": "chart what-if-whisker"},
        element(
            "svg",
            {"viewBox": f"0 0 {WIDTH:g} {HEIGHT:g}", "role": "img", "font-size": 12},
            element("title", {}, words),
            _line("chart-line", f"M8 {line:.1f}H{WIDTH - 8:.1f}", 1),
            _line("chart-limit", f"M{middle:.1f} 4V{line + 14:.1f}", 1),
            _line(tone, f"M{x(found.low):.1f} {line:.1f}H{x(found.high):.1f}", 4),
            element(
                "circle",
                {"class": tone, "cx": x(found.mean), "cy": line, "r": 7, "fill": "currentColor"},
            ),
            element("text", {**letters, "x": 8}, worse),
            element("text", {**letters, "x": middle, "text-anchor": "middle"}, same),
            element("text", {**letters, "x": WIDTH - 8, "text-anchor": "end"}, better),
        ),
    )


def _line(name: str, path: str, thick: int) -> SafeString:
    return stroke({"class": name}, path, thick, cap="round")
