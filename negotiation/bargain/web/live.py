"""A sale or a purchase live: its owner's moves in, the log out to owner and guests."""

import datetime as dt
import logging
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import msgspec
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, override

from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import Side, other, to_paise
from negotiation.bargain import opponent_turns, pairs, sessions
from negotiation.bargain.clocks import AWAY_S, Clocks, clocks_of, give_sign, seconds_left
from negotiation.bargain.commands import Command, Say, Withdraw
from negotiation.bargain.guests import (
    NOT_SHARED,
    GuestList,
    await_guests,
    forget_guests,
    game_for_guest,
    hosts_of,
    report,
)
from negotiation.bargain.terms import terms_of
from negotiation.bargain.visibility import Audience, Frame, frames
from negotiation.bargain.web.rendering import events_html, guest_item, guest_panels, panels_html
from negotiation.bargain.web.seats import seat_of
from negotiation.bargain.web.thumbs import Thumb, thumbs_of
from negotiation.errors import ReadOnly, UnknownGame
from negotiation.games import notify
from negotiation.games.event_log import game_row
from negotiation.games.frame_socket import numbered
from negotiation.games.frames_in import PingFrame, SyncFrame, WritesFrame, Written
from negotiation.games.live import Batch, Connection, Key, Live, Want
from negotiation.games.notify import ask_layer
from negotiation.games.visitors import visitor_of
from negotiation.limits import ROOM, spend
from negotiation.models import Game
from negotiation.threads import in_thread

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


class News(NamedTuple):
    """About which event the opponent thinks or a clock runs, 0: neither; who is there."""

    seq: int = 0
    is_away: bool = False
    is_paused: bool = False
    is_pair: bool = False
    """Somebody who is to move sits opposite a person who is told of, not the house."""


class Scene(msgspec.Struct, frozen=True):
    """How a game stands; ``is_thinking``: the side of the ``opponent`` has something to do.

    ``thinking_until``: when its turn is free for another process, should the one that thinks die.
    ``is_behind``: events came between reading the row and the log, and have not been looked at.
    """

    seq: int
    opponent: Side
    is_thinking: bool
    has_owner: bool
    viewers: Mapping[Want, Viewer]
    is_waiting: bool = False
    clocks: Clocks | None = None
    clock_s: int = 0
    is_told: bool = True
    thinking_until: dt.datetime | None = None
    is_behind: bool = False


IMPATIENT_S = 3.0
"""While the opponent thinks, the log is looked at so often without a notification too: the process
that was thinking may have died, and then this one takes the turn."""


LATE_S = 0.2
"""So much later than somebody's last moment the game is looked at: it has passed for sure."""


SEATS: dict[str, Side] = {"sell": "seller", "buy": "buyer"}
"""The side that a person plays in a game at an address."""


class SayFrame(Written, frozen=True, tag="say"):
    """Free text with a price or an acceptance inside, or mere words."""


class OfferFrame(Written, frozen=True, tag="offer", kw_only=True):
    """An ask, or a bid, of ``price`` rupees."""

    price: float


class AcceptFrame(Written, frozen=True, tag="accept"):
    """Take the standing offer of the other side."""


class WalkFrame(Written, frozen=True, tag="walk"):
    """Leave without a deal."""


class WithdrawFrame(Written, frozen=True, tag="withdraw"):
    """Take the own last price back, which was misheard."""


class SaleLive(Live[Scene]):
    """How a game for two is played; whoever has the key of a shared game looks on.

    A guest never moves the game, not even the opponent's turn, and knows no way to do so. Each look
    asks for the key again, so that a link which was taken back is told and closed.
    """

    name = "game"
    addresses = {
        r"^ws/sell/(?P<game_id>[a-z0-9]{1,12})/$": {"kind": "sell"},
        r"^ws/buy/(?P<game_id>[a-z0-9]{1,12})/$": {"kind": "buy"},
        r"^ws/watch/(?P<key>[a-z0-9]{1,24})/$": {},
    }
    frame_type = (
        SayFrame | OfferFrame | AcceptFrame | WalkFrame | WithdrawFrame | WritesFrame
        | SyncFrame | PingFrame
    )  # fmt: skip
    repeats = True
    is_read_anew = True

    def look(
        self, game_id: str, wants: Collection[Want], known: Mapping[Key, int]
    ) -> tuple[Scene, dict[Key, Batch]]:
        """Read how a game stands and what its viewers have not been sent, or raise UnknownGame.

        Everybody's right to look is checked every time: the owner's visit, a guest's key.
        """
        game = game_row(game_id)
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
            clocks=clocks_of(game),
            clock_s=terms_of(game).clock_s,
            is_told=terms_of(game).persona_told,
            thinking_until=game.thinking_until,
            is_behind=sessions.is_behind(game),
        )
        keys = {(viewer, html) for (_, html), viewer in viewers.items()}
        return scene, {key: _batch(game, *key, known.get(key, 0)) for key in keys}

    async def keep_alive(self, game_id: str, scene: Scene) -> None:
        """Let the opponent act, and time run out; guests alone move nothing, not even that."""
        if scene.has_owner and seconds_left(scene.clocks) == 0:
            await in_thread(_run_out)(game_id)
        if scene.is_thinking and scene.has_owner:
            opponent_turns.start_turn(game_id, scene.seq)

    def rest_s(self, scene: Scene) -> float | None:
        """Rest until something is heard, which may fail, unless an answer is owed or stored."""
        if scene.is_behind:
            return LATE_S
        if not scene.has_owner:
            return None
        left = seconds_left(scene.clocks)
        waits = [_thinks_for_s(scene.thinking_until)] if scene.is_thinking else []
        if scene.clocks is not None and scene.clocks.is_pair:
            waits.append(AWAY_S / 2)  # nobody tells that somebody has gone
        return min([*waits, *([] if left is None else [left + LATE_S])], default=None)

    async def counted_by(self, viewer: Connection) -> str:
        """Count the connections of a seat in a room by the seat: a class shares one address."""
        if "key" in viewer.route or not viewer.visitor:
            return ""
        sits = await in_thread(_sits_in_room)(viewer.game_id, viewer.visitor)
        return f"{ROOM}{viewer.visitor}" if sits else ""

    async def admit(self, viewer: Connection) -> None:
        """Let in whoever has the key of a shared game; an owner's visit is asked in every look."""
        if "key" not in viewer.route:
            viewer.place = Owner(viewer.visitor, viewer.route["kind"])
            viewer.own = GuestList()
            return
        viewer.place, viewer.visitor = Guest(viewer.route["key"]), viewer.session
        viewer.game_id = (await in_thread(game_for_guest)(viewer.place.key)).pk

    async def entered(self, viewer: Connection) -> None:
        """Tell the owner of a guest, and let an owner begin to count guests."""
        if isinstance(viewer.place, Guest):
            await report(viewer.game_id, viewer.channel_name)
        else:
            viewer.own.hears = await await_guests(viewer.game_id, viewer.channel_name)

    async def left(self, viewer: Connection) -> None:
        """Let the owner know that a guest has gone, and an owner count no more."""
        if isinstance(viewer.place, Owner):
            await forget_guests(viewer.game_id, viewer.channel_name)
        elif isinstance(viewer.place, Guest) and viewer.game_id:
            await report(viewer.game_id, viewer.channel_name, here=False)

    async def present(self, viewer: Connection) -> None:
        """Note that somebody has the own page before the eyes; the one opposite may be told."""
        if isinstance(viewer.place, Owner) and await in_thread(_is_here)(
            viewer.game_id, viewer.place
        ):
            await in_thread(notify.ring)(viewer.game_id, 0)

    async def pinged(self, viewer: Connection) -> None:
        """Count anew: a guest may have vanished without a word."""
        await self.counted(viewer)
        if isinstance(viewer.place, Owner):
            if not viewer.own.hears:  # Redis was away when they came
                viewer.own.hears = await await_guests(viewer.game_id, viewer.channel_name)
            await _tell_guests(viewer, viewer.own.count())

    async def counted(self, viewer: Connection) -> None:
        """Report a guest to the owner, who asks who is here."""
        if isinstance(viewer.place, Guest):
            await report(viewer.game_id, viewer.channel_name)

    async def guest_here(self, viewer: Connection, message: dict[str, Any]) -> None:
        """Hear that a guest is here."""
        await _tell_guests(viewer, viewer.own.come(message["guest"]))

    async def guest_gone(self, viewer: Connection, message: dict[str, Any]) -> None:
        """Hear that a guest has left."""
        await _tell_guests(viewer, viewer.own.leave(message["guest"]))

    def refusal(self, viewer: Connection, wrong: Exception) -> Exception:
        """Tell a guest that the link is not good (any more)."""
        is_no_link = "key" in viewer.route and isinstance(wrong, UnknownGame)
        return UnknownGame(gettext(NOT_SHARED)) if is_no_link else wrong

    async def on_say(self, viewer: Connection, frame: SayFrame) -> None:
        """Take words."""
        await self._play(viewer, Say(frame.words, viewer.asked.prices, viewer.asked.words), frame)

    async def on_offer(self, viewer: Connection, frame: OfferFrame) -> None:
        """Take a price."""
        await self._play(viewer, Offer(to_paise(frame.price), frame.words), frame)

    async def on_accept(self, viewer: Connection, frame: AcceptFrame) -> None:
        """Close at the standing offer."""
        await self._play(viewer, Accept(frame.words), frame)

    async def on_walk(self, viewer: Connection, frame: WalkFrame) -> None:
        """Leave."""
        await self._play(viewer, Walk(frame.words), frame)

    async def on_withdraw(self, viewer: Connection, frame: WithdrawFrame) -> None:
        """Take a price back."""
        await self._play(viewer, Withdraw(), frame)

    async def on_writes(self, viewer: Connection, frame: WritesFrame) -> None:
        """Let a friend opposite see that a line is being written."""
        if isinstance(viewer.place, Owner) and await in_thread(_is_friends)(
            viewer.game_id, viewer.place
        ):
            told = {"type": "friend.writes", "side": SEATS[viewer.place.kind]}
            await ask_layer("nobody heard of it", "group_send", hosts_of(viewer.game_id), told)
        await viewer.give({"type": "pong"})

    async def friend_writes(self, viewer: Connection, message: dict[str, Any]) -> None:
        """Hear that somebody at the table writes."""
        if SEATS[viewer.place.kind] != message["side"]:
            await viewer.give({"type": "writes", "actor": message["side"]})

    def is_snapshot_due(self, viewer: Connection, count: int) -> bool:
        """Pages draw event by event, and guests are sent every one by itself."""
        is_owners = isinstance(viewer.place, Owner) and not viewer.drawn_in
        return is_owners and super().is_snapshot_due(viewer, count)

    def news_of(self, scene: Scene) -> News:
        """Sum up about which event the opponent thinks or a clock runs, and who is there."""
        clocks = scene.clocks
        if clocks is None:
            return News(scene.seq if scene.is_thinking else 0)
        # Where nobody is told who sits opposite, that somebody is back would tell.
        is_pair = clocks.is_pair and scene.is_told
        return News(scene.seq, clocks.is_away, clocks.is_paused, is_pair)

    async def tell(self, viewer: Connection, scene: Scene, was: News | tuple[()]) -> None:
        """Say that the opponent thinks, and how much time everybody has."""
        # Only the house thinks aloud: that would tell who it is.
        if scene.is_thinking and scene.is_told:
            await viewer.give({"type": "thinking", "actor": scene.opponent})
        if scene.clocks is None or not isinstance(viewer.place, Owner):
            return
        if viewer.drawn_in and was and self.news_of(scene).is_pair and not was.is_pair:
            # A person has the seat again that the house kept: it is called by its name.
            drawn = await in_thread(_panels)(viewer.game_id, viewer.place, viewer.drawn_in)
            await viewer.give({"type": "panels", "panels": drawn})
        if scene.clocks.is_shown_to(SEATS[viewer.place.kind], is_told=scene.is_told):
            await viewer.give(clock_frame(scene.clocks, scene.clock_s))

    async def tell_words(self, viewer: Connection, scene: Scene, words: str) -> None:
        """Show the words that the opponent has found so far, if they are about this position."""
        if scene.is_told and viewer.told and viewer.told[0] == viewer.seq:
            await viewer.give({"type": "thinking", "actor": scene.opponent, "text": words})

    async def _play(self, viewer: Connection, command: Command, frame: Written) -> None:
        if not isinstance(viewer.place, Owner):
            raise ReadOnly
        receipt = await in_thread(_count_and_play)(viewer.game_id, viewer.place, command, frame)
        # Whoever goes at once is answered all the same.
        opponent_turns.start_turn(viewer.game_id, receipt.seq)
        await viewer.refresh(receipt.seq)
        if receipt.note is not None:
            await viewer.give({"type": "note", **receipt.note.to_frame()})


SALE_LIVE = SaleLive()


def _thinks_for_s(until: dt.datetime | None) -> float:
    """Return after how many seconds a turn may have lost its thinker."""
    left = (until - timezone.now()).total_seconds() if until is not None else 0.0
    return min(left + LATE_S, IMPATIENT_S) if left > 0 else IMPATIENT_S


def clock_frame(clocks: Clocks, clock_s: int) -> Frame:
    """Show whose time runs, in how many seconds it is up, and what each side has left."""
    now = timezone.now()
    due = clocks.shown_s
    why = "absent" if clocks.is_away else "clock"
    running = "" if clocks.is_paused else clocks.running
    frame: Frame = {"type": "clock", "running": running, "why": why}
    frame["due_s"] = None if due is None else round(due, 1)
    if clock_s:
        sides: tuple[Side, ...] = ("seller", "buyer")
        frame["left_s"] = {side: round(clocks.left(side, clock_s, now), 1) for side in sides}
    return frame


def _count_and_play(
    game_id: str, place: Owner, command: Command, frame: Written
) -> sessions.Receipt:
    """Play, unless that was too fast: in one go, since each way to a thread is a wait."""
    spend("messages", place.visitor)
    return play(game_id, place, command, frame)


def _is_here(game_id: str, place: Owner) -> bool:
    game = game_row(game_id)
    if game is None or not visitor_of(place.visitor):
        return False
    own = game.as_seen_by(place.visitor)
    return own.owner == place.visitor and give_sign(game, sessions.side_of(own))


def _is_friends(game_id: str, place: Owner) -> bool:
    """Whether two friends talk here: at a room's table nobody is shown more than words."""
    game = game_row(game_id)
    if game is None or not game.is_pair or not _may_look(game, place):
        return False
    return terms_of(game).talks_freely and not terms_of(game).back


def _run_out(game_id: str) -> None:
    game = game_row(game_id)
    if game is not None:
        pairs.look_after(game)


def play(game_id: str, place: Owner, command: Command, frame: Written) -> sessions.Receipt:
    """Carry out what an owner asks for while the visit lasts; errors as for ``pairs.play``."""
    if not visitor_of(place.visitor):
        raise UnknownGame
    return pairs.play(game_id, place.visitor, command, frame.seconds, frame.seen, place.kind)


async def _tell_guests(viewer: Connection, count: int) -> None:
    if count != viewer.own.told:
        viewer.own.told = count
        await viewer.give({"type": "guests", "count": count})


def _may_look(game: Game, place: Owner | Guest) -> bool:
    if isinstance(place, Guest):
        return game.watch_key == place.key
    own = game.as_seen_by(place.visitor)
    is_own = (own.owner, own.kind) == (place.visitor, place.kind)
    return is_own and bool(visitor_of(place.visitor))


def _viewer_of(game: Game, place: Owner | Guest, drawn_in: str) -> Viewer:
    if isinstance(place, Guest):
        return Viewer("guest")
    own = game.as_seen_by(place.visitor)
    thumbs = thumbs_of(own) if drawn_in else None
    return Viewer(sessions.side_of(own), None if thumbs is None else tuple(thumbs.items()))


def _batch(game: Game, viewer: Viewer, drawn_in: str, after: int) -> Batch:
    if after >= game.last_seq:
        return Batch((), {})
    log = frames(game, viewer.audience, 0 if drawn_in else after)
    # What came after the game was read is shown with the row that it changed.
    log = [frame for frame in log if frame["seq"] <= game.last_seq]
    if not drawn_in:
        return Batch(numbered(log), {})
    new = [frame for frame in log if frame["seq"] > after]
    is_rivals = game.rival and viewer.audience == other(sessions.side_of(game))
    with override(drawn_in):
        return _drawn(game.turned() if is_rivals else game, viewer, log, new)


def _panels(game_id: str, place: Owner, drawn_in: str) -> dict[str, str]:
    game = sessions.owned_game(game_id, place.visitor, place.kind)
    side = sessions.side_of(game)
    with override(drawn_in):
        return panels_html(frames(game, side), game, side)


def _drawn(game: Game, viewer: Viewer, log: list[Frame], new: list[Frame]) -> Batch:
    if viewer.audience == "guest":
        return _drawn_for_guests(game, log, new)
    thumbs = None if viewer.thumbs is None else dict(viewer.thumbs)
    drawn = zip(new, events_html(new, log, game, thumbs), strict=True)
    items = ({**frame, "html": html} for frame, html in drawn)
    return Batch(numbered(items), panels_html(log, game, viewer.audience))


def _drawn_for_guests(game: Game, log: list[Frame], new: list[Frame]) -> Batch:
    try:
        drawn = numbered({**frame, "html": guest_item(game, frame, log)} for frame in new)
        return Batch(drawn, guest_panels(game, log))
    # What guests cannot be shown must not keep the news from the owner.
    except Exception:
        logger.exception("a game could not be drawn for guests", extra={"game": game.pk})
        return Batch((), {})


def _sits_in_room(game_id: str, visitor: str) -> bool:
    games = Game.objects.filter(pk=game_id, client__startswith=ROOM)
    return games.filter(Q(owner=visitor) | Q(rival=visitor)).exists()
