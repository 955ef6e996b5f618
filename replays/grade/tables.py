"""Who sat at the table of a graded game, and what they did, as its replay page words it."""

from collections.abc import Sequence
from typing import Any

from arena.charts.course import course_of
from negotiation.bubbles import Frame, currency_of
from negotiation.engine.quantities import Side, other
from negotiation.models import Game
from negotiation.money import rupees_text
from negotiation.seats import replay_cast
from replays.finished import ARENA
from replays.grade.page import Table
from replays.player.steps import steps_of
from replays.recorded import SIMULATION


def table_of(game: Game, owner: str, frames: Sequence[Frame]) -> Table:
    """Describe the table of a finished game.

    Args:
        game: the game.
        owner: session key of whoever reads.
        frames: the replay's frames as this reader sees them.
    """
    return _match(frames) if game.kind == ARENA else _haggle(game, owner, frames)


def _haggle(game: Game, owner: str, frames: Sequence[Frame]) -> Table:
    cast = replay_cast(game)
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


def _match(frames: Sequence[Frame]) -> Table:
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
