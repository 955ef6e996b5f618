"""What is new in a match, read once for all viewers of a process (in a thread)."""

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

import msgspec
from django.utils.translation import override

from arena.auction.web import running
from arena.auction.web.game import position_of
from arena.auction.web.orders import PERSON_NAME, name_of
from arena.auction.web.records import actor
from arena.auction.web.rendering import drawn
from arena.auction.web.visibility import Frame, Viewer, frames, viewer_of
from arena.models import Match
from bazaarbatna.bargain.quantities import to_rupees
from negotiation.errors import UnknownGame
from negotiation.games.frame_socket import numbered
from negotiation.games.live import Batch, Key, Want
from negotiation.models import Game

logger = logging.getLogger(__name__)


class Chair(msgspec.Struct, frozen=True):
    """A chair as it is shown; ``owner`` never leaves the server."""

    index: int
    name: str
    policy: str
    owner: str
    is_open: bool

    def shown(self, visitor: str) -> Frame:
        """Return the chair as a visitor sees it."""
        frame: Frame = {
            "actor": actor(self.index),
            "name": self.name,
            "policy": "person" if self.owner else self.policy,
            "person": bool(self.owner),
            "open": self.is_open and not self.owner,
        }
        return {**frame, "you": True} if visitor and visitor == self.owner else frame


class Scene(msgspec.Struct, frozen=True):
    """How a match stands: its log ends at ``seq``; ``viewers`` tells as what each want is served.

    ``awaited`` are people's seats whose envelopes are missing, due at ``deadline``.
    """

    phase: str
    seq: int
    starts_at: datetime | None
    chairs: tuple[Chair, ...]
    awaited: tuple[int, ...]
    deadline: datetime | None
    is_run: bool
    viewers: Mapping[Want, Viewer]

    @property
    def is_waiting(self) -> bool:
        """Whether the match has not begun."""
        return self.phase == Match.Phase.WAITING

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.phase == Match.Phase.ENDED

    def seat_of(self, visitor: str) -> int | None:
        """Return the seat of a visitor."""
        if not visitor:
            return None
        return next((chair.index for chair in self.chairs if chair.owner == visitor), None)


class View(msgspec.Struct, frozen=True):
    """A match as one visitor sees it; ``viewer`` is None while it has not begun."""

    match: Match
    scene: Scene
    viewer: Viewer | None
    frames: Sequence[Frame]


def look(
    match_id: str, wants: Collection[Want], known: Mapping[Key, int]
) -> tuple[Scene, dict[Key, Batch]]:
    """Return how a match stands and what its viewers have not been sent; raises ``UnknownGame``.

    ``known`` has the number up to which each feed has been read.
    """
    match = Match.objects.select_related("game").filter(pk=match_id).first()
    if match is None:
        raise UnknownGame
    scene = scene_of(match, wants)
    keys = {(viewer, html) for (_, html), viewer in scene.viewers.items()}
    return scene, {key: _batch(match, key, known.get(key, 0)) for key in keys}


def scene_of(match: Match, wants: Iterable[Want] = ()) -> Scene:
    """Return how a match stands."""
    game = match.game
    chairs = chairs_of(match)
    awaited: tuple[int, ...] = ()
    viewers: dict[Want, Viewer] = {}
    if match.phase != Match.Phase.WAITING:
        state = position_of(game).state
        people = state.scenario.seats
        awaited = tuple(index for index in state.awaited if people[index].person)
        viewers = {want: viewer_of(game, state.scenario, want[0]) for want in wants}
    return Scene(
        phase=Match.Phase.ENDED if game.status == Game.Status.ENDED else match.phase,
        seq=game.last_seq,
        starts_at=match.starts_at,
        chairs=chairs,
        awaited=awaited,
        deadline=match.turn_ends_at if awaited else None,
        is_run=match.is_held,
        viewers=viewers,
    )


def chairs_of(match: Match) -> tuple[Chair, ...]:
    """Return the chairs of a match in their order."""
    return tuple(
        Chair(
            row.index,
            PERSON_NAME if row.owner else name_of(row.policy),
            row.policy,
            row.owner,
            row.is_open,
        )
        for row in match.seats.order_by("index")
    )


def view_of(match_id: str, visitor: str) -> View:
    """Return a match as a visitor sees it, and see to it that somebody runs it."""
    match = Match.objects.select_related("game__listing").filter(pk=match_id).first()
    if match is None:
        raise UnknownGame
    running.sweep_from_thread()
    scene = scene_of(match)
    if scene.is_waiting:
        return View(match, scene, None, ())
    if not scene.is_over and not scene.is_run:
        running.start_from_thread(match_id)
    scenario = position_of(match.game).state.scenario
    viewer = viewer_of(match.game, scenario, scene.seat_of(visitor))
    return View(match, scene, viewer, frames(match.game, viewer))


def brief_of(view: View) -> Frame | None:
    """Return what only a person's own seat knows: which one it is, and its budget."""
    if view.viewer is None or view.viewer.seat is None:
        return None
    seat = view.viewer.seat
    budgets = position_of(view.match.game).state.scenario.sealed.budgets
    return {"actor": actor(seat), "index": seat, "budget": to_rupees(budgets[seat])}


def waiting_frame(scene: Scene, visitor: str) -> Frame:
    """Return what a match waits for."""
    starts_at = scene.starts_at.isoformat() if scene.starts_at else None
    seats = [chair.shown(visitor) for chair in scene.chairs]
    return {"type": "waiting", "starts_at": starts_at, "seats": seats}


def awaiting_frame(scene: Scene, visitor: str) -> Frame:
    """Return whose envelopes are missing, and until when there is time."""
    return {
        "type": "awaiting",
        "actors": [actor(index) for index in scene.awaited],
        "you": scene.seat_of(visitor) in scene.awaited,
        "deadline": scene.deadline.isoformat() if scene.deadline else None,
    }


def _batch(match: Match, key: tuple[Viewer, str], after: int) -> Batch:
    viewer, drawn_in = key
    if after >= match.game.last_seq:
        return Batch((), {})
    if not drawn_in:
        return Batch(numbered(frames(match.game, viewer, after)), {})
    log = frames(match.game, viewer)
    new = [frame for frame in log if frame["seq"] > after]
    try:
        with override(drawn_in):
            *pieces, panels = drawn(match, log, new, viewer.audience)
    # A picture that cannot be drawn must not keep the news from anybody.
    except Exception:
        logger.exception("a match could not be drawn", extra={"game": match.pk})
        return Batch(numbered(new), {})
    return Batch(numbered(pieces), panels["panels"])
