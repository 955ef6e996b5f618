"""The messages between the site and a bot that comes as a client: OpenEnv's, with a token."""

from typing import Any

import msgspec

from negotiation.environment.actions import Action
from negotiation.openenv.errors import InvalidJson, TooLong, UnknownType, to_protocol
from negotiation.openenv.frames import LONGEST

CHOSEN_HERE = ("seed", "task", "variant", "seller")
"""What a reset of the open environment may choose, and a bot may not."""


class _In(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    pass


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


class ResetFrame(_In, frozen=True, tag="reset"):
    """Ask for the next game."""

    data: BotReset = BotReset()


class StepFrame(_In, frozen=True, tag="step"):
    """Move."""

    data: Action


class StateFrame(_In, frozen=True, tag="state"):
    """Ask where the play stands."""


class CloseFrame(_In, frozen=True, tag="close"):
    """Hang up."""


Frame = ResetFrame | StepFrame | StateFrame | CloseFrame

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
    if len(text.encode(errors="replace")) > LONGEST:
        raise TooLong
    try:
        return _decoder.decode(text)
    except msgspec.ValidationError as wrong:
        whole = msgspec.json.decode(text)
        if isinstance(whole, dict) and whole.get("type") not in _TYPES:
            raise UnknownType("Message types are reset, step, state and close.") from None
        raise to_protocol(wrong) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise InvalidJson from None


def write_observation(shown: dict[str, Any], *, done: bool, notes: dict[str, Any]) -> str:
    """Write the answer to reset and step; a rated game tells no rewards."""
    data = {"observation": shown, "reward": None, "done": done, "metadata": notes}
    return _encoder.encode({"type": "observation", "data": data}).decode()


def write_state(state: dict[str, Any]) -> str:
    """Write the answer to state."""
    return _encoder.encode({"type": "state", "data": state}).decode()
