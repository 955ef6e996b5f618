"""Games of turns live: the log to anybody, moves from whoever sits at the table."""

from collections.abc import Collection, Mapping
from typing import Any

import msgspec
from django.utils.translation import override

from negotiation.games.frame_socket import numbered
from negotiation.games.frames_in import InFrame, Number, PingFrame, SyncFrame
from negotiation.games.live import Batch, Connection, Key, Live, Want
from negotiation.games.turn_game import SPECTATOR
from negotiation.games.turn_play import current, opponents_move, play
from negotiation.threads import in_thread


class MoveFrame(InFrame, frozen=True, tag="move", kw_only=True):
    """A move, in the form that the game has for it; ``seen`` as for every game."""

    move: dict[str, Any]
    seen: Number | None = None


class Scene(msgspec.Struct, frozen=True):
    """How a game stands, for all sockets of a process; ``moves`` counts those made so far."""

    seq: int
    moves: int
    owner: str
    seat: str
    awaited: tuple[str, ...]
    viewers: Mapping[Want, str]
    is_waiting: bool = False
    second: tuple[str, str] = ("", "")
    """The other person's seat and visitor, where two people play."""


class TurnLive(Live[Scene]):
    """How every game of turns is played."""

    name = "game"
    addresses = {r"^ws/games/(?P<game_id>[a-z0-9]{1,12})/$": {}}
    frame_type = MoveFrame | SyncFrame | PingFrame

    def look(
        self, game_id: str, wants: Collection[Want], known: Mapping[Key, int]
    ) -> tuple[Scene, dict[Key, Batch]]:
        """Read a game as it was seen live, to the last frame: the replay opens the rest."""
        game, rules, position = current(game_id)
        viewers = {want: want[0] or SPECTATOR for want in wants}
        batches: dict[Key, Batch] = {}
        for (_, drawn_in), seat in viewers.items():
            key = (seat, drawn_in)
            new = rules.visible(position.events, seat, is_over=False, after=known.get(key, 0))
            with override(drawn_in or None):
                frames = [
                    {**one, "html": rules.words(one["event"])} if drawn_in else one for one in new
                ]
            batches[key] = Batch(numbered(frames), {})
        moves = sum(rules.move_of(event) is not None for event in position.events)
        awaited = rules.awaited(position.state)
        people = rules.people(game)
        second = next(((seat, who) for seat, who in people.items() if seat != game.seat), ("", ""))
        scene = Scene(position.seq, moves, game.owner, game.seat, awaited, viewers, second=second)
        return scene, batches

    async def keep_alive(self, game_id: str, scene: Scene) -> None:
        """Let the computer players move."""
        if any(seat not in (scene.seat, scene.second[0]) for seat in scene.awaited):
            await in_thread(opponents_move)(game_id)

    def place_in(self, viewer: Connection, scene: Scene | None) -> str:
        """Return the viewer's seat."""
        if scene is None or not viewer.visitor:
            return SPECTATOR
        people = {scene.second[1]: scene.second[0], scene.owner: scene.seat}
        return people.get(viewer.visitor, SPECTATOR)

    async def present(self, viewer: Connection) -> None:
        """Note that somebody who sits at the table looks at it."""
        await in_thread(_hear)(viewer.game_id, viewer.visitor)

    async def on_move(self, viewer: Connection, frame: MoveFrame) -> None:
        """Take a move."""
        await viewer.spend("messages")
        await in_thread(play)(viewer.game_id, viewer.visitor, frame.move, frame.seen)
        await in_thread(opponents_move)(viewer.game_id)
        await viewer.refresh()

    def news_of(self, scene: Scene) -> tuple[int, tuple[str, ...]]:
        """Sum up who is waited for: after a move it may be the same seats anew.

        Moves are counted, not events: what a seat may not see must not be told by a frame.
        """
        return scene.moves, scene.awaited

    async def tell(self, viewer: Connection, scene: Scene, was: Any) -> None:
        """Say who is waited for."""
        await viewer.give({"type": "awaiting", "seats": scene.awaited})


def _hear(game_id: str, visitor: str) -> None:
    game, rules, _ = current(game_id)
    if seat := rules.seat_of(game, visitor):
        rules.hear(game, seat)


TURNS = TurnLive()
