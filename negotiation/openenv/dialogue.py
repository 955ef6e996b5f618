"""One client's conversation with its own environment, message by message."""

import secrets
from typing import Any

import msgspec

from negotiation.environment.resets import HIGHEST_SEED
from negotiation.openenv.errors import InvalidJson, to_protocol
from negotiation.openenv.frames import (
    TYPES,
    CloseFrame,
    McpFrame,
    ObservationFrame,
    ResetFrame,
    RpcFrame,
    StandingFrame,
    StateFrame,
    StepFrame,
    decoded,
    write,
    write_error,
)
from negotiation.openenv.kinds import AnyKind
from negotiation.openenv.rpc import answer_rpc


def fresh_seed() -> int:
    """Draw a seed that nobody can foresee."""
    return secrets.randbelow(HIGHEST_SEED)


def fresh_id() -> str:
    """Name an episode so that nobody can guess it."""
    return secrets.token_hex(16)


class Dialogue:
    """Answers each message; whatever comes in, there is an answer and the seat is as it was."""

    def __init__(self, kind: AnyKind) -> None:
        self._kind = kind
        self._seat = kind.seat()

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
            return write(ObservationFrame(self._seat.step(kind.read(frame.data))))
        match frame:
            case ResetFrame(data=data):
                wanted: Any = kind.wanted() if data is msgspec.UNSET else data
                started = self._seat.reset(wanted, seed=fresh_seed(), episode_id=fresh_id())
                return write(ObservationFrame(started))
            case StateFrame():
                return write(StandingFrame(self._seat.state))
            case McpFrame(data=body):
                return write(RpcFrame(answer_rpc(bytes(body))))
            case CloseFrame():
                return None
