"""What an environment tells the protocol about itself: the rest of this package serves any kind."""

import functools
import secrets
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from bazaarbatna import nulls
from bazaarbatna.envs.bargain.resets import HIGHEST_SEED
from bazaarbatna.envs.openenv.frames import Frame, StepRequest

API_VERSION = "1.0.0"


class Wanted(Protocol):
    """What a reset asks for."""

    @property
    def episode_id(self) -> str | None:
        """What the client wants to call the episode."""


class Told(Protocol):
    """What reset and step answer."""

    @property
    def done(self) -> bool:
        """The episode is over."""


R = TypeVar("R", bound=Wanted)
W = TypeVar("W")
A = TypeVar("A")
O = TypeVar("O", bound=Told)  # noqa: E741  an outcome, and no number

R_in = TypeVar("R_in", bound=Wanted, contravariant=True)
A_in = TypeVar("A_in", contravariant=True)
O_out = TypeVar("O_out", bound=Told, covariant=True)


class Seat(Protocol[R_in, A_in, O_out]):
    """One client's environment. What it refuses raises, and changes nothing."""

    def reset(self, wanted: R_in, *, seed: int, episode_id: str) -> O_out:
        """Start an episode; seed and id are used where the client names none."""

    def step(self, action: A_in) -> O_out:
        """Act in it."""

    @property
    def state(self) -> msgspec.Struct:
        """Where it stands."""

    @property
    def is_done(self) -> bool:
        """It is over."""


class Tool(msgspec.Struct, frozen=True):
    """One action of a kind as an MCP tool.

    Attributes:
        name: how it is called.
        about: what it does, for a model.
        schema: JSON schema of its arguments.
        read: makes the action of the arguments and the seat that plays; what it refuses raises.
    """

    name: str
    about: str
    schema: dict[str, Any]
    read: Callable[[dict[str, Any], Any], Any]


class Record(msgspec.Struct, Generic[R, A], frozen=True):
    """A game from its reset on. The same record is the same seat in every process.

    ``seed`` was drawn where the reset named none, ``actions`` are those the seat took; ``number``
    counts the changes, so that of two at once one is late.
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


def to_json(view: object) -> str:
    """Write what a client sees as JSON."""
    return msgspec.json.encode(view).decode()


def schema_of(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Write the JSON schema of a type, its fields at the top."""
    schema = msgspec.json.schema(kind)
    definitions = schema.get("$defs", {})
    top = definitions.pop(kind.__name__)
    return {**top, "$defs": definitions} if definitions else top


def fresh_seed() -> int:
    """Return a seed that nobody can foresee."""
    return secrets.randbelow(HIGHEST_SEED)


def fresh_id() -> str:
    """Return the name of an episode that nobody can guess."""
    return secrets.token_hex(16)


class Kind(msgspec.Struct, Generic[R, W, A, O], frozen=True, eq=False, dict=True):
    """One environment, in all that the protocol needs to know of it.

    Attributes:
        name: as in its address.
        title: in a few words.
        about: in one sentence.
        page: name of its page in ``docs``.
        seat: makes a client's environment.
        wanted: what reset takes; all of it may be missing.
        wire: what a step carries.
        turn: an action in as little as the game needs; that is what a kept session holds.
        read: makes the one of the other.
        action: an action's form as it is published.
        view: what a client sees.
        answer: what reset and step give.
        standing: what state gives.
        tools: the actions as tools of MCP clients; empty: one, ``step``, that takes any action.
        describe: writes what a client sees for a language model.
    """

    name: str
    title: str
    about: str
    page: str
    seat: Callable[[], Seat[R, A, O]]
    wanted: type[R]
    wire: type[W]
    turn: type[A]
    read: Callable[[W], A]
    action: type[msgspec.Struct]
    view: type[msgspec.Struct]
    answer: type[O]
    standing: type[msgspec.Struct]
    tools: tuple[Tool, ...] = ()
    describe: Callable[[Any], str] = to_json

    @functools.cached_property
    def toolbox(self) -> dict[str, Tool]:
        """The tools by name."""
        step = Tool("step", f"Act. {self.about}", schema_of(self.action), self._read_step)
        return {tool.name: tool for tool in self.tools or (step,)}

    def _read_step(self, arguments: dict[str, Any], _: object) -> A:
        return self.read(nulls.converted(arguments, self.wire))

    @functools.cached_property
    def frames(self) -> msgspec.json.Decoder[Frame[R, W]]:
        """Reads messages of the socket."""
        return msgspec.json.Decoder(_of(Frame, self.wanted, self.wire))

    @functools.cached_property
    def resets(self) -> msgspec.json.Decoder[R]:
        """Reads the body of ``POST reset``."""
        return msgspec.json.Decoder(self.wanted)

    @functools.cached_property
    def steps(self) -> msgspec.json.Decoder[StepRequest[W]]:
        """Reads the body of ``POST step``."""
        return msgspec.json.Decoder(_of(StepRequest, self.wire))

    @functools.cached_property
    def records(self) -> msgspec.msgpack.Decoder[Record[R, A]]:
        """Reads a kept session."""
        return msgspec.msgpack.Decoder(_of(Record, self.wanted, self.turn))


def _of(generic: Any, *types: Any) -> Any:
    return generic[types]


AnyKind = Kind[Any, Any, Any, Any]


def seat_of(record: Record[R, A], kind: Kind[R, W, A, O]) -> tuple[Seat[R, A, O], O]:
    """Play a kept session again; return the seat as it was left, and what it answered last."""
    seat = kind.seat()
    answer = seat.reset(record.wanted, seed=record.seed, episode_id=record.id)
    for action in record.actions:
        answer = seat.step(action)
    return seat, answer
