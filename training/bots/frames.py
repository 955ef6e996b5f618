"""The messages between the site and a bot: OpenEnv's, with a token."""

from typing import Any

import msgspec

from negotiation.environment.actions import Action
from negotiation.openenv.errors import InvalidJson, UnknownType
from negotiation.openenv.frames import CloseFrame, StateFrame, StepFrame, decoded

CHOSEN_HERE = ("seed", "task", "variant", "seller")
"""What a reset of the open environment may choose, and a bot may not."""


class BotReset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for the next game. The first one names the token, unless a header has."""

    token: str | None = None
    episode_id: str | None = None
    seed: int | None = None
    task: str | None = None
    variant: str | None = None
    seller: str | None = None

    def __repr__(self) -> str:
        return "BotReset()"

    @property
    def chosen(self) -> list[str]:
        """What the bot tries to choose."""
        return [name for name in CHOSEN_HERE if getattr(self, name) is not None]


class ResetFrame(
    msgspec.Struct, frozen=True, tag_field="type", tag="reset", forbid_unknown_fields=True
):
    """Ask for the next game."""

    data: BotReset = BotReset()


Frame = ResetFrame | StepFrame[Action] | StateFrame | CloseFrame

_decoder: msgspec.json.Decoder[Frame] = msgspec.json.Decoder(Frame)
_encoder = msgspec.json.Encoder()
_TYPES = ("reset", "step", "state", "close")


def read_frame(text: str | None) -> Frame:
    """Read one message.

    Raises:
        ProtocolError: it cannot be read; the message says where, and quotes nothing of it.
    """
    if text is None:
        raise InvalidJson
    try:
        return decoded(text, _decoder, _TYPES)
    except UnknownType:
        raise UnknownType("Message types are reset, step, state and close.") from None


def write_observation(shown: dict[str, Any], *, done: bool, notes: dict[str, Any]) -> str:
    """Write the answer to reset and step; a rated game tells no rewards."""
    data = {"observation": shown, "reward": None, "done": done, "metadata": notes}
    return _encoder.encode({"type": "observation", "data": data}).decode()


def write_state(state: dict[str, Any]) -> str:
    """Write the answer to state."""
    return _encoder.encode({"type": "state", "data": state}).decode()
