"""How a kind of game is played live: who may look on, what viewers send, what they are told.

Whoever watches is a viewer in another place, never another socket.
"""

import functools
from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Mapping
from typing import Any, ClassVar, Generic, Protocol, TypeVar, get_args

import msgspec

from bazaarbatna.bargain.quantities import Paise
from negotiation.games.frames_in import read_with
from negotiation.games.visitors import visitor_of
from negotiation.limits import Name
from negotiation.threads import in_thread

LOOK_EVERY_S = 1.0
"""The log is looked at so often without a notification too: the process that runs the game may
have died, and then this one takes it over."""

TOO_FAR = 200
"""Events behind which a JSON client is sent one snapshot instead of single events."""

Want = tuple[Any, str]
"""What a socket wants to see: from which place, and in which language drawn as HTML ("": not).

A place is whatever ``Live.place_in`` gives: a seat, None for a spectator, a guest's key.
"""

Key = tuple[Hashable, str]
"""Whom a feed is for, and in which language it is drawn ("": it is not)."""


class Batch(msgspec.Struct, frozen=True):
    """What is new in one feed: encoded event frames with their numbers, and drawn panels."""

    events: tuple[tuple[int, str], ...]
    panels: Mapping[str, str]


class Standing(Protocol):
    """How a game stands; ``viewers`` tells as what each want is served, the others may not look."""

    @property
    def seq(self) -> int:
        """Number of the last event of the log."""

    @property
    def is_waiting(self) -> bool:
        """The game has not begun."""

    @property
    def viewers(self) -> Mapping[Want, Any]:
        """As what each want is served."""


class Asked(msgspec.Struct, frozen=True):
    """What a viewer was asked back last, when it had been sent event ``seq``: prices in paise.

    ``words``: the line that was asked about.
    """

    prices: tuple[Paise, ...] = ()
    seq: int = 0
    words: str = ""


class Connection(Protocol):
    """A socket of somebody who follows a game, as its ``Live`` knows it."""

    game_id: str
    visitor: str
    """Session key; "" for who has none."""
    place: Any
    """Where ``Live.admit`` has put the viewer."""
    own: Any
    """Whatever the kind of game keeps with a viewer."""
    channel_name: str
    drawn_in: str
    """Language of the pages that are drawn for the viewer; "" where frames are enough."""
    seq: int
    """Number of the last event that was sent."""
    told: Any
    """The last ``Live.news_of`` that the viewer was told."""
    asked: Asked
    """What a bare "yes" would confirm."""

    @property
    def route(self) -> Mapping[str, str]:
        """What the socket's address says."""

    @property
    def session(self) -> str:
        """What one session or one address is known by."""

    async def give(self, frame: dict[str, Any]) -> None:
        """Send one frame."""

    async def spend(self, name: Name, key: str = "") -> None:
        """Count one use of a limit, or raise RateLimited."""

    async def refresh(self, seq: int | None = None) -> None:
        """Send what has come of a move, up to event ``seq`` at least."""


Scene = TypeVar("Scene", bound=Standing)


class Live(ABC, Generic[Scene]):
    """How games of a kind are played live; what a player sends goes to ``on_<type of frame>``."""

    name: ClassVar[str]
    """Of such a game, for the log."""
    addresses: ClassVar[Mapping[str, Mapping[str, str]]]
    """Patterns of its sockets, and what each says besides."""
    frame_type: ClassVar[Any]
    """Union of the frames that a client may send."""
    repeats: ClassVar[bool] = False
    """A client that listened before it first asked is sent that part again."""
    is_read_anew: ClassVar[bool] = False
    """A viewer who asks for what is new is not answered from the last look."""

    @abstractmethod
    def look(
        self, game_id: str, wants: Collection[Want], known: Mapping[Key, int]
    ) -> tuple[Scene, dict[Key, Batch]]:
        """Read, in a thread, how a game stands and what is new, or raise UnknownGame.

        ``wants`` are those of this process's sockets; ``known`` tells up to which number each feed
        has been read.
        """

    async def keep_alive(self, game_id: str, scene: Scene) -> None:
        """See to it, after each look, that somebody runs the game."""

    def notified(self, game_id: str) -> None:
        """Hear of every notification."""

    def rest_s(self, scene: Scene) -> float | None:
        """Return for how many seconds a game need not be looked at; None: until news come."""
        return LOOK_EVERY_S

    def read(self, text: str) -> msgspec.Struct:
        """Read one frame, or raise BadFrame."""
        read: msgspec.Struct = read_with(self._decoder, self.types, text)
        return read

    async def counted_by(self, viewer: Connection) -> str:
        """Return by what a viewer's connections are counted; "": by address."""
        return ""

    async def admit(self, viewer: Connection) -> None:
        """Find out who asks and let this visitor look on, or raise UnknownGame."""
        viewer.visitor = await in_thread(visitor_of)(viewer.visitor)

    def place_in(self, viewer: Connection, scene: Scene | None) -> Any:
        """Return the place from which a viewer sees the game; no scene before the first look."""
        return viewer.place

    async def entered(self, viewer: Connection) -> None:
        """Greet a viewer."""

    async def left(self, viewer: Connection) -> None:
        """Hear that a viewer has gone."""

    async def present(self, viewer: Connection) -> None:
        """Hear that somebody looks at the page, not only that it is open."""

    async def pinged(self, viewer: Connection) -> None:
        """Hear a sign of life."""

    async def counted(self, viewer: Connection) -> None:
        """Hear that somebody counts who is here."""

    def refusal(self, viewer: Connection, wrong: Exception) -> Exception:
        """Return what is said to a viewer who may not look, or not any more."""
        return wrong

    def news_of(self, scene: Scene) -> Any:
        """Sum up how the game stands; ``tell`` is called when the sum is another one."""
        return ()

    async def tell(self, viewer: Connection, scene: Scene, was: Any) -> None:
        """Say how the game stands; ``was`` is the sum of the last time, () before the first."""

    async def tell_words(self, viewer: Connection, scene: Scene, words: str) -> None:
        """Say which words of a message have been written so far."""

    def is_snapshot_due(self, viewer: Connection, count: int) -> bool:
        """Whether so many events are sent as one frame."""
        return count > TOO_FAR

    @functools.cached_property
    def _decoder(self) -> msgspec.json.Decoder[Any]:
        return msgspec.json.Decoder(self.frame_type)

    @functools.cached_property
    def types(self) -> tuple[str, ...]:
        """Names of the frames that a client may send."""
        return tuple(str(one.__struct_config__.tag) for one in get_args(self.frame_type))


AnyLive = Live[Any]
