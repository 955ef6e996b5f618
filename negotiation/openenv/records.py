"""An HTTP session as a record: what was asked of it, from which its game is played again."""

import msgspec

from negotiation.engine.episode import MAX_TEXT
from negotiation.environment.actions import Action
from negotiation.environment.resets import Reset
from negotiation.environment.seat import Answer, Seat


class Record(msgspec.Struct, frozen=True):
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
    wanted: Reset
    seed: int
    actions: tuple[Action, ...] = ()
    number: int = 1

    def seat(self) -> tuple[Seat, Answer]:
        """Play the game again: some 0.03 ms a step."""
        seat = Seat()
        answer = seat.reset(self.wanted, seed=self.seed, episode_id=self.id)
        for action in self.actions:
            answer = seat.step(action)
        return seat, answer

    def after(self, action: Action) -> "Record":
        """Give the record with one more step, without what the game does not read."""
        plain = Action(action.action, action.price, action.message[:MAX_TEXT])
        return msgspec.structs.replace(self, actions=(*self.actions, plain), number=self.number + 1)


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Record)


def to_bytes(record: Record) -> bytes:
    """Write a record for a store."""
    return _encoder.encode(record)


def from_bytes(data: bytes) -> Record:
    """Read what ``to_bytes`` wrote."""
    return _decoder.decode(data)
