"""The live socket of a market's match: its log to viewers, actions from whoever plays a lab."""

from typing import Any

from arena.gpu_market.engine import read_action
from arena.gpu_market.web import actions, matches, running
from arena.gpu_market.web.actions import ActFrame, ConsiderFrame, Frame, PaceFrame, read_frame
from arena.gpu_market.web.players import think
from arena.gpu_market.web.watching import Scene, look
from negotiation.errors import UnknownGame
from negotiation.games.viewer_hub import Hubs, Ways
from negotiation.games.viewer_socket import ViewerSocket
from negotiation.games.visitors import visitor_of
from negotiation.threads import in_thread


async def _keep_alive(match_id: str, scene: Scene) -> None:
    if scene.wants_runner:
        running.start(match_id)


class MarketConsumer(ViewerSocket):
    """One viewer of one match: the person who plays in it, or a spectator where it is public."""

    hubs = Hubs(Ways("market", look, _keep_alive))

    async def admit(self) -> None:
        """Let in whoever may look on."""
        await super().admit()
        await in_thread(matches.find)(self.game_id, self.visitor)

    async def on_entered(self) -> None:
        """Take over demos whose process has died."""
        running.sweep()

    def read(self, text: str) -> Frame:
        """Read one frame."""
        return read_frame(text)

    async def on_act(self, frame: ActFrame) -> None:
        """Let the person's lab act."""
        await self.spend("messages")
        action = read_action(frame.action)
        visitor = await self._present()
        await think(self.game_id, matches.act, self.game_id, visitor, action, frame.round)
        await self.refresh()

    async def on_consider(self, frame: ConsiderFrame) -> None:
        """Say what would become of an action."""
        result = await in_thread(actions.consider_for)(
            self.game_id, await self._present(), read_action(frame.action)
        )
        await self.give({"type": "considered", **result})

    async def on_pace(self, frame: PaceFrame) -> None:
        """Stop a demo, let it go on, or let one lab act."""
        visitor = await self._present()
        goes_on = await think(
            self.game_id, actions.pace, self.game_id, visitor, frame.pause, frame.pace
        )
        if goes_on:
            running.start(self.game_id)
        await self.refresh()

    def news_of(self, scene: Scene) -> Any:
        """Sum up where the match stands."""
        return scene.seq, scene.standing

    async def tell(self, scene: Scene, was: Any) -> None:
        """Say where the match stands, and to the person what the own lab sees."""
        await self.give(scene.standing_for(self.visitor))
        if scene.you is not None and scene.seat_of(self.visitor) is not None:
            await self.give(scene.you)

    async def _present(self) -> str:
        """Return the visitor while the session lasts: a socket may outlive it.

        Raises:
            UnknownGame: the session has ended.
        """
        visitor = await in_thread(visitor_of)(self.visitor)
        if self.visitor and not visitor:
            raise UnknownGame
        return visitor
