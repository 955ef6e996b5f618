"""What a person in a seat sees beside the words: the budget, the ask, and what was sealed."""

from collections.abc import Sequence
from typing import Literal

import msgspec
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from agents.text.rounding import people_price
from arena.charts.course import LEFT, Course
from negotiation.bargain.web.bubbles import Frame
from negotiation.engine.quantities import to_paise, to_rupees
from negotiation.money import rupees_text

Turn = Literal["yours", "closed", "left", "over"]
"""``yours``: the envelope of this round is open; ``closed``: it waits for the others."""

STEPS: tuple[tuple[str, float], ...] = (("a little", 0.2), ("halfway", 0.5), ("nearly there", 0.9))
"""Names of quick bids and how far they go from the own bid (or 55 % of the ask) to the ask."""
FROM_NOTHING = 0.55


class Chip(msgspec.Struct, frozen=True):
    """A bid that one press fills in; ``price`` in rupees."""

    label: str
    price: float


class SeatPanel(msgspec.Struct, frozen=True):
    """The seat's view. Prices in rupees; ``sealed`` says what lies in the closed envelope."""

    turn: Turn
    budget: float
    ask: float
    round: int
    max_rounds: int
    own: float | None
    outbid: bool | None
    sealed: str
    chips: tuple[Chip, ...]

    @property
    def affordable(self) -> bool:
        """The ask can be taken."""
        return self.ask <= self.budget


def seat_html(course: Course, frames: Sequence[Frame]) -> SafeString:
    """Draw the panel of the viewer's own seat."""
    context = {"seat": seat_of(course, frames), "currency": course.currency}
    return render_to_string("arena/_seat.html", context)


def seat_of(course: Course, frames: Sequence[Frame]) -> SeatPanel:
    """Gather the panel.

    Args:
        course: the match; one of its lanes is the viewer's.
        frames: all frames as this seat may see them.
    """
    lane, budget = course.own, course.budget
    assert lane is not None
    assert budget is not None
    number = min(course.asks[-1].round, course.max_rounds)
    own = lane.bid_after(course.rounds)
    placed = _placed(frames, lane.actor, number)
    if course.ended_seq:
        turn: Turn = "over"
    elif lane.fate == LEFT:
        turn = "left"
    else:
        turn = "closed" if placed else "yours"
    rounds = [frame["event"] for frame in frames if frame["event"]["kind"] == "round"]
    return SeatPanel(
        turn=turn,
        budget=budget,
        ask=course.ask,
        round=number,
        max_rounds=course.max_rounds,
        own=own,
        outbid=rounds[-1].get("outbid") if rounds else None,
        sealed=sealed_words(placed, course) if placed else "",
        chips=chips_of(course.ask, own, budget),
    )


def chips_of(ask: float, own: float | None, budget: float) -> tuple[Chip, ...]:
    """Suggest bids between the own bid and the ask, round ones, none above the budget.

    >>> [chip.price for chip in chips_of(2000, 1200, 1700)]
    [1350.0, 1600.0]
    """
    low = own if own is not None else ask * FROM_NOTHING
    chips: list[Chip] = []
    for label, share in STEPS:
        wanted = 100 * (low + (ask - low) * share)
        change = None if own is None else wanted - 100 * own
        price = to_rupees(people_price(wanted, to_paise(ask), change))
        if low < price <= min(budget, ask) and all(chip.price != price for chip in chips):
            chips.append(Chip(label, price))
    return tuple(chips)


def sealed_words(placed: Frame, course: Course) -> str:
    """Say what lies in the own closed envelope."""
    signal = f", signalling “{placed['signal']}”" if placed.get("signal") else ""
    match placed.get("action"):
        case "offer":
            words = f"a bid of {rupees_text(placed['price'], course.currency)}"
        case "accept":
            words = f"you take the ask, {rupees_text(course.ask, course.currency)}"
        case "walk":
            words = "you leave"
        case _:
            words = "you hold"
    return f"{words}{signal}"


def _placed(frames: Sequence[Frame], actor: str, number: int) -> Frame | None:
    for frame in reversed(frames):
        event: Frame = frame["event"]
        if event["kind"] == "placed" and event["actor"] == actor and event["round"] == number:
            return event
    return None
