"""From a match's wire frames to HTML: the same templates draw a live match, a reload, a replay.

A new event brings its own pieces (``data-into`` names the list each belongs to); what is drawn as
a whole, strips and charts, comes as panels.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import msgspec
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from arena.charts.attention import attention_strip
from arena.charts.course import Course, Lane, course_of
from arena.charts.glyphs import SIGNALS, envelope, seat_shape, signal_sign
from arena.charts.lane_words import bids_table, fate_seq, fate_words
from arena.charts.lanes import lane_strip, rounds_axis
from arena.charts.match_path import match_path
from arena.models import Match
from arena.moments import Moment, ending_words, moments_of
from arena.outcome import outcome_html
from arena.seat_panel import seat_html
from arena.talk import said_with
from negotiation.bargain.web.bubbles import Frame
from negotiation.bargain.web.signals import signal_rows
from negotiation.charts.svg import element

PICTURES = frozenset({"opened", "round", "attention", "offer", "accept", "ended"})
"""Events after which strips and charts look different."""
SIGN_BOX: dict[str, object] = {"class": "sign-box", "viewBox": "0 0 18 18", "aria-hidden": "true"}


class DrawnLane(msgspec.Struct, frozen=True):
    """A strip with what stands beside it."""

    lane: Lane
    shape: SafeString
    strip: SafeString
    fate: str
    fate_seq: int


def drawn(
    match: Match, frames: Sequence[Frame], new: Sequence[Frame], audience: str
) -> list[Frame]:
    """Add the HTML to the newest frames of a match, and one frame with the panels.

    Args:
        match: the match they belong to.
        frames: all frames so far as this audience may see them.
        new: the last of them, which have not been sent.
        audience: who looks, as ``arena.visibility`` names it.

    Returns:
        The new frames with ``html``, then ``{"type": "panels", "panels": {id: html}}``.
    """
    course = course_of(frames)
    moments = {moment.last_seq: moment for moment in moments_of(frames, course)}
    starts = {moment.seq: moment for moment in moments.values()}
    sent = [{**frame, "html": pieces(frame, course, starts.get(frame["seq"]))} for frame in new]
    kinds = {frame["event"]["kind"] for frame in new}
    return [*sent, {"type": "panels", "panels": panels_html(match, frames, kinds)}]


def pieces(frame: Frame, course: Course, moment: Moment | None) -> str:
    """Draw what one event adds to the lists of the page."""
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
    """Draw what stands at a moment."""
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
    """Draw the transcript's item for an event, "" where it has none."""
    said = said_with(frame, course)
    if said is None:
        return SafeString("")
    lines = [(line, shape_of(line.lane) if line.lane else "") for line in said.lines]
    context: dict[str, Any] = {"said": said, "lines": lines, "course": course, "signs": signs()}
    if said.kind == "ended":
        context |= {"ending": ending_words(frame["event"], course), "outcome": course.outcome}
    return render_to_string("arena/_said.html", context)


def tells_html(frame: Frame, *, shown: bool = True) -> SafeString:
    """Draw what the seller let show in a round."""
    rows = signal_rows(frame["event"]["signals"], "How it gives way")
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
    """Draw the panels that look different after events of these kinds, by element id."""
    course = course_of(frames)
    panels: dict[str, str] = {}
    if kinds & PICTURES:
        panels["match-lanes"] = lanes_html(course)
        panels["match-chart"] = f'<div id="match-chart">{match_path(course)}</div>'
        panels["match-table"] = f'<div id="match-table">{bids_table(course)}</div>'
    if course.own:
        panels["match-seat"] = seat_html(course, frames)
    if "ended" in kinds and course.ended_seq:
        panels["match-outcome"] = outcome_html(match, frames, course)
    return panels


def lanes_html(course: Course) -> SafeString:
    """Draw the strips of all buyers and the seller's attention under them."""
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
    context = {
        "course": course,
        "lanes": lanes,
        "axis": rounds_axis(course),
        "attention": attention_strip(course),
        "signals": [(word, about, signs()[name]) for name, word, about in SIGNALS],
        "envelope": element("svg", SIGN_BOX, envelope(9, 9, 7)),
    }
    return render_to_string("arena/_lanes.html", context)


def shape_of(lane: Lane) -> SafeString:
    """Draw a buyer's shape as a small picture beside its name."""
    path = element("path", {"d": seat_shape(lane.place, 8, 8, 5.5)})
    box: dict[str, object] = {
        "class": f"seat-shape of-{lane.actor}",
        "viewBox": "0 0 16 16",
        "aria-hidden": "true",
    }
    return element("svg", box, path)


def signs() -> dict[str, SafeString]:
    """Draw the signs of the signals as small pictures."""
    return {name: element("svg", SIGN_BOX, signal_sign(name, 9, 9, 6)) for name, _, _ in SIGNALS}


def joined(items: Sequence[str]) -> SafeString:
    """Put pieces that templates have drawn, and so escaped, one after the other."""
    return mark_safe("".join(items))  # noqa: S308
