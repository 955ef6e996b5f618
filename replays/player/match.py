"""The scrubbing page of a match: the live page's pictures and words, one step for each moment."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from arena.auction.charts.course import Course, Lane, bids_table, course_of, fate_words
from arena.auction.charts.match_path import match_path
from arena.auction.web.game import AUCTION
from arena.auction.web.moments import Moment, moments_of
from arena.auction.web.orders import persona_word
from arena.auction.web.outcome import headline_of, pocket_words
from arena.auction.web.rendering import lanes_html, said_html, shape_of
from arena.auction.web.what_if import remarks_in_words
from bazaarbatna.auction.auction_theory import reference_lines
from negotiation.bargain.web.bubbles import Frame
from negotiation.bargain.web.signals import Signal, signal_rows
from negotiation.charts.share_bar import share_bar
from negotiation.charts.svg import until
from negotiation.models import Game
from replays.fork.page import Envelope, envelopes_of, what_if_of
from replays.player.page import SPEEDS, Said, is_kept
from replays.player.steps import step_at


class Seen(msgspec.Struct, frozen=True):
    """How much of the seller's attention a buyer had after a round; ``share`` is 0..1."""

    lane: Lane
    shape: SafeString
    share: float


class Served(msgspec.Struct, frozen=True):
    """Who filled a buyer's envelope; ``latency_ms`` None where nobody measured."""

    lane: Lane
    backend: str
    policy_version: str
    latency_ms: int | None


class Step(msgspec.Struct, frozen=True):
    """A moment with what could be seen in it."""

    moment: Moment
    envelopes: tuple[tuple[Any, SafeString], ...]
    attention: tuple[Seen, ...]
    signals: tuple[Signal, ...]
    served: tuple[Served, ...]
    what_if: tuple[Envelope, ...]

    @property
    def seqs(self) -> tuple[str, ...]:
        """Numbers of the envelopes that can be filled otherwise."""
        return tuple(str(envelope.seq) for envelope in self.what_if)


def arena_player(game: Game, owner: str, log: Sequence[Frame], at: int | None) -> dict[str, Any]:
    """Return what the replay page of a match shows at an event, None for the end."""
    course = course_of(log)
    moments = moments_of(log, course, envelopes=False)
    here = moments[-1] if at is None else step_at(moments, at)
    ended = log[-1]["event"]
    deal = ended["outcome"] == "deal"
    steps = tuple(_step(moment, log, course) for moment in moments)
    return {
        "game": game,
        "course": course,
        "opened": log[0]["event"],
        "ended": ended,
        "remarks": remarks_in_words(game.pk, log[-1]["seq"], course),
        "headline": headline_of(ended, course),
        "persona": persona_word(ended["opened"]["persona"]),
        "steps": [{"seq": one.moment.seq, "index": one.moment.index, "step": one} for one in steps],
        "here": here,
        "previous": moments[here.index - 1] if here.index else None,
        "next": moments[here.index + 1] if here.index + 1 < len(moments) else None,
        "transcript": _transcript(log, course, moments, here),
        "lanes": until(lanes_html(course), here.last_seq),
        "chart": until(match_path(course, place="replay"), here.last_seq),
        "table": until(bids_table(course), here.last_seq),
        "results": [
            (lane, fate_words(course, lane), pocket_words(course, lane)) for lane in course.lanes
        ],
        "bar": share_bar(ended["seller_share"], 1 - ended["seller_share"]) if deal else "",
        "kept": is_kept(ended),
        "theory": tuple(reference_lines(AUCTION.scenario_of(game.pk)).items()),
        "speeds": SPEEDS,
        **what_if_of(game, owner, course),
    }


def _step(moment: Moment, log: Sequence[Frame], course: Course) -> Step:
    within = [f for f in log if moment.seq <= f["seq"] <= moment.last_seq]
    before = [f for f in log if f["seq"] <= moment.last_seq]
    tells = [f["event"] for f in before if f["event"]["kind"] == "tells"]
    seen = [one for one in course.attention if one.seq <= moment.last_seq]
    shares = (seen[-1].shares or {}) if seen else {}
    placed = [f for f in within if f["event"]["kind"] == "placed"]
    rows = signal_rows(tells[-1]["signals"], gettext("How it gives way")) if tells else ()
    return Step(
        moment=moment,
        envelopes=tuple((one, shape_of(one.lane)) for one in moment.envelopes),
        attention=tuple(
            Seen(lane, shape_of(lane), shares[lane.actor])
            for lane in course.lanes
            if shares.get(lane.actor)
        ),
        signals=tuple(row for row in rows if row.observable),
        served=tuple(
            Served(
                course.lane(f["event"]["actor"]),
                f["event"]["backend"],
                f["event"].get("policy_version", ""),
                f["event"].get("latency_ms"),
            )
            for f in placed
            if f["event"].get("backend")
        ),
        what_if=envelopes_of(placed, course),
    )


def _transcript(
    log: Sequence[Frame], course: Course, moments: Sequence[Moment], here: Moment
) -> list[Said]:
    said = []
    for frame in log:
        html = said_html(frame, course)
        if html:
            step = step_at(moments, frame["seq"])
            said.append(Said(frame["seq"], step.index, step.index > here.index, html))
    return said
