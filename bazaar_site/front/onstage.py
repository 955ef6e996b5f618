"""The exhibition match that is on, for the stage of the front page: as any stranger may see it.

The page begins no match; it shows one that somebody's visit to the arena has begun.
"""

import msgspec
from django.utils.safestring import SafeString

from arena.auction_game import AUCTION
from arena.charts.course import course_of
from arena.charts.match_path import match_path
from arena.models import Match
from arena.rendering import joined, said_html
from arena.visibility import frames, viewer_of
from negotiation.models import Game
from negotiation.short_memory import kept

LOOK_EVERY_S = 2.0


class OnStage(msgspec.Struct, frozen=True):
    """A live match, drawn up to its event ``seq``; the rest comes through its socket."""

    match_id: str
    title: str
    buyers: int
    round: int
    max_rounds: int
    seq: int
    talk: SafeString
    chart: SafeString


def on_stage() -> OnStage | None:
    """Give the newest live exhibition match, None while none is on."""
    return kept("on-stage", LOOK_EVERY_S, _look)


def _look() -> OnStage | None:
    live = Match.objects.select_related("game").filter(
        exhibition=True, phase=Match.Phase.LIVE, game__status=Game.Status.LIVE
    )
    match = live.order_by("-starts_at").first()
    if match is None:
        return None
    stranger = viewer_of(match.game, AUCTION.scenario_of(match.pk), None)
    seen = frames(match.game, stranger)
    course = course_of(seen)
    return OnStage(
        match_id=match.pk,
        title=course.title,
        buyers=len(course.lanes),
        round=len(course.asks),
        max_rounds=course.max_rounds,
        seq=seen[-1]["seq"],
        talk=joined([said_html(one, course) for one in seen]),
        chart=match_path(course),
    )
