"""The socket's side of a session: a message in, its answer out."""

from typing import Any

import msgspec

from bazaarbatna.envs.openenv.errors import InvalidJson, to_protocol
from bazaarbatna.envs.openenv.frames import (
    TYPES,
    CloseFrame,
    McpFrame,
    ResetFrame,
    StateFrame,
    StepFrame,
    decoded,
    write,
    write_error,
)
from bazaarbatna.envs.openenv.kinds import AnyKind
from bazaarbatna.envs.openenv.mcp import Game, OwnGame, Request, answer_rpc, read_rpc


class Dialogue:
    """Answers each message; whatever comes in, there is an answer and the seat is as it was.

    A ``game`` that is given lives elsewhere, and may be slow to answer.
    """

    def __init__(self, kind: AnyKind, game: Game | None = None) -> None:
        self._kind = kind
        self._game = game or OwnGame(kind)
        self.is_elsewhere = game is not None

    @property
    def games(self) -> int:
        """How many were begun."""
        return self._game.begun

    def answer(self, text: str | None) -> str | None:
        """Answer one message; None for a goodbye."""
        try:
            return self._answer(text)
        # The outermost loop of a socket: a fault of ours must not hang up on the client.
        except Exception as wrong:  # noqa: BLE001  to_protocol logs what is our fault
            return write_error(to_protocol(wrong))

    def _answer(self, text: str | None) -> str | None:
        if text is None:
            raise InvalidJson
        kind = self._kind
        frame = decoded(text, kind.frames, TYPES)
        if isinstance(frame, StepFrame):
            return write("observation", self._game.step(kind.read(frame.data)))
        match frame:
            case ResetFrame(data=data):
                wanted: Any = kind.wanted() if data is msgspec.UNSET else data
                return write("observation", self._game.reset(wanted))
            case StateFrame():
                return write("state", self._game.state)
            case McpFrame(data=body):
                wanted_rpc = read_rpc(bytes(body))
                if isinstance(wanted_rpc, Request):
                    wanted_rpc = answer_rpc(kind, self._game, wanted_rpc) or {}
                return write("mcp", wanted_rpc)
            case CloseFrame():
                return None
