"""The course of prices in a log of wire frames: what every chart of a game starts from."""

from collections.abc import Sequence
from typing import Any

import msgspec


class Mark(msgspec.Struct, frozen=True):
    """A move with a place in the chart.

    ``at`` counts half rounds: 0 the opening ask, then the buyer's moves odd, the seller's even.
    ``price`` in rupees: the price named or taken; for a walk the mover's own standing price.
    """

    seq: int
    actor: str
    kind: str
    round: int
    at: int
    price: float


class Ending(msgspec.Struct, frozen=True):
    """How it ended. ``by`` is who accepted or walked, ``price`` the deal price in rupees.

    ``reservation`` and ``budget`` are None for those who are not shown the opened limits.
    """

    seq: int
    outcome: str
    by: str | None
    price: float | None
    reservation: float | None = None
    budget: float | None = None
    is_closed: bool = False
    """The table was closed for whoever was to move: nobody walked away."""


class Course(msgspec.Struct, frozen=True):
    """A game as a chart sees it."""

    title: str
    currency: str
    max_rounds: int
    marks: tuple[Mark, ...]
    ending: Ending | None

    @property
    def opening_ask(self) -> float:
        """The anchor in rupees."""
        return self.marks[0].price

    @property
    def last_at(self) -> int:
        """Half rounds the time axis must hold: all of them while the game may go on."""
        return max(self.marks[-1].at, 1) if self.ending else 2 * self.max_rounds

    def until(self, seq: int | None) -> "Course":
        """Cut the course after a sequence number; None keeps all of it."""
        if seq is None:
            return self
        marks = tuple(mark for mark in self.marks if mark.seq <= seq)
        ending = self.ending if self.ending and self.ending.seq <= seq else None
        return msgspec.structs.replace(self, marks=marks or self.marks[:1], ending=ending)

    def standing(self, actor: str) -> Mark | None:
        """Return the last price that a side named or took."""
        priced = (mark for mark in reversed(self.marks) if mark.kind != "walk")
        return next((mark for mark in priced if mark.actor == actor), None)


def course_of(frames: Sequence[dict[str, Any]]) -> Course:
    """Read the prices, in rupees, out of the wire frames of one game, ``opened`` first."""
    opened = frames[0]["event"]
    marks = [Mark(frames[0]["seq"], "seller", "opening", 0, 0, opened["price"])]
    ending, was_closed = None, False
    for frame in frames[1:]:
        event = frame["event"]
        if event["kind"] in ("offer", "accept", "walk"):
            marks.append(_mark(frame["seq"], event, marks))
        elif event["kind"] == "ended":
            ending = _ending(frame["seq"], event, was_closed=was_closed)
        # Its log has a walk in place of a move, served by the table itself.
        was_closed = str(event.get("policy_version", "")).startswith("table@")
    return Course(
        title=opened["item"]["title"],
        currency=opened["item"].get("currency", "INR"),
        max_rounds=opened["max_rounds"],
        marks=tuple(marks),
        ending=ending,
    )


def _mark(seq: int, event: dict[str, Any], before: list[Mark]) -> Mark:
    actor, number = event["actor"], event["round"]
    at = 2 * number - (actor == "buyer")
    price = event.get("price")
    if price is None:
        own = [mark.price for mark in before if mark.actor == actor]
        price = own[-1] if own else before[-1].price
    return Mark(seq, actor, event["kind"], number, at, price)


def _ending(seq: int, event: dict[str, Any], *, was_closed: bool) -> Ending:
    opened = event.get("opened", {})
    return Ending(
        seq=seq,
        outcome=event["outcome"],
        by=event.get("by"),
        price=event.get("price"),
        reservation=opened.get("reservation"),
        budget=opened.get("budget"),
        is_closed=was_closed and event["outcome"] == "walk",
    )
