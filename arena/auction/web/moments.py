"""The moments of a match, one for each thing a spectator would notice, and what was said in it.

The live page shows the newest moment, a viewer with a slower pace an earlier one, and a replay
steps through them. A moment lasts until the next one begins.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from arena.auction.charts.course import BidMark, Course, Lane
from negotiation.bargain.web.bubbles import Frame
from negotiation.money import rupees_text

EnvelopeState = Literal["writing", "closed", "opened", "left"]
# Attention and tells belong to their round.
BEATS = ("opened", "placed", "round", "offer", "accept", "ended")

VERBS = {"opened": "opened at", "offer": "asked", "accept": "sold for"}
ACTIONS = {
    "offer": "bid",
    "accept": "took the ask at",
    "hold": "held",
    "walk": "left",
    "in": "closed an envelope",
}


class Envelope(msgspec.Struct, frozen=True):
    """How far a buyer is with its envelope at a moment."""

    lane: Lane
    state: EnvelopeState

    @property
    def words(self) -> str:
        """What a tooltip says."""
        who = "You" if self.lane.you else self.lane.name
        return {
            "writing": f"{who}: still writing",
            "closed": f"{who}: envelope closed",
            "opened": f"{who}: envelope opened",
            "left": f"{who}: left",
        }[self.state]


class Moment(msgspec.Struct, frozen=True):
    """One moment. Prices in rupees; ``seq`` to ``last_seq`` are the events it covers.

    ``best`` is in front with ``bid``, where that is open; ``outbid``: somebody offered more than
    the person in a seat (None: not known, or nobody asks).
    """

    index: int
    seq: int
    last_seq: int
    kind: str
    round: int
    words: str
    ask: float
    best: Lane | None
    bid: float | None
    own: float | None
    outbid: bool | None
    envelopes: tuple[Envelope, ...]


def moments_of(
    frames: Sequence[Frame], course: Course, *, envelopes: bool = True
) -> tuple[Moment, ...]:
    """Cut a log of wire frames, from ``opened`` on, into moments.

    With ``envelopes`` each closed one of the newest round is a moment; else they are its opening's.
    """
    moments: list[Moment] = []
    closed: set[str] = set()
    since = 0
    for frame in frames:
        kind, seq = frame["event"]["kind"], frame["seq"]
        if kind == "placed":
            since = since or seq
            closed.add(frame["event"]["actor"])
            newest = frame["event"]["round"] > course.rounds
            if not (envelopes and newest):
                continue
        if kind not in BEATS:
            moments[-1] = msgspec.structs.replace(moments[-1], last_seq=seq)
            continue
        first = since if kind == "round" and since and not envelopes else seq
        moments.append(_moment(moments, frame["event"], first, seq, course, closed))
        if kind in ("round", "offer"):
            closed, since = set(), 0
    return tuple(moments)


def moment_at(moments: Sequence[Moment], seq: int) -> Moment:
    """Return the moment that covers a sequence number; numbers outside lead to the ends."""
    found = moments[0]
    for moment in moments:
        if moment.seq > seq:
            break
        found = moment
    return found


def _moment(
    before: list[Moment],
    event: Frame,
    first: int,
    seq: int,
    course: Course,
    closed: set[str],
) -> Moment:
    last = before[-1] if before else None
    kind = event["kind"]
    number = event.get("round", 1) + (kind == "offer")
    opened = course.reveals.get(event.get("round", 0), seq + 1) <= seq
    best, bid = (last.best, last.bid) if last else (None, None)
    outbid = last.outbid if last else None
    if kind == "round":
        best = course.lane(event["best"]) if event.get("best") else None
        bid = best.bid_after(event["round"]) if best else None
        outbid = event.get("outbid")
    moment = Moment(
        index=len(before),
        seq=first,
        last_seq=seq,
        kind=kind,
        round=number,
        words="",
        ask=event["price"] if kind in ("opened", "offer") else last.ask if last else 0.0,
        best=best,
        bid=bid,
        own=_own(event, seq, last, course),
        outbid=outbid,
        envelopes=tuple(
            Envelope(lane, _state(lane, number, opened and kind != "offer", closed))
            for lane in course.lanes
        ),
    )
    return msgspec.structs.replace(moment, words=_words(event, moment, course))


def _own(event: Frame, seq: int, last: Moment | None, course: Course) -> float | None:
    if event["kind"] == "placed":
        price: float | None = event.get("price")
        if event.get("action") == "accept" and last is not None:
            return last.ask
        return price if price is not None else last.own if last else None
    opened = [mark for mark in course.own.marks if mark.seq <= seq] if course.own else []
    return opened[-1].price if opened else last.own if last else None


def _state(lane: Lane, number: int, opened: bool, closed: set[str]) -> EnvelopeState:
    gone = next((mark.round for mark in lane.marks if mark.action == "walk"), None)
    if gone is not None and (gone < number or (gone == number and opened)):
        return "left"
    if opened:
        return "opened"
    return "closed" if lane.actor in closed else "writing"


def _words(event: Frame, moment: Moment, course: Course) -> str:
    match event["kind"]:
        case "opened":
            count = ("", "", "Two", "Three", "Four")[len(course.lanes)]
            return f"The seller opens at {_price(course, event)}. {count} buyers write their bids"
        case "placed":
            return _placed_words(event, course)
        case "round":
            return f"Round {event['round']}: {_opened_words(event, moment, course)}"
        case "offer":
            return f"The seller asks {_price(course, event)}"
        case "accept":
            lane = course.lane(event["buyer"])
            who = "you" if lane.you else lane.name
            return f"Sold to {who} for {_price(course, event)}"
        case _:
            return ending_words(event, course)


def ending_words(event: Frame, course: Course) -> str:
    """Return in one line how a match ended."""
    if event["outcome"] == "deal":
        return f"Over: sold for {_price(course, event)}"
    return "Nobody bought: " + (
        "every buyer has left" if event["outcome"] == "walk" else "the rounds ran out"
    )


def _placed_words(event: Frame, course: Course) -> str:
    lane = course.lane(event["actor"])
    if not lane.you:
        return f"{lane.name} has closed its envelope"
    match event.get("action"):
        case "offer":
            return f"You sealed a bid of {_price(course, event)}"
        case "accept":
            return "You sealed: I take the ask"
        case "walk":
            return "You sealed: I leave"
        case _:
            return "You sealed: I hold"


def _opened_words(event: Frame, moment: Moment, course: Course) -> str:
    gone = [course.lane(row["actor"]) for row in event["bids"] if row["action"] == "walk"]
    leaving = "".join(f"; {'you leave' if one.you else one.name + ' leaves'}" for one in gone)
    if moment.best is not None and moment.bid is not None:
        who = "you are" if moment.best.you else f"{moment.best.name} is"
        return f"{who} in front with {rupees_text(moment.bid, course.currency)}{leaving}"
    if moment.outbid is not None:
        told = "someone offered more than you" if moment.outbid else "nobody offered more than you"
        return f"{told}{leaving}"
    return f"the seller opens the envelopes{leaving}" if course.sealed else f"no bid{leaving}"


def _price(course: Course, event: Frame) -> str:
    price = event.get("price")
    return "the ask" if price is None else rupees_text(price, course.currency)


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
    """Return the item of the transcript that a frame adds; None if it adds none."""
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
    verb = "waited" if mark.action == "hold" and price is None else ACTIONS[mark.action]
    return Line(lane, verb, price, mark.text, mark.signal, best)
