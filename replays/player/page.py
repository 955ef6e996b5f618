"""Everything the scrubbing page shows, rendered once; the browser only hides and shows."""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Any

import msgspec
from django.utils.safestring import SafeString, mark_safe

from arena.auction.charts.course import Course, Lane, bids_table, course_of, fate_words
from arena.auction.charts.match_path import match_path
from arena.auction.web.game import AUCTION
from arena.auction.web.moments import Moment, moments_of
from arena.auction.web.orders import persona_word
from arena.auction.web.outcome import headline_of, pocket_words
from arena.auction.web.rendering import lanes_html, said_html, shape_of
from arena.auction.web.what_if import remarks_in_words
from bazaarbatna.auction.auction_theory import reference_lines
from bazaarbatna.bargain.theory import NASH
from negotiation.bargain.web.bubbles import Frame, closing_words
from negotiation.bargain.web.outcome import checked, theory_name
from negotiation.bargain.web.rendering import event_html
from negotiation.bargain.web.seats import Cast, replay_cast
from negotiation.bargain.web.signals import Signal, signal_rows
from negotiation.charts.price_path import price_path
from negotiation.charts.share_bar import share_bar
from negotiation.charts.svg import until
from negotiation.models import Game
from negotiation.sentences import sentences
from replays.finished import theory_lines
from replays.fork.page import Envelope, envelopes_of, what_if_of
from replays.ledger.page import ledger_page
from replays.player.narration import why_no_deal
from replays.player.steps import AnyStep, Step, step_at, steps_of
from replays.preview.lines import is_pictured
from replays.wording import wording_of

say = sentences(__file__)

# In milliseconds a step.
SPEEDS: tuple[tuple[Any, int], ...] = (
    (say.lazy("slow"), 3000),
    (say.lazy("normal"), 1600),
    (say.lazy("fast"), 700),
)


class Said(msgspec.Struct, frozen=True):
    """One item of the transcript and the step it appears with; of ``spoken`` words is a picture."""

    seq: int
    step: int
    later: bool
    html: SafeString
    spoken: bool = False


def standing_at(steps: Sequence[AnyStep], at: int | None) -> dict[str, Any]:
    """Return the step at an event, None for the start, what lies beside it, and the speeds."""
    here = steps[0] if at is None else step_at(steps, at)
    return {
        "here": here,
        "previous": steps[here.index - 1] if here.index else None,
        "next": steps[here.index + 1] if here.index + 1 < len(steps) else None,
        "speeds": SPEEDS,
    }


def player(
    game: Game,
    frames: Sequence[dict[str, Any]],
    at: int | None,
    ghost: Sequence[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return what the replay page shows at an event, None for the start; ``ghost`` lies behind."""
    log = list(frames)
    cast = replay_cast(game)
    steps = steps_of(log, cast)
    standing = standing_at(steps, at)
    here: Step = standing["here"]
    opened, ended, closed = log[0]["event"], log[-1]["event"], closing_words(log, cast)
    theory = theory_lines(log)
    middle = {say("even_split"): theory[NASH]} if theory else None
    return {
        "game": game,
        "cast": cast,
        "words": wording_of(game),
        "why_no_deal": why_no_deal(ended, opened["item"]["currency"], cast, closed),
        "leaver": cast.name(ended["by"]) if ended["by"] else "",
        "closed": closed,
        "currency": opened["item"]["currency"],
        "opened": opened,
        "ended": ended,
        "steps": steps,
        **standing,
        "transcript": _transcript(log, steps, here, game, cast),
        "chart": price_path(log, upto=here.last_seq, references=middle, ghost=ghost),
        "theory": tuple((theory_name(name), price) for name, price in theory.items()),
        "bar": share_bar(ended["seller_share"], ended["buyer_share"]),
        "kept": is_kept(ended),
        "certificate": checked(ended.get("certificate")),
        "ledger": ledger_page(game, log, cast),
    }


def is_kept(ended: dict[str, Any]) -> bool:
    """Whether the committed text of an ``ended`` event has the promised SHA-256."""
    found = hashlib.sha256(ended["committed_text"].encode()).hexdigest()
    return hmac.compare_digest(found, ended["commitment"])


def _transcript(
    log: list[dict[str, Any]], steps: tuple[Step, ...], here: Step, game: Game, cast: Cast
) -> list[Said]:
    said = []
    for frame in log:
        if frame["event"]["kind"] == "tells":
            continue  # the message they were read from shows them
        html = event_html(frame, log, game, cast=cast)
        if html:
            step = step_at(steps, frame["seq"])
            # The front end's template has escaped what people wrote.
            item = mark_safe(html)  # noqa: S308
            pictured = is_pictured(game, frame["event"])
            said.append(Said(frame["seq"], step.index, step.index > here.index, item, pictured))
    return said


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


class MatchStep(msgspec.Struct, frozen=True):
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
    """Return what the replay page of a match shows at an event, None for the start."""
    course = course_of(log)
    moments = moments_of(log, course, envelopes=False)
    standing = standing_at(moments, at)
    here: Moment = standing["here"]
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
        **standing,
        "transcript": _match_transcript(log, course, moments, here),
        "lanes": until(lanes_html(course), here.last_seq),
        "chart": until(match_path(course, place="replay"), here.last_seq),
        "table": until(bids_table(course), here.last_seq),
        "results": [
            (lane, fate_words(course, lane), pocket_words(course, lane)) for lane in course.lanes
        ],
        "bar": share_bar(ended["seller_share"], 1 - ended["seller_share"]) if deal else "",
        "kept": is_kept(ended),
        "theory": tuple(reference_lines(AUCTION.scenario_of(game.pk)).items()),
        **what_if_of(game, owner, course),
    }


def _step(moment: Moment, log: Sequence[Frame], course: Course) -> MatchStep:
    within = [f for f in log if moment.seq <= f["seq"] <= moment.last_seq]
    before = [f for f in log if f["seq"] <= moment.last_seq]
    tells = [f["event"] for f in before if f["event"]["kind"] == "tells"]
    seen = [one for one in course.attention if one.seq <= moment.last_seq]
    shares = (seen[-1].shares or {}) if seen else {}
    placed = [f for f in within if f["event"]["kind"] == "placed"]
    rows = signal_rows(tells[-1]["signals"], say("how_it_gives_way")) if tells else ()
    return MatchStep(
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


def _match_transcript(
    log: Sequence[Frame], course: Course, moments: Sequence[Moment], here: Moment
) -> list[Said]:
    said = []
    for frame in log:
        html = said_html(frame, course)
        if html:
            step = step_at(moments, frame["seq"])
            said.append(Said(frame["seq"], step.index, step.index > here.index, html))
    return said
