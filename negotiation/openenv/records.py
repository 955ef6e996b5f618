"""An HTTP session as a record: what was asked of it, from which its game is played again."""

import secrets
from typing import Generic, TypeVar

import msgspec

from negotiation.environment.resets import HIGHEST_SEED

R = TypeVar("R")
A = TypeVar("A")


class Record(msgspec.Struct, Generic[R, A], frozen=True):
    """A game from its reset on. The same record is the same seat in every process.

    Attributes:
        client: whose place it takes.
        id: the episode's name.
        wanted: what the reset asked for.
        seed: what was drawn where it named none.
        actions: the steps so far; only such as the seat took.
        number: of the change, so that of two at once one is late.
    """

    client: str
    id: str
    wanted: R
    seed: int
    actions: tuple[A, ...] = ()
    number: int = 1

    def after(self, action: A) -> "Record[R, A]":
        """Return the record with one more step."""
        return msgspec.structs.replace(
            self, actions=(*self.actions, action), number=self.number + 1
        )


_encoder = msgspec.msgpack.Encoder()


def to_bytes(record: Record[R, A]) -> bytes:
    """Write a record for a store."""
    return _encoder.encode(record)


def fresh_seed() -> int:
    """Return a seed that nobody can foresee."""
    return secrets.randbelow(HIGHEST_SEED)


def fresh_id() -> str:
    """Return the name of an episode that nobody can guess."""
    return secrets.token_hex(16)
