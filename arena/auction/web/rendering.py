"""From a match's wire frames to HTML: the same templates draw a live match, a reload, a replay.

A new event brings its own pieces (``data-into`` names the list each belongs to); strips and charts,
drawn as a whole, come as panels.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Literal

import msgspec
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from agents.text.rounding import people_price
from arena.auction.charts.course import (
    LEFT,
    Course,
    Lane,
    bids_table,
    course_of,
    fate_seq,
    fate_words,
    signal_word,
)
from arena.auction.charts.glyphs import SIGNALS, envelope, seat_shape, signal_sign
from arena.auction.charts.lanes import attention_strip, lane_strip, rounds_axis, scale_of
from arena.auction.charts.match_path import match_path
from arena.auction.web.bidding import manner_of
from arena.auction.web.moments import MOODS, Moment, Mood, ending_words, moments_of, said_with
from arena.auction.web.outcome import outcome_html
from arena.models import Match
from arena.words import say
from bazaarbatna.auction.selling import RULES
from bazaarbatna.bargain.quantities import to_paise, to_rupees
from bazaarbatna.money import rupees_text
from negotiation.bargain.web.bubbles import Frame
from negotiation.bargain.web.signals import signal_rows
from negotiation.charts.svg import element
from negotiation.portraits.characters import drawn as picture

PICTURES = frozenset({"opened", "round", "attention", "offer", "accept", "ended"})
SIGN_BOX: dict[str, object] = {"class": "sign-box", "viewBox": "0 0 18 18", "aria-hidden": "true"}

Turn = Literal["yours", "closed", "left", "over"]
"""``yours``: the envelope of this round is open; ``closed``: it waits for the others."""

STEPS: tuple[tuple[str, float], ...] = (
    (say.text("a_little"), 0.2),
    (say.text("halfway"), 0.5),
    (say.text("nearly_there"), 0.9),
)
"""Names of quick bids and how far they go from the own bid (or 55 % of the ask) to the ask."""
FROM_NOTHING, FIRST_MOST = 0.55, 0.85
LOW_STARTS = (0.45, 0.35, 0.25, 0.15, 0.1, 0.08)
"""First bids, as shares of the ask, where none of those can be paid."""


class DrawnLane(msgspec.Struct, frozen=True):
    """A strip with what stands beside it."""

    lane: Lane
    shape: SafeString
    strip: SafeString
    fate: str
    fate_seq: int


class Chip(msgspec.Struct, frozen=True):
    """A bid that one press fills in; ``price`` in rupees."""

    label: str
    price: float


class Effect(msgspec.Struct, frozen=True):
    """What a call does: to the weight of the bid, in percent, and to which rivals' raises."""

    call: str
    percent: int
    rivals: str


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
        """Whether the ask can be taken."""
        return self.ask <= self.budget


def drawn(
    match: Match, frames: Sequence[Frame], new: Sequence[Frame], audience: str
) -> list[Frame]:
    """Return the newest frames with ``html``, then ``{"type": "panels", "panels": {id: html}}``.

    ``frames`` are all so far as ``audience`` may see them, ``new`` the last of them.
    """
    course = course_of(frames)
    moments = {moment.last_seq: moment for moment in moments_of(frames, course)}
    starts = {moment.seq: moment for moment in moments.values()}
    sent = [{**frame, "html": _pieces(frame, course, starts.get(frame["seq"]))} for frame in new]
    kinds = {frame["event"]["kind"] for frame in new}
    return [*sent, {"type": "panels", "panels": panels_html(match, frames, kinds)}]


def _pieces(frame: Frame, course: Course, moment: Moment | None) -> str:
    drawn_pieces = []
    if moment is not None:
        drawn_pieces.append(moment_html(moment, course))
    said = said_html(frame, course)
    if said:
        drawn_pieces.append(said)
    if frame["event"]["kind"] == "tells":
        drawn_pieces.append(tells_html(frame))
    return "".join(drawn_pieces)


def moment_html(moment: Moment, course: Course, *, shown: bool = True) -> SafeString:
    """Return what stands at a moment."""
    ticks = ["past"] * (moment.round - 1) + ["now"]
    ticks += ["left"] * (course.max_rounds - len(ticks))
    envelopes = [(one, shape_of(one.lane)) for one in moment.envelopes]
    context = {
        "moment": moment,
        "course": course,
        "ticks": ticks,
        "shown": shown,
        "envelopes": envelopes,
    }
    return render_to_string("arena/_moment.html", context)


def said_html(frame: Frame, course: Course) -> SafeString:
    """Return the transcript's item for an event, "" where it has none."""
    said = said_with(frame, course)
    if said is None:
        return SafeString("")
    lines = [(line, shape_of(line.lane) if line.lane else "") for line in said.lines]
    context: dict[str, Any] = {
        "said": said,
        "lines": [one for one in lines if not one[0].closed],
        "closed": [one for one in lines if one[0].closed],
        "course": course,
        "signs": signs(),
    }
    if said.kind == "ended":
        context |= {"ending": ending_words(frame["event"], course), "outcome": course.outcome}
    return render_to_string("arena/_said.html", context)


def tells_html(frame: Frame, *, shown: bool = True) -> SafeString:
    """Return what the seller let show in a round."""
    rows = signal_rows(frame["event"]["signals"], say("how_it_gives_way"))
    context = {
        "seq": frame["seq"],
        "round": frame["event"]["round"],
        "rows": [row for row in rows if row.observable],
        "shown": shown,
    }
    return render_to_string("arena/_tells.html", context)


def panels_html(
    match: Match, frames: Sequence[Frame], kinds: AbstractSet[str] = PICTURES
) -> dict[str, str]:
    """Return the panels that look different after events of these kinds, by element id."""
    course = course_of(frames)
    panels: dict[str, str] = {}
    if kinds & PICTURES:
        panels["match-lanes"] = lanes_html(course)
        panels["match-chart"] = f'<div id="match-chart">{match_path(course)}</div>'
        panels["match-table"] = f'<div id="match-table">{bids_table(course)}</div>'
    if course.own:
        panels["match-seat"] = _seat_html(course, frames)
    if "ended" in kinds and course.ended_seq:
        panels["match-outcome"] = outcome_html(match, frames, course)
    return panels


def lanes_html(course: Course) -> SafeString:
    """Return the strips of all buyers and the seller's attention under them."""
    lanes = [
        DrawnLane(
            lane=lane,
            shape=shape_of(lane),
            strip=lane_strip(course, lane),
            fate=fate_words(course, lane),
            fate_seq=fate_seq(course, lane),
        )
        for lane in course.lanes
    ]
    scale = scale_of(course)
    context = {
        "course": course,
        "lanes": lanes,
        "prices": (scale.low, scale.high),
        "axis": rounds_axis(course),
        "attention": attention_strip(course),
        "signals": [(_(word), _(about), signs()[name]) for name, word, about in SIGNALS],
        "envelope": element("svg", SIGN_BOX, envelope(9, 9, 7)),
    }
    return render_to_string("arena/_lanes.html", context)


def shape_of(lane: Lane) -> SafeString:
    """Return a buyer's shape as a small picture beside its name."""
    path = element("path", {"d": seat_shape(lane.place, 8, 8, 5.5)})
    box: dict[str, object] = {
        "class": f"seat-shape of-{lane.actor}",
        "viewBox": "0 0 16 16",
        "aria-hidden": "true",
    }
    return element("svg", box, path)


def faces_html(course: Course) -> SafeString:
    """Return every buyer's face in every mood, hidden: moments show them by reference."""
    symbols = [
        element(
            "symbol",
            {"id": f"face-{lane.actor}-{mood}", "viewBox": "0 0 96 96"},
            _drawing(lane, mood),
        )
        for lane in course.lanes
        for mood in MOODS
    ]
    return element("svg", {"class": "face-sheet", "aria-hidden": "true"}, *symbols)


def _drawing(lane: Lane, mood: Mood) -> SafeString:
    # A picture within a symbol: what colours it must come along, so the frame becomes a group.
    svg = picture(lane.who, mood, 96)
    body = svg.partition(">")[2].removesuffix("</svg>")
    classes = svg.partition('class="')[2].partition('"')[0]
    return mark_safe(f'<g class="{classes}">{body}</g>')  # noqa: S308


def signs() -> dict[str, SafeString]:
    """Return the signs of the signals as small pictures."""
    return {name: element("svg", SIGN_BOX, signal_sign(name, 9, 9, 6)) for name, _, _ in SIGNALS}


def joined(items: Sequence[str]) -> SafeString:
    """Return pieces that templates have drawn, and so escaped, one after the other."""
    return mark_safe("".join(items))  # noqa: S308


def _seat_html(course: Course, frames: Sequence[Frame]) -> SafeString:
    context = {"seat": _seat_of(course, frames), "currency": course.currency}
    return render_to_string("arena/_seat.html", context)


def _seat_of(course: Course, frames: Sequence[Frame]) -> SeatPanel:
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
        sealed=_sealed_words(placed, course) if placed else "",
        chips=chips_of(course.ask, own, budget),
    )


def effect_of(course: Course, call: str) -> Effect:
    """Return what a call does, by the seller's rules and the rivals' manners."""
    there = [lane for lane in course.lanes if not (lane.you or lane.person or lane.fate == LEFT)]
    factor = "returns" if call == "cooperate" else "heeds"
    heed = [lane.name for lane in there if getattr(manner_of(lane.policy), factor) < 1]
    return Effect(call, round(100 * abs(getattr(RULES, call) - 1)), ", ".join(heed))


def chips_of(ask: float, own: float | None, budget: float) -> tuple[Chip, ...]:
    """Return bids between the own bid and the ask, round ones, none above the budget.

    Who cannot pay the lowest of them begins further below. All are measured from what everybody
    sees: a quick bid tells no more of a budget than the step that it is.

    >>> [chip.price for chip in chips_of(2000, 1200, 1700)]
    [1350.0, 1600.0]
    >>> [chip.price for chip in chips_of(5000, None, 1800)]
    [1200.0]
    """
    low, top = (ask * FROM_NOTHING, budget * FIRST_MOST) if own is None else (own, budget)
    chips: list[Chip] = []
    for label, share in STEPS:
        wanted = 100 * (low + (ask - low) * share)
        change = None if own is None else wanted - 100 * own
        price = to_rupees(people_price(wanted, to_paise(ask), change))
        if low < price <= min(top, ask) and all(chip.price != price for chip in chips):
            chips.append(Chip(_(label), price))
    if not chips and own is None:
        starts = (to_rupees(people_price(100 * ask * one, to_paise(ask))) for one in LOW_STARTS)
        chips += [Chip(_(STEPS[0][0]), price) for price in starts if price <= top][:1]
    return tuple(chips)


def _sealed_words(placed: Frame, course: Course) -> str:
    match placed.get("action"):
        case "offer":
            price = rupees_text(placed["price"], course.currency)
            words = say("a_bid_of_price", price=price)
        case "accept":
            price = rupees_text(course.ask, course.currency)
            words = say("you_take_it_at_price", price=price)
        case "walk":
            words = say("you_leave")
        case _:
            words = say("you_hold")
    if not placed.get("signal"):
        return words
    return say("words_calling_sign", words=words, sign=signal_word(placed["signal"]))


def _placed(frames: Sequence[Frame], actor: str, number: int) -> Frame | None:
    for frame in reversed(frames):
        event: Frame = frame["event"]
        if event["kind"] == "placed" and event["actor"] == actor and event["round"] == number:
            return event
    return None
