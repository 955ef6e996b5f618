"""Was the tell true? A closed table of claims, each held against the opened envelope.

A claim about a limit can be checked with the numbers. A claim about the speaker's life cannot:
there the only witness is what the same person did later.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from agents.text.reading.pieces import to_text
from agents.text.reading.roles import roles
from agents.text.tells.words import find_cues
from negotiation.bargain.web.bubbles import Frame
from negotiation.engine.quantities import Paise, to_paise, to_rupees
from negotiation.engine.scenario import Scenario
from negotiation.engine.tells import CONDITIONS, ConditionLabel
from negotiation.money import rupees_text


class Hand(msgspec.Struct, frozen=True, kw_only=True):
    """The seller's side at one turn of a finished game, and what came after it. Prices in paise.

    ``ask`` stands after the turn, ``bid`` is the buyer's last of all; ``later_asks`` are the asks
    of later turns in order; ``taken`` is the bid the seller accepted then or later, ``price`` the
    deal price; ``rival`` is what the turn says that somebody else offers.
    """

    ask: Paise
    bid: Paise | None
    later_asks: tuple[Paise, ...]
    taken: Paise | None
    outcome: str
    by: str | None
    price: Paise | None
    rival: Paise | None
    reservation: Paise
    cost: Paise
    condition: str
    condition_label: ConditionLabel
    currency: str

    @property
    def lowest_later(self) -> Paise | None:
        """The lowest price the seller asked or took afterwards; None where there was none."""
        prices = [*self.later_asks, *([self.taken] if self.taken is not None else [])]
        return min(prices, default=None)

    @property
    def left_standing(self) -> Paise | None:
        """A bid at or above the reservation price that the seller left on the table at the end."""
        gave_up = self.outcome == "expired" or (self.outcome == "walk" and self.by == "seller")
        good = self.bid is not None and self.bid >= self.reservation
        return self.bid if gave_up and good else None


def hand_at(frames: Sequence[Frame], place: int, scenario: Scenario) -> Hand:
    """Return the seller's hand at the turn with the words in frame ``place`` of a finished log."""
    ended = frames[-1]["event"]
    asks = _prices(frames[: place + 1], "seller")
    bids = _prices(frames, "buyer")
    takes = [
        one["event"]
        for one in frames
        if one["event"]["kind"] == "accept" and one["event"]["actor"] == "seller"
    ]
    return Hand(
        ask=asks[-1] if asks else scenario.anchor,
        # What the seller left at the end is the last bid of all, whenever the words were said.
        bid=bids[-1] if bids else None,
        later_asks=_prices(frames[place + 1 :], "seller"),
        taken=to_paise(takes[-1]["price"]) if takes else None,
        outcome=ended["outcome"],
        by=ended["by"],
        price=None if ended["price"] is None else to_paise(ended["price"]),
        rival=_rival(str(frames[place]["event"].get("text", ""))),
        reservation=scenario.sealed.reservation,
        cost=scenario.sealed.cost,
        condition=scenario.item.condition,
        condition_label=scenario.item.condition_label,
        currency=scenario.item.currency,
    )


def _rival(text: str) -> Paise | None:
    cut = to_text(text)
    named = zip(cut.said, roles(cut), strict=True)
    return next((Paise(said.amount.paise) for said, role in named if role == "rival"), None)


def _prices(frames: Sequence[Frame], actor: str) -> tuple[Paise, ...]:
    events: list[dict[str, Any]] = [one["event"] for one in frames]
    return tuple(
        to_paise(event["price"])
        for event in events
        if event["kind"] == "offer" and event["actor"] == actor
    )


Word = Literal["true", "bluff", "cannot be known"]

TOLERANCE = 0.02
"""A limit counts as named truly within this part of itself (and a rupee): people round."""

IN_A_HURRY = 0.05
"""Whoever says they can wait and then comes down by this part of their ask could not."""

CONDITION_STEP = 0.25
"""Difference in condition, 0..1, that is more than two people calling one thing by two names."""

PLAUSIBLE = (0.2, 3.0)
"""An amount inside a claim is a price when it is this part of the ask: not "2 log", not "2019"."""


class Verdict(msgspec.Struct, frozen=True):
    """What became of a claim, and one line of reason with its numbers."""

    word: Word
    why: str


class Claim(msgspec.Struct, frozen=True):
    """One row of the table: ``kind`` names the claim, ``whys`` begin the reasons of its tells."""

    kind: str
    whys: tuple[str, ...]
    judge: Callable[[str, float, Hand], Verdict]


def verdict_on(words: str, signal: str, why: str, score: float, hand: Hand) -> Verdict | None:
    """Return what became of the words of one tell; None where they claim nothing.

    Args:
        words: the words of the span.
        signal: its signal.
        why: the reader's reason, which says what kind of claim it is.
        score: the reader's strength; for the state of the goods 1 mint .. 0 junk.
        hand: what the speaker held and did.
    """
    if signal == "condition":
        return _about_goods(words, score, hand)
    claim = next((one for one in CLAIMS if why.startswith(one.whys)), None)
    return claim.judge(words, score, hand) if claim else None


def _limit(words: str, score: float, hand: Hand) -> Verdict:
    claimed = _amount(words, hand) or hand.ask
    lower = hand.lowest_later
    if lower is not None and claimed - lower > _tolerance(claimed):
        deed = "taken" if lower == hand.taken else "asked"
        return Verdict("bluff", f"{_text(claimed, hand)} was not the last: {_text(lower, hand)} "
                                f"was {deed} later.")  # fmt: skip
    above = claimed - hand.reservation
    if above > _tolerance(claimed):
        return Verdict("bluff", f"The reservation price was {_text(hand.reservation, hand)}, "
                                f"{_text(above, hand)} lower.")  # fmt: skip
    return Verdict("true", f"The reservation price was {_text(hand.reservation, hand)}.")


def _room(words: str, score: float, hand: Hand) -> Verdict:
    room = hand.ask - hand.reservation
    if room > _tolerance(hand.ask):
        return Verdict(
            "true", f"{_text(room, hand)} lay between the ask and the reservation price."
        )
    return Verdict("bluff", "There was no room: the ask stood at the reservation price.")


def _loss(words: str, score: float, hand: Hand) -> Verdict:
    gain = hand.ask - hand.cost
    worth = f"worth {_text(hand.cost, hand)} to the seller"
    if gain > _tolerance(hand.ask):
        return Verdict("bluff", f"{_text(hand.ask, hand)} was asked for a thing {worth}.")
    return Verdict("true", f"The thing was {worth}, and {_text(hand.ask, hand)} was asked.")


def _urgent(words: str, score: float, hand: Hand) -> Verdict:
    left = hand.left_standing
    if left is not None:
        return Verdict("bluff", f"{_text(left, hand)} was left on the table, and the reservation "
                                f"price was {_text(hand.reservation, hand)}.")  # fmt: skip
    return Verdict("cannot be known", "No envelope holds a calendar, and no later move speaks "
                                      "against it.")  # fmt: skip


def _rivals(words: str, score: float, hand: Hand) -> Verdict:
    offered = hand.rival
    if offered and hand.price is not None and offered - hand.price > _tolerance(offered):
        return Verdict("bluff", f"Sold for {_text(hand.price, hand)} with {_text(offered, hand)} "
                                "said to be in hand.")  # fmt: skip
    return Verdict("cannot be known", "The envelope knows one buyer; nobody else sat at the table.")


def _patient(words: str, score: float, hand: Hand) -> Verdict:
    step = hand.ask - hand.later_asks[0] if hand.later_asks else 0
    if step >= IN_A_HURRY * hand.ask:
        return Verdict("bluff", f"The very next ask was {_text(step, hand)} lower.")
    return Verdict("cannot be known", "No envelope holds patience, and no later move speaks "
                                      "against it.")  # fmt: skip


def _tomorrow(words: str, score: float, hand: Hand) -> Verdict:
    return Verdict("cannot be known", "The game ended before tomorrow came.")


def _about_goods(words: str, score: float, hand: Hand) -> Verdict:
    if not hand.condition:
        return Verdict("cannot be known", "The listing says nothing about its state.")
    cues = find_cues(to_text(hand.condition), goods_only=True)
    listed = min((cue.strength for cue in cues), default=CONDITIONS[hand.condition_label][0])
    label = hand.condition_label.replace("_", " ")
    if score - listed > CONDITION_STEP:
        return Verdict("bluff", f"The listing calls it {label}: \N{LEFT DOUBLE QUOTATION MARK}"
                                f"{hand.condition}\N{RIGHT DOUBLE QUOTATION MARK}")  # fmt: skip
    if listed - score > CONDITION_STEP:
        return Verdict("cannot be known", f"The listing knows no such flaw; it calls it {label}.")
    return Verdict("true", f"The listing agrees: it calls it {label}.")


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "limit",
        ("You name a floor", "You call the price fixed", "You named a last price before"),
        _limit,
    ),
    Claim("room", ("You leave a door open",), _room),
    Claim("loss", ("You say you lose money",), _loss),
    Claim(
        "urgency",
        (
            "You say you need the money",
            "You say you are leaving",
            "You set a near day",
            "You press for speed",
            "You say it takes up room",
        ),
        _urgent,
    ),
    Claim("rivals", ("Rival offers cannot be checked",), _rivals),
    Claim("patience", ("You say that you can wait",), _patient),
    Claim("tomorrow", ("A price that rises tomorrow",), _tomorrow),
)
"""Praise, oaths, pleading and temper claim nothing that could be true or false."""


def _amount(words: str, hand: Hand) -> Paise | None:
    """Return the price inside the words of a claim."""
    low, high = (part * hand.ask for part in PLAUSIBLE)
    named = [Paise(said.amount.paise) for said in to_text(words).said]
    return next((price for price in named if low <= price <= high), None)


def _tolerance(price: int) -> float:
    return max(TOLERANCE * price, 100)


def _text(price: int, hand: Hand) -> str:
    return rupees_text(to_rupees(price), hand.currency)
