"""The live socket of a game of turns: its log to anybody, moves from whoever sits at the table."""

from typing import Any

import msgspec

from negotiation.games.frames_in import InFrame, Number, PingFrame, SyncFrame, read_with
from negotiation.games.turn_play import Scene, look, opponents_move, play
from negotiation.games.viewer_hub import Hubs, Ways
from negotiation.games.viewer_socket import ViewerSocket
from negotiation.threads import in_thread


class MoveFrame(InFrame, frozen=True, tag="move", kw_only=True):
    """A move, in the form that the game has for it; ``seen`` as for every game."""

    move: dict[str, Any]
    seen: Number | None = None


Frame = MoveFrame | SyncFrame | PingFrame

_decoder: msgspec.json.Decoder[Frame] = msgspec.json.Decoder(Frame)


async def _keep_alive(game_id: str, scene: Scene) -> None:
    if scene.opponent_is_awaited:
        await in_thread(opponents_move)(game_id)


class TurnConsumer(ViewerSocket):
    """One viewer of one game of turns."""

    hubs = Hubs(Ways("game", look, _keep_alive))

    def read(self, text: str) -> Frame:
        """Read one frame."""
        return read_with(_decoder, ("move", "sync", "ping"), text)

    async def on_move(self, frame: MoveFrame) -> None:
        """Take a move."""
        await self.spend("messages")
        await in_thread(play)(self.game_id, self.visitor, frame.move, frame.seen)
        await in_thread(opponents_move)(self.game_id)
        await self.refresh()

    def news_of(self, scene: Scene) -> tuple[str, ...]:
        """Sum up who is waited for."""
        return scene.awaited

    async def tell(self, scene: Scene, was: Any) -> None:
        """Say who is waited for."""
        await self.give({"type": "awaiting", "seats": scene.awaited})
