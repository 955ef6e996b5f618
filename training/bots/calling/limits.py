"""How long and how large a call to a bot may be."""

import msgspec


class CallLimits(msgspec.Struct, frozen=True):
    """Limits of every call.

    Attributes:
        answer_s: seconds for one answer, from connecting to its last byte.
        answer_bytes: bytes of its body.
        at_once: questions under way to one bot.
        loopback: bots on this very machine are allowed (development and tests).
    """

    answer_s: float = 10.0
    answer_bytes: int = 16_384
    at_once: int = 4
    loopback: bool = False
