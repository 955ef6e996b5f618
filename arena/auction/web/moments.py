"""The moments of a match, one for each thing a spectator would notice, and what was said in it.

The live page shows the newest moment, a viewer with a slower pace an earlier one, and a replay
steps through them. A moment lasts until the next one begins.
"""

from collections.abc import Sequence
from typing import Literal, get_args

import msgspec
from django.utils.translation import gettext as _

from arena.auction.charts.course import BidMark, Course, Lane
from arena.auction.web.talk import (
    Saying,
    said_by_people,
    said_by_rival,
    said_by_seller,
)
from arena.words import say
from bazaarbatna.money import rupees_text
from negotiation.bargain.web.bubbles import Frame

EnvelopeState = Literal["writing", "closed", "opened", "left"]
Mood = Literal["calm", "pleased", "doubtful", "hurried", "walking"]
MOODS: tuple[Mood, ...] = get_args(Mood)
# Attention and tells belong to their round.
BEATS = ("opened", "placed", "round", "offer", "accept", "ended")

VERBS = {
    "opened": say.text("opened_at"),
    "offer": say.text("asked_2"),
    "accept": say.text("sold_for"),
}
ACTIONS = {
    "offer": say.text("bid"),
    "accept": say.text("took_the_ask_at"),
    "hold": say.text("held"),
    "walk": say.text("left"),
    "in": say.text("closed_an_envelope"),
}


class Envelope(msgspec.Struct, frozen=True):
    """How far a buyer is with its envelope at a moment.

    ``mood`` follows from what the viewer may see.
    """

    lane: Lane
    state: EnvelopeState
    mood: Mood = "calm"
    has_won: bool = False

    @property
    def words(self) -> str:
        """What stands under the face."""
        if self.has_won:
            return say("got_it")
        return {
            "writing": say("hesitates") if self.mood == "hurried" else say("is_writing"),
            "closed": say("has_sealed"),
            "opened": say("is_in_front") if self.mood == "pleased" else say("waits"),
            "left": say("has_left"),
        }[self.state]


class Moment(msgspec.Struct, frozen=True):
    """One moment. Prices in rupees; ``seq`` to ``last_seq`` are the events it covers.

    ``best`` is in front with ``bid``, where that is open; ``outbid``: somebody offered more than
    the person in a seat (None: not known, or nobody asks).
    ``quote`` is what the seller says and ``said`` what rivals do, to the round and to the price.
    ``words`` are announced; ``news`` stands on the page: whoever plays reads how the last round
    went until the next one opens, and sees on the faces who has sealed.
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
    quote: str = ""
    said: tuple[Saying, ...] = ()
    news: str = ""


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
        envelopes=(),
        quote=said_by_seller(course, event),
        said=_rivals(course, event, last),
    )
    if kind == "placed" and last is not None:
        # An envelope says nothing: what was said last stays.
        moment = msgspec.structs.replace(moment, quote=last.quote, said=last.said)
    states = {
        lane.actor: _state(lane, number, opened and kind != "offer", closed)
        for lane in course.lanes
    }
    words = _words(event, moment, course, states)
    stays = kind == "placed" and last is not None and course.own is not None
    return msgspec.structs.replace(
        moment,
        words=words,
        news=last.news if last and stays else words,
        envelopes=tuple(
            Envelope(lane, states[lane.actor], _mood(lane, moment, states), _has_won(lane, kind))
            for lane in course.lanes
        ),
    )


def _has_won(lane: Lane, kind: str) -> bool:
    return lane.won is not None and kind in ("accept", "ended")


def _mood(lane: Lane, moment: Moment, states: dict[str, EnvelopeState]) -> Mood:
    state = states[lane.actor]
    if moment.kind in ("accept", "ended"):
        if _has_won(lane, moment.kind):
            return "pleased"
        return "walking" if state == "left" else "doubtful"
    if state == "left":
        return "walking"
    if state == "writing":
        return "hurried" if _is_last(lane, states) else "calm"
    if state != "opened":
        return "calm"
    if lane.you and moment.own is None:
        return "calm"
    if lane.you and moment.outbid is not None:
        return "doubtful" if moment.outbid else "pleased"
    if moment.best is None:
        return "calm"
    return "pleased" if moment.best.actor == lane.actor else "doubtful"


def _is_last(lane: Lane, states: dict[str, EnvelopeState]) -> bool:
    others = [state for actor, state in states.items() if actor != lane.actor]
    return "closed" in others and "writing" not in others


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


def _words(event: Frame, moment: Moment, course: Course, states: dict[str, EnvelopeState]) -> str:
    price = _price(course, event)
    match event["kind"]:
        case "opened":
            return say("the_seller_asks_price_everybody_writes_a", price=price)
        case "placed":
            return _placed_words(event, course, states)
        case "round":
            told = _opened_words(event, moment, course)
            return say("round_number_told_2", number=event["round"], told=told)
        case "offer":
            return _offer_words(moment, price)
        case "accept":
            lane = course.lane(event["buyer"])
            if lane.you:
                return say("sold_to_you_for_price", price=price)
            return say("sold_to_who_for_price", who=lane.name, price=price)
        case _:
            return ending_words(event, course)


def _offer_words(moment: Moment, price: str) -> str:
    """Say the new price, and to whoever bids where the last round left them."""
    asks = say("the_seller_now_asks_price", price=price)
    if moment.outbid is None or moment.own is None:
        return asks
    return f"{say('somebody_is_ahead' if moment.outbid else 'you_lead')} {asks}"


def ending_words(event: Frame, course: Course) -> str:
    """Return in one line how a match ended."""
    if event["outcome"] == "deal":
        return say("over_sold_for_price", price=_price(course, event))
    if event["outcome"] == "walk":
        return say("nobody_bought_every_buyer_has_left")
    return say("nobody_bought_the_rounds_ran_out")


def _placed_words(event: Frame, course: Course, states: dict[str, EnvelopeState]) -> str:
    lane = course.lane(event["actor"])
    if lane.you:
        return _own_words(event, course)
    writing = _writing(course, states)
    if not writing:
        return say("who_has_sealed_all_envelopes_are_in", who=lane.name)
    if len(writing) > 1:
        return say("who_has_sealed", who=lane.name)
    if writing[0].you:
        return say("who_has_sealed_only_yours_is_missing", who=lane.name)
    return say("who_has_sealed_only_other_is_still", who=lane.name, other=writing[0].name)


def _writing(course: Course, states: dict[str, EnvelopeState]) -> list[Lane]:
    return [lane for lane in course.lanes if states[lane.actor] == "writing"]


def _own_words(event: Frame, course: Course) -> str:
    match event.get("action"):
        case "offer":
            return say("you_sealed_a_bid_of_price", price=_price(course, event))
        case "accept":
            return say("you_sealed_i_take_it_at_the")
        case "walk":
            return say("you_sealed_i_leave")
        case _:
            return say("you_sealed_i_hold")


def _opened_words(event: Frame, moment: Moment, course: Course) -> str:
    gone = [course.lane(row["actor"]) for row in event["bids"] if row["action"] == "walk"]
    leaving = "".join(
        "; " + (say("you_leave") if one.you else say("who_leaves", who=one.name)) for one in gone
    )
    if moment.best is not None and moment.bid is not None:
        price = rupees_text(moment.bid, course.currency)
        if moment.best.you:
            return say("you_are_in_front_with_price", price=price) + leaving
        return say("who_is_in_front_with_price", who=moment.best.name, price=price) + leaving
    if moment.outbid is not None:
        told = say("someone_offered_more_than_you")
        return (told if moment.outbid else say("nobody_offered_more_than_you")) + leaving
    if course.sealed:
        return say("the_seller_reads_the_envelopes_the_bids") + leaving
    return say("no_bid") + leaving


def _rivals(course: Course, event: Frame, last: Moment | None) -> tuple[Saying, ...]:
    """Gather what rivals say: an opened round and the new ask come at once, and are answered so."""
    now = said_by_rival(course, event)
    before = last.said if last and last.kind == "round" else ()
    if event["kind"] == "round":
        before = tuple(said_by_people(course, event))
    if now is None or (len(before) > 1 and now.lane == before[-1].lane):
        return before  # the answer to a person's words stays
    return (*(one for one in before if one.lane != now.lane), now)


def _price(course: Course, event: Frame) -> str:
    price = event.get("price")
    return say("the_ask") if price is None else rupees_text(price, course.currency)


class Line(msgspec.Struct, frozen=True):
    """One speaker's line. ``lane`` is None for the seller.

    Without a ``verb`` it is said to the table.

    ``closed``: nothing but that this buyer is still there may be seen.
    """

    lane: Lane | None
    verb: str
    price: float | None
    text: str
    signal: str | None = None
    best: bool = False
    closed: bool = False

    @property
    def who(self) -> str:
        """The speaker's name on the page."""
        if self.lane is None:
            return say("the_seller")
        return say("you") if self.lane.you else self.lane.name


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
            line = Line(None, _(VERBS[kind]), event["price"], said_by_seller(course, event))
            return Said(seq, kind, event.get("round", 0), (line, *_said(course, event)))
        case "round":
            lines = [
                _line(lane, mark, best=event.get("best") == lane.actor)
                for lane in course.lanes
                for mark in lane.marks
                if mark.seq == seq
            ]
            if words := said_by_seller(course, event):
                lines.append(Line(None, "", None, words))
            return Said(seq, "round", event["round"], (*lines, *_said(course, event)))
        case "ended":
            return Said(seq, "ended", event["round"], ())
        case _:
            return None


def _said(course: Course, event: Frame) -> tuple[Line, ...]:
    said = [said_by_rival(course, event)]
    if event["kind"] == "round":
        said = [*(one for one in said_by_people(course, event) if not one.lane.you), *said]
    return tuple(Line(one.lane, "", None, one.text) for one in said if one)


def _line(lane: Lane, mark: BidMark, *, best: bool) -> Line:
    price = None if mark.action == "walk" else mark.price
    verb = _(ACTIONS[mark.action])
    if mark.action == "hold" and price is None:
        verb = say("waited")
    return Line(lane, verb, price, mark.text, mark.signal, best, closed=mark.action == "in")
