"""One viewer of one sale, in a thread: what is new for it, and its moves."""

from collections.abc import Sequence

import msgspec

from negotiation import sessions
from negotiation.commands import Command, Note
from negotiation.errors import UnknownGame
from negotiation.games.viewer_socket import TOO_FAR
from negotiation.games.visitors import visitor_of
from negotiation.models import Game
from negotiation.rendering import event_html, panels_html
from negotiation.thumbs import thumbs_of
from negotiation.visibility import Frame, frames

NOTHING_NEW = 2**31
"""A number that no log reaches."""


class View(msgspec.Struct, frozen=True):
    """What is new: ``frames`` to send in order; the log ends at ``seq``.

    ``thinking`` says that the house has something to do.
    """

    seq: int
    frames: Sequence[Frame]
    thinking: bool


class Watcher(msgspec.Struct, frozen=True):
    """A session that looks at a game; its right to do so is checked every time.

    ``kind`` is "sell" or "buy"; ``html`` adds to every frame what a page shows, and the panels
    to the last one.
    """

    game_id: str
    owner: str
    kind: str = "sell"
    html: bool = False

    def look(self, after: int) -> View:
        """Read what comes after an event.

        Raises:
            UnknownGame: not this visitor's game, or the visit has ended.
        """
        game = self._game()
        thinking = sessions.awaits_house(game)
        if after >= game.last_seq:
            return View(game.last_seq, (), thinking)
        if self.html:
            return _drawn(game, after, thinking)
        new = frames(game, sessions.side_of(game), after)
        seq = int(new[-1]["seq"])
        if len(new) > TOO_FAR:
            return View(seq, ({"type": "snapshot", "seq": seq, "events": new},), thinking)
        return View(seq, new, thinking)

    def play(self, command: Command, typing_s: float | None, seen: int | None) -> Note | None:
        """Carry out a command; arguments and errors are those of ``sessions.play``."""
        self._check_visit()
        receipt = sessions.play(self.game_id, self.owner, command, typing_s, seen, self.kind)
        return receipt.note

    def _game(self) -> Game:
        self._check_visit()
        return sessions.owned_game(self.game_id, self.owner, self.kind)

    def _check_visit(self) -> None:
        if not visitor_of(self.owner):
            raise UnknownGame


def _drawn(game: Game, after: int, thinking: bool) -> View:
    seat = sessions.side_of(game)
    log = frames(game, seat)
    new = [frame for frame in log if frame["seq"] > after]
    thumbs = thumbs_of(game)
    drawn = [{**frame, "html": event_html(frame, log, game, thumbs=thumbs)} for frame in new]
    panels = {"type": "panels", "panels": panels_html(log, game, seat)}
    return View(int(log[-1]["seq"]), (*drawn, panels), thinking)
