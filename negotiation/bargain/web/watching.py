"""What is new in a sale or a purchase, read once for all its viewers of a process (in a thread)."""

import logging
from collections.abc import Collection, Iterable, Mapping

import msgspec

from negotiation.bargain import sessions
from negotiation.bargain.visibility import Audience, Frame, frames
from negotiation.bargain.web.guest_drawing import guest_item, guest_panels
from negotiation.bargain.web.rendering import event_html, panels_html
from negotiation.bargain.web.seats import seat_of
from negotiation.bargain.web.thumbs import Thumb, thumbs_of
from negotiation.engine.quantities import Side
from negotiation.errors import UnknownGame
from negotiation.games.frame_socket import encoded
from negotiation.games.live import Batch, Key, Want
from negotiation.games.visitors import visitor_of
from negotiation.models import Game

logger = logging.getLogger(__name__)


class Owner(msgspec.Struct, frozen=True):
    """The place of whoever plays a game of ``kind``, "sell" or "buy"."""

    visitor: str
    kind: str


class Guest(msgspec.Struct, frozen=True):
    """The place of somebody who has the key of a shared game."""

    key: str


class Viewer(msgspec.Struct, frozen=True):
    """As what somebody looks; a page of the owner also shows the thumbs given so far."""

    audience: Audience
    thumbs: tuple[tuple[int, Thumb], ...] | None = None


class Scene(msgspec.Struct, frozen=True):
    """How a game stands: its log ends at ``seq``.

    ``opponent`` is the side of whoever plays against the owner, ``is_thinking`` when there is
    something to do for it; ``has_owner``: the owner is among the viewers. ``viewers`` tells as
    what each want is served.
    """

    seq: int
    opponent: Side
    is_thinking: bool
    has_owner: bool
    viewers: Mapping[Want, Viewer]
    is_waiting: bool = False


def look(
    game_id: str, wants: Collection[Want], known: Mapping[Key, int]
) -> tuple[Scene, dict[Key, Batch]]:
    """Read how a game stands and what its viewers have not been sent.

    Everybody's right to look is checked every time: the owner's visit, a guest's key.

    Args:
        game_id: the game.
        wants: what the sockets of this process want to see.
        known: up to which number each feed has been read.

    Raises:
        UnknownGame: there is no such game.
    """
    game = Game.objects.filter(pk=game_id).first()
    if game is None:
        raise UnknownGame
    present = {place for place, _ in wants if _may_look(game, place)}
    viewers = {want: _viewer_of(game, *want) for want in wants if want[0] in present}
    scene = Scene(
        seq=game.last_seq,
        opponent=seat_of(game).rival_side,
        is_thinking=sessions.awaits_opponent(game),
        has_owner=any(isinstance(place, Owner) for place in present),
        viewers=viewers,
    )
    keys = {(viewer, html) for (_, html), viewer in viewers.items()}
    return scene, {key: _batch(game, *key, known.get(key, 0)) for key in keys}


def _may_look(game: Game, place: Owner | Guest) -> bool:
    if isinstance(place, Guest):
        return game.watch_key == place.key
    is_own = (game.owner, game.kind) == (place.visitor, place.kind)
    return is_own and bool(visitor_of(place.visitor))


def _viewer_of(game: Game, place: Owner | Guest, is_drawn: bool) -> Viewer:
    if isinstance(place, Guest):
        return Viewer("guest")
    thumbs = thumbs_of(game) if is_drawn else None
    return Viewer(sessions.side_of(game), None if thumbs is None else tuple(thumbs.items()))


def _batch(game: Game, viewer: Viewer, is_drawn: bool, after: int) -> Batch:
    if after >= game.last_seq:
        return Batch((), {})
    log = frames(game, viewer.audience, 0 if is_drawn else after)
    # What came after the game was read is shown with the row that it changed.
    log = [frame for frame in log if frame["seq"] <= game.last_seq]
    if not is_drawn:
        return Batch(_encoded(log), {})
    new = [frame for frame in log if frame["seq"] > after]
    if viewer.audience == "guest":
        return _drawn_for_guests(game, log, new)
    thumbs = None if viewer.thumbs is None else dict(viewer.thumbs)
    drawn = ({**frame, "html": event_html(frame, log, game, thumbs=thumbs)} for frame in new)
    return Batch(_encoded(drawn), panels_html(log, game, viewer.audience))


def _drawn_for_guests(game: Game, log: list[Frame], new: list[Frame]) -> Batch:
    try:
        drawn = _encoded({**frame, "html": guest_item(game, frame, log)} for frame in new)
        return Batch(drawn, guest_panels(game, log))
    # What guests cannot be shown must not keep the news from the owner.
    except Exception:
        logger.exception("a game could not be drawn for guests", extra={"game": game.pk})
        return Batch((), {})


def _encoded(new: Iterable[Frame]) -> tuple[tuple[int, str], ...]:
    return tuple((frame["seq"], encoded(frame)) for frame in new)
