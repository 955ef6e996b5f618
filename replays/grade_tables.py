"""Who sat at the table of a graded game, and what they did, as its replay page words it."""

from typing import Any

from arena.charts.course import course_of
from arena.errors import NoSeat
from arena.matches import seat_index
from arena.visibility import Viewer
from arena.visibility import frames as match_frames
from negotiation.bubbles import currency_of
from negotiation.engine.quantities import Side, other
from negotiation.models import Game
from negotiation.money import rupees_text
from negotiation.seats import replay_cast
from negotiation.visibility import frames as wire_frames
from replays.grade_jobs import MATCH
from replays.grade_page import Table
from replays.recorded import SIMULATION
from replays.steps import steps_of


def table_of(game: Game, owner: str) -> Table:
    """Describe the table of a finished game.

    Args:
        game: the game.
        owner: session key of whoever reads.
    """
    return _match(game, owner) if game.kind == MATCH else _haggle(game, owner)


def currency(game: Game) -> str:
    """Give the currency of a finished game."""
    return currency_of(_frames(game))


def _haggle(game: Game, owner: str) -> Table:
    frames, cast = _frames(game), replay_cast(game)
    side: Side = "buyer" if game.kind == SIMULATION else cast.own
    is_own = bool(owner) and game.owner == owner and game.source == Game.Source.PERSON
    return Table(
        actors=(other(side), side),
        called=cast.called,
        told={step.seq: (step.round, step.words) for step in steps_of(frames, cast)},
        own=(side,),
        reader=side if is_own else None,
        currency=currency_of(frames),
    )


def _match(game: Game, owner: str) -> Table:
    frames = match_frames(game, Viewer("replay", _seat(game, owner)))
    course = course_of(frames)
    you = next((lane.actor for lane in course.lanes if lane.you), None)
    names = {lane.actor: lane.name for lane in course.lanes} | {"seller": "the seller"}
    placed = [f for f in frames if f["event"]["kind"] == "placed"]
    return Table(
        actors=tuple(lane.actor for lane in course.lanes),
        called=names.__getitem__,
        told={
            f["seq"]: (f["event"]["round"], _deed(f["event"], names, course.currency))
            for f in placed
        },
        own=(you,) if you else tuple(lane.actor for lane in course.lanes),
        reader=you,
        currency=course.currency,
    )


def _deed(event: dict[str, Any], names: dict[str, str], currency: str) -> str:
    name, price = names[event["actor"]], event.get("price")
    deeds = {
        "offer": f"bids {rupees_text(price, currency)}" if price is not None else "bids",
        "accept": "takes the ask",
        "hold": "holds",
        "walk": "leaves",
    }
    return f"Round {event['round']}: {name} {deeds[event['action']]}"


def _seat(game: Game, owner: str) -> int | None:
    try:
        return seat_index(game.pk, owner)
    except NoSeat:
        return None


def _frames(game: Game) -> list[dict[str, Any]]:
    if game.kind == MATCH:
        return match_frames(game, Viewer("replay", None))
    return wire_frames(game, "replay")
