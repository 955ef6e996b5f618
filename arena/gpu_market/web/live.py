"""A market live: its log to viewers, actions from whoever plays a lab."""

from collections.abc import Collection, Mapping
from typing import Any, Literal

from arena.gpu_market.web import actions, matches, running, watching
from arena.gpu_market.web.players import think
from arena.gpu_market.web.watching import Scene
from bazaarbatna.market import read_action
from negotiation.errors import UnknownGame
from negotiation.games.frames_in import InFrame, Number, PingFrame, SyncFrame
from negotiation.games.live import Batch, Connection, Key, Live, Want
from negotiation.games.visitors import visitor_of
from negotiation.threads import in_thread


class ActFrame(InFrame, frozen=True, tag="act"):
    """The person's lab acts; ``round`` is the round that it is meant for."""

    action: dict[str, Any]
    round: Number | None = None


class ConsiderFrame(InFrame, frozen=True, tag="consider"):
    """Ask what would become of an action, without doing it."""

    action: dict[str, Any]


class PaceFrame(InFrame, frozen=True, tag="pace"):
    """Stop a demo, let it go on, or let one lab act; ``pace`` in seconds between two turns."""

    pause: bool | Literal["step"]
    pace: float | None = None


class MarketLive(Live[Scene]):
    """How a market is played, and looked at where it is public."""

    name = "market"
    addresses = {r"^ws/market/(?P<game_id>[a-z0-9]{1,12})/$": {}}
    frame_type = ActFrame | ConsiderFrame | PaceFrame | SyncFrame | PingFrame

    def look(
        self, game_id: str, wants: Collection[Want], known: Mapping[Key, int]
    ) -> tuple[Scene, dict[Key, Batch]]:
        """Read how a match stands and what its viewers have not been sent."""
        return watching.look(game_id, wants, known)

    async def keep_alive(self, game_id: str, scene: Scene) -> None:
        """Run a demo that nobody runs."""
        if scene.wants_runner:
            running.start(game_id)

    async def admit(self, viewer: Connection) -> None:
        """Let in whoever may look on."""
        await super().admit(viewer)
        await in_thread(matches.find)(viewer.game_id, viewer.visitor)

    def place_in(self, viewer: Connection, scene: Scene | None) -> int | None:
        """Return the viewer's lab."""
        return None if scene is None else scene.seat_of(viewer.visitor)

    async def entered(self, viewer: Connection) -> None:
        """Take over demos whose process has died."""
        running.sweep()

    async def on_act(self, viewer: Connection, frame: ActFrame) -> None:
        """Let the person's lab act."""
        await viewer.spend("messages")
        action = read_action(frame.action)
        visitor = await _present(viewer)
        await think(viewer.game_id, matches.act, viewer.game_id, visitor, action, frame.round)
        await viewer.refresh()

    async def on_consider(self, viewer: Connection, frame: ConsiderFrame) -> None:
        """Say what would become of an action."""
        visitor, action = await _present(viewer), read_action(frame.action)
        result = await in_thread(actions.consider_for)(viewer.game_id, visitor, action)
        await viewer.give({"type": "considered", **result})

    async def on_pace(self, viewer: Connection, frame: PaceFrame) -> None:
        """Stop a demo, let it go on, or let one lab act."""
        game_id, visitor = viewer.game_id, await _present(viewer)
        if await think(game_id, actions.pace, game_id, visitor, frame.pause, frame.pace):
            running.start(game_id)
        await viewer.refresh()

    def news_of(self, scene: Scene) -> Any:
        """Sum up where the match stands."""
        return scene.seq, scene.standing

    async def tell(self, viewer: Connection, scene: Scene, was: Any) -> None:
        """Say where the match stands, and to the person what the own lab sees."""
        await viewer.give(scene.standing_for(viewer.visitor))
        if scene.you is not None and scene.seat_of(viewer.visitor) is not None:
            await viewer.give(scene.you)


async def _present(viewer: Connection) -> str:
    """A socket may outlive its session: ``UnknownGame`` then."""
    visitor = await in_thread(visitor_of)(viewer.visitor)
    if viewer.visitor and not visitor:
        raise UnknownGame
    return visitor
