"""A viewer's socket to a game that many follow: the log, and how the game stands."""

import asyncio
import functools
from collections.abc import Awaitable, Mapping
from typing import Any

import msgspec
from channels.consumer import get_handler_name
from django.conf import settings
from django.db import OperationalError
from django.utils.translation import override

from negotiation.errors import Away, RateLimited, TwoPrices, UnknownGame
from negotiation.games.frame_socket import (
    FrameSocket,
    encoded,
    through_a_restart,
)
from negotiation.games.frames_in import PingFrame, SyncFrame, WritesFrame
from negotiation.games.live import AnyLive, Asked
from negotiation.games.viewer_hub import Hub, Hubs
from negotiation.games.visitors import language_of
from negotiation.hanging_up import CLOSE_AWAY, CLOSE_FULL, CLOSE_UNKNOWN
from negotiation.limits import Name, scope_key
from negotiation.outages import is_cut_off

HTML = "bazaar.html.v1"
"""Subprotocol of pages: frames also carry what to draw."""

LISTEN_S = 0.25
"""A client that is silent for so long after connecting is sent the log from its beginning."""


@functools.cache
def hubs_of(live: AnyLive) -> Hubs:
    """Return what follows the games of a kind in this process."""
    return Hubs(live)


class ViewerSocket(FrameSocket):
    """One viewer of one game; ``live`` says what the game's kind adds.

    Nothing is sent before the viewer's first frame (or ``LISTEN_S``), so that a page which asks for
    what it misses is not sent what it has.
    """

    def __init__(self, live: AnyLive) -> None:
        super().__init__()
        self.live = live
        self.place: Any = None
        self.own: Any = None
        self.hub: Hub | None = None

    async def connect(self) -> None:
        """Let the viewer in."""
        self.visitor = self.scope["session"].session_key or ""
        wants_html = HTML in self.scope.get("subprotocols", [])
        self.drawn_in = language_of(self.scope) if wants_html else ""
        self.game_id: str = self.route.get("game_id", "")
        self.seq = 0
        self._following = False
        self._by_itself = False
        self.told: Any = ()
        self.asked = Asked()
        self._words = ""
        self._delivering = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._late: asyncio.Task[None] | None = None
        self._waking: asyncio.Task[None] | None = None
        self._is_woken = False
        # Browsers hide why a handshake failed, but show the close code of an open socket.
        await self.accept(HTML if self.drawn_in else None)
        try:
            counted = await through_a_restart(lambda: self.live.counted_by(self))
            await self.spend("sockets", counted or scope_key(self.scope))
            await through_a_restart(lambda: self.live.admit(self))
            self.hub = await hubs_of(self.live).enter(self.game_id, self)
        except OperationalError as wrong:
            if not is_cut_off(wrong):
                raise
            await self.turn_away(Away(), CLOSE_AWAY)
        except RateLimited as wrong:
            await self.turn_away(wrong, CLOSE_FULL)
        except UnknownGame as wrong:
            await self.turn_away(wrong, CLOSE_UNKNOWN)
        else:
            await self.live.entered(self)
            self._begin_in(LISTEN_S)

    @property
    def route(self) -> Mapping[str, str]:
        """What the socket's address says."""
        route: Mapping[str, str] = self.scope["url_route"]["kwargs"]
        return route

    @property
    def session(self) -> str:
        """What one session or one address is known by."""
        return self.visitor or scope_key(self.scope)

    def read(self, text: str) -> msgspec.Struct:
        """Read one frame; whether its sender may play is another matter."""
        return self.live.read(text)

    async def obey(self, frame: msgspec.Struct) -> None:
        """Answer what every viewer may ask; the rest is the game's."""
        match frame:
            case SyncFrame():
                await self.sync(frame)
            case PingFrame(here=is_here):
                if is_here:
                    await self.live.present(self)
                await self.ping()
            case _:
                try:
                    await getattr(self.live, f"on_{frame.__struct_config__.tag}")(self, frame)
                except TwoPrices as wrong:
                    is_again = wrong.candidates == self.asked.prices
                    words = self.asked.words if is_again else getattr(frame, "words", "")
                    self.asked = Asked(wrong.candidates, self.seq, words)
                    raise
                # Who begins to write "yes" has not said it yet.
                if not isinstance(frame, WritesFrame):
                    self.asked = Asked()

    async def dispatch(self, message: Any) -> None:
        """Hand a message to its method, here or in what the game's kind adds."""
        name = get_handler_name(message)
        if hasattr(self, name):
            await super().dispatch(message)
        else:
            await getattr(self.live, name)(self, message)

    def place_in(self, scene: Any) -> Any:
        """Return the place from which the viewer sees the game."""
        return self.live.place_in(self, scene)

    async def guard(self, work: Awaitable[object]) -> None:
        """Work, and answer what goes wrong, in the language of the page."""
        with override(self.drawn_in or settings.LANGUAGE_CODE):
            await super().guard(work)

    async def disconnect(self, code: int) -> None:
        """Forget the viewer; the game does not notice."""
        self._cancel_timer()
        self._leave()
        await self.live.left(self)

    async def refuse(self, wrong: Exception, code: int) -> None:
        """Say what was wrong and hang up."""
        self._leave()
        await super().refuse(self.live.refusal(self, wrong), code)

    async def turn_away(self, wrong: Exception, code: int) -> None:
        """Say why somebody who has just come may not stay, and hang up when they have spoken."""
        self._leave()
        await super().turn_away(self.live.refusal(self, wrong), code)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Take a frame: the client is not silent any more, before anything slow is awaited."""
        self._cancel_timer()
        await super().receive(text_data, bytes_data)
        if self.hub is not None and not self._following:
            self._begin_in(LISTEN_S)

    async def sync(self, frame: SyncFrame) -> None:
        """Send what is missing, and say that nothing is any more."""
        await self._ask()
        is_repeated = self._by_itself and not self.live.repeats
        # What was sent before the client had asked for anything is not sent once more.
        self.seq = max(self.seq, frame.after) if is_repeated else frame.after
        self._following, self._by_itself, self.told = True, False, ()
        await self.deliver()
        await self.give({"type": "synced", "seq": self.seq})

    async def ping(self) -> None:
        """Answer; should a notification have been lost, the ping makes up for it."""
        self._following = True
        await self.give({"type": "pong"})
        await self._ask()
        await self.deliver()
        await self.live.pinged(self)

    async def deliver(self) -> int:
        """Send what is new and return how many events; UnknownGame: no right to look now."""
        async with self._delivering:
            hub = self.hub
            if hub is None or not self._following:
                return 0
            feed = await hub.feed_of(self)
            texts = feed.after(self.seq) if feed is not None else []
            panels = feed.panels_after(self.seq) if feed is not None else {}
            if feed is not None:
                self.seq = feed.seq
            await self._send_events(texts)
            if texts and panels:
                await self.give({"type": "panels", "panels": panels})
            if hub.scene is not None:
                was, self.told = self.told, self.live.news_of(hub.scene)
                if self.told != was:
                    await self.live.tell(self, hub.scene, was)
            return len(texts)

    async def refresh(self, seq: int | None = None) -> None:
        """Look at once, for a viewer whose doing has led to events up to ``seq``, where known."""
        if self.hub is not None:
            await self.hub.refresh(seq)
            self._following = True
            await self.deliver()

    def wake(self) -> None:
        """Send soon what is new, beside other sockets: one that reads slowly holds up nobody."""
        self._is_woken = True
        if self._waking is None or self._waking.done():
            self._waking = asyncio.create_task(self.guard(self._catch_up()))

    def hear_words(self, words: str) -> None:
        """Hear the words so far of a message that is being written."""
        if self._following:
            self._words = words
            self.wake()

    async def answer_roll(self) -> None:
        """Hear that somebody counts who is here."""
        await self.live.counted(self)

    async def spend(self, name: Name, key: str = "") -> None:
        """Count one use of a limit; spectators without cookies are told apart by their socket."""
        await super().spend(name, key or self.visitor or self.channel_name)

    async def _ask(self) -> None:
        if self.hub is not None:
            await self.hub.ask()

    async def _catch_up(self) -> None:
        while self._is_woken:
            self._is_woken = False
            await self.deliver()
            words, self._words = self._words, ""
            if words and self.hub is not None:
                await self.live.tell_words(self, self.hub.scene, words)

    async def _send_events(self, texts: list[str]) -> None:
        if self.live.is_snapshot_due(self, len(texts)):
            events = ",".join(texts)
            head = encoded({"type": "snapshot", "seq": self.seq})[:-1]
            texts = [f'{head},"events":[{events}]}}']
        for text in texts:
            await self.send(text_data=text)

    def _begin_in(self, seconds: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self._begin)

    def _begin(self) -> None:
        if not self._following:
            self._following = self._by_itself = True
            self._late = asyncio.create_task(self.guard(self._look()))

    async def _look(self) -> None:
        await self._ask()
        await self.deliver()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _leave(self) -> None:
        if self.hub is not None:
            self.hub = None
            hubs_of(self.live).leave(self.game_id, self)
