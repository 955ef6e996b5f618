"""What is on in the arena, what comes next, and what a visitor may see of one match."""

from collections.abc import Sequence

import msgspec

from arena import exhibition, running
from arena.actors import actor
from arena.auction_game import position_of
from arena.models import Match
from arena.visibility import Frame, Viewer, frames, viewer_of
from arena.watching import Scene, scene_of
from negotiation.engine.quantities import to_rupees
from negotiation.errors import UnknownGame

SHOWN = 12
"""Matches that a list of what is on has at most."""


class View(msgspec.Struct, frozen=True):
    """A match as one visitor sees it; ``viewer`` is None while it has not begun."""

    match: Match
    scene: Scene
    viewer: Viewer | None
    frames: Sequence[Frame]


def watch() -> exhibition.Bill:
    """Say that somebody watches: a match is on from now on.

    Returns:
        What is on and what comes next.
    """
    running.sweep_from_thread()
    bill = exhibition.ensure()
    if bill.current:
        running.start_from_thread(bill.current)
    return bill


def now(most: int = SHOWN) -> list[Match]:
    """List the matches that are on, exhibition matches first."""
    live = Match.objects.select_related("game").filter(phase=Match.Phase.LIVE)
    return list(live.order_by("-exhibition", "-starts_at")[:most])


def following() -> list[Match]:
    """List the matches that wait for their start, the next one first."""
    waiting = Match.objects.select_related("game").filter(phase=Match.Phase.WAITING)
    return list(waiting.order_by("starts_at")[:SHOWN])


def view_of(match_id: str, visitor: str) -> View:
    """Show a match to a visitor, and see to it that somebody runs it.

    Raises:
        UnknownGame: there is no such match.
    """
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
    """Tell a person at the table what only this seat knows: which one it is, and its budget."""
    if view.viewer is None or view.viewer.seat is None:
        return None
    seat = view.viewer.seat
    budgets = position_of(view.match.game).state.scenario.sealed.budgets
    return {"actor": actor(seat), "index": seat, "budget": to_rupees(budgets[seat])}
