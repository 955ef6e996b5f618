"""What was said in a match, ready to draw: the seller's lines and each round's opened envelopes."""

import msgspec

from arena.charts.course import BidMark, Course, Lane
from negotiation.bargain.web.bubbles import Frame

VERBS = {
    "opened": "opened at",
    "offer": "asked",
    "accept": "sold for",
}
DEEDS = {
    "offer": "bid",
    "accept": "took the ask at",
    "hold": "held",
    "walk": "left",
    "in": "closed an envelope",
}


class Line(msgspec.Struct, frozen=True):
    """One speaker's line. ``lane`` is None for the seller; ``price`` in rupees."""

    lane: Lane | None
    verb: str
    price: float | None
    text: str
    signal: str | None = None
    best: bool = False

    @property
    def who(self) -> str:
        """The speaker's name on the page."""
        if self.lane is None:
            return "The seller"
        return "You" if self.lane.you else self.lane.name


class Said(msgspec.Struct, frozen=True):
    """One item of the transcript: what was said with one event."""

    seq: int
    kind: str
    round: int
    lines: tuple[Line, ...]


def said_with(frame: Frame, course: Course) -> Said | None:
    """Give the item of the transcript that a frame adds; None if it adds none.

    Args:
        frame: the frame.
        course: the match it belongs to.
    """
    event, seq = frame["event"], frame["seq"]
    match event["kind"]:
        case "opened" | "offer" | "accept":
            kind = event["kind"]
            line = Line(None, VERBS[kind], event["price"], event.get("text", ""))
            return Said(seq, kind, event.get("round", 0), (line,))
        case "round":
            lines = [
                _line(lane, mark, best=event.get("best") == lane.actor)
                for lane in course.lanes
                for mark in lane.marks
                if mark.seq == seq
            ]
            return Said(seq, "round", event["round"], tuple(lines))
        case "ended":
            return Said(seq, "ended", event["round"], ())
        case _:
            return None


def _line(lane: Lane, mark: BidMark, *, best: bool) -> Line:
    price = None if mark.action == "walk" else mark.price
    verb = "waited" if mark.action == "hold" and price is None else DEEDS[mark.action]
    return Line(lane, verb, price, mark.text, mark.signal, best)
