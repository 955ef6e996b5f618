"""What the speaker of a tell held and did: everything a claim can be held against."""

from collections.abc import Sequence
from typing import Any

import msgspec

from agents.reading.pieces import to_text
from agents.reading.roles import roles
from negotiation.bubbles import Frame
from negotiation.engine.quantities import Paise, to_paise
from negotiation.engine.scenario import Scenario
from negotiation.engine.tells import ConditionLabel


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
    """Read the seller's hand at a turn from a finished log.

    Args:
        frames: all wire frames of the game, the last one ``ended``; prices in rupees.
        place: index of the frame with the turn's words.
        scenario: the game's scenario, open now.
    """
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
