"""What the page of a match shows, gathered for its template."""

from collections.abc import Sequence
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from arena.charts.course import course_of
from arena.models import Match
from arena.moments import moments_of
from arena.outcome import outcome_html
from arena.personas import persona_word
from arena.rendering import (
    joined,
    moment_html,
    panels_html,
    said_html,
    shape_of,
    signs,
    tells_html,
)
from negotiation.bargain.web.bubbles import Frame
from negotiation.money import SIGNS

SIGNAL_CHOICES: tuple[tuple[str, str, str], ...] = (
    ("", "No signal", "say nothing to the others"),
    ("cooperate", "Cooperate", "“let us not drive the price up”: the seller looks away a little"),
    ("compete", "Compete", "“I will outbid you”: the seller turns to you"),
    ("bluff", "Bluff", "looks like compete, and you do not mean it"),
)
"""Value, word and one line about each signal a person can give."""


def match_page(match: Match, frames: Sequence[Frame]) -> dict[str, Any]:
    """Gather the page of a match that has begun.

    Args:
        match: the match.
        frames: its wire frames as this visitor may see them, from the first one.
    """
    course = course_of(frames)
    moments = moments_of(frames, course)
    tells = [frame for frame in frames if frame["event"]["kind"] == "tells"]
    panels = panels_html(match, frames)
    panels.setdefault("match-outcome", outcome_html(match, frames, course))
    opened = frames[0]["event"]
    return {
        "match": match,
        "game": match.game,
        "course": course,
        "opened": opened,
        "persona": persona_word(opened["persona"] or ""),
        "last_seq": frames[-1]["seq"],
        "over": bool(course.ended_seq),
        "moments": joined([moment_html(one, course, shown=one is moments[-1]) for one in moments]),
        "talk": joined([said_html(frame, course) for frame in frames]),
        "tells": joined([tells_html(frame, shown=frame is tells[-1]) for frame in tells]),
        "panels": _safe(panels),
        "signals": [(*choice, signs().get(choice[0], "")) for choice in SIGNAL_CHOICES],
        "shapes": [(lane, shape_of(lane)) for lane in course.lanes],
        "sign": SIGNS.get(course.currency, course.currency),
    }


def _safe(panels: dict[str, str]) -> dict[str, SafeString]:
    # Panels come from templates, which have escaped what people wrote.
    return {name.removeprefix("match-"): mark_safe(html) for name, html in panels.items()}  # noqa: S308
