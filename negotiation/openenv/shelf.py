"""HTTP sessions, kept between the requests of their clients, and how many there may be."""

import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Final, Generic

import msgspec
import redis

from negotiation.openenv.errors import Full, FullForClient, UnknownEpisode, Unplayable
from negotiation.openenv.kinds import (
    A,
    Kind,
    O,
    R,
    Record,
    Seat,
    W,
    fresh_id,
    fresh_seed,
    seat_of,
    to_bytes,
)


class Room:
    """Counts the sessions of this process. Sockets and HTTP sessions share the room."""

    def __init__(self, most: int, most_per_client: int) -> None:
        self.most = most
        self.most_per_client = most_per_client
        self._held: Counter[str] = Counter()
        self._lock = Lock()

    @property
    def active(self) -> int:
        """Sessions that are held now."""
        return self._held.total()

    def enter(self, client: str) -> None:
        """Take a place; raises ``Full``, or ``FullForClient`` at the most of one client."""
        with self._lock:
            active = self._held.total()
            if active >= self.most:
                raise Full(active, self.most)
            if self._held[client] >= self.most_per_client:
                raise FullForClient(self._held[client], self.most_per_client)
            self._held[client] += 1

    def leave(self, client: str) -> None:
        """Free a place."""
        with self._lock:
            self._held[client] -= 1
            if self._held[client] <= 0:
                del self._held[client]


LEFT_ALONE_S = 60.0
"""A client that holds all it may loses such of its own games first: it started others since."""

Key = tuple[str, str]
"""Whose it is, and the episode's id. Ids that we invent belong to whoever knows them: ("", id)."""


class _Kept(Generic[R, A, O]):
    def __init__(self, client: str, now: float, seat: Seat[R, A, O]) -> None:
        self.client = client
        self.touched_at = now
        self.seat = seat
        self.lock = Lock()


class Shelf(Generic[R, W, A, O]):
    """Keeps a seat per episode id; the idle ones go first. Safe to use from many threads.

    A client may name its own episodes ("run-1"): such a name is the client's alone. Names that are
    made here cannot be guessed and hold from any address. A game that is over keeps its place until
    somebody needs it. Whatever is asked for and not there raises ``UnknownEpisode``.
    """

    def __init__(
        self,
        kind: Kind[R, W, A, O],
        room: Room,
        idle_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._kind = kind
        self._room = room
        self._idle_s = idle_s
        self._clock = clock
        self._kept: dict[Key, _Kept[R, A, O]] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def reset(self, client: str, wanted: R) -> O:
        """Start a game, under a known id again or a new one; raises ``Full``, ``GameError``."""
        self.sweep()
        id_ = wanted.episode_id or fresh_id()
        key = self._key(client, wanted.episode_id) or (client if wanted.episode_id else "", id_)
        with self._lock:
            kept = self._kept.get(key)
            is_new = kept is None
            if kept is None:
                self._enter(client)
                kept = self._kept[key] = _Kept(client, self._clock(), self._kind.seat())
        try:
            with kept.lock:
                answer = kept.seat.reset(wanted, seed=fresh_seed(), episode_id=id_)
        except Exception:
            if is_new:
                with self._lock:
                    self._drop(key)
            raise
        with self._lock:
            kept.touched_at = self._clock()
        return answer

    def step(self, client: str, id_: str, action: A) -> O:
        """Move in a game; may raise ``GameError``."""
        kept = self._find(client, id_)
        with kept.lock:
            return kept.seat.step(action)

    def state(self, client: str, id_: str) -> msgspec.Struct:
        """Return where a game stands."""
        kept = self._find(client, id_)
        with kept.lock:
            return kept.seat.state

    def seat(self, client: str, id_: str) -> Seat[R, A, O]:
        """Return a game's seat, to look at."""
        return self._find(client, id_).seat

    def forget(self, client: str, id_: str) -> None:
        """Give the place of a client's own game back; one that is not there is gone already."""
        with self._lock:
            self._drop((client, id_))

    def enter(self, client: str) -> None:
        """Take a place in the room for something else of a client: its socket; raises ``Full``.

        HTTP games that are idle, over or left alone give theirs up for it, as for a reset.
        """
        self.sweep()
        with self._lock:
            self._enter(client)

    def sweep(self) -> int:
        """Forget what was idle for too long and return how many that were."""
        oldest = self._clock() - self._idle_s
        with self._lock:
            idle = [key for key, kept in self._kept.items() if kept.touched_at < oldest]
            for key in idle:
                self._drop(key)
        return len(idle)

    def _find(self, client: str, id_: str) -> _Kept[R, A, O]:
        self.sweep()
        key = self._key(client, id_)
        with self._lock:
            kept = self._kept.get(key) if key else None
            if kept is None:
                raise UnknownEpisode
            kept.touched_at = self._clock()
            return kept

    def _key(self, client: str, id_: str | None) -> Key | None:
        if id_ is None:
            return None
        return next((key for key in ((client, id_), ("", id_)) if key in self._kept), None)

    # The methods below are called with the lock held.

    def _enter(self, client: str) -> None:
        try:
            self._room.enter(client)
        except Full as full:
            mine = isinstance(full, FullForClient)
            before = self._clock() - LEFT_ALONE_S
            given_up = [
                (kept.touched_at, key)
                for key, kept in self._kept.items()
                if (mine and kept.client == client and kept.touched_at < before)
                or (kept.seat.is_done and (kept.client == client or not mine))
            ]
            if not given_up:
                raise
            self._drop(min(given_up)[1])
            self._room.enter(client)

    def _drop(self, key: Key) -> None:
        kept = self._kept.pop(key, None)
        if kept is None:
            # Another request swept it first.
            return
        self._room.leave(kept.client)


POOL_SIZE: Final = 8
WAIT_S: Final = 5.0

KEEP: Final = (Path(__file__).parent / "lua" / "keep.lua").read_text()


class SharedShelf(Generic[R, W, A, O]):
    """The same as ``Shelf``, errors too, for all web processes together."""

    def __init__(
        self,
        kind: Kind[R, W, A, O],
        url: str,
        *,
        most: int,
        most_per_client: int,
        idle_s: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        pool = redis.BlockingConnectionPool.from_url(url, max_connections=POOL_SIZE, timeout=WAIT_S)
        self._kind = kind
        # In braces, so that a cluster keeps all keys of the script on one node.
        self._prefix = f"{{{kind.name}-env}}:"
        self._redis = redis.Redis(connection_pool=pool)
        self._keep = self._redis.register_script(KEEP)
        self._most = (most, most_per_client)
        self._idle_s = idle_s
        self._clock = clock

    def reset(self, client: str, wanted: R) -> O:
        """Start a game, under a known id again or under a new one."""
        id_ = wanted.episode_id or fresh_id()
        record: Record[R, A] = Record(client, id_, wanted, fresh_seed())
        if wanted.episode_id and (known := self._load(client, id_)):
            record = msgspec.structs.replace(
                record, client=known[1].client, number=known[1].number + 1
            )
            key = known[0]
        else:
            key = self._key(client if wanted.episode_id else "", id_)
        _, answer = seat_of(record, self._kind)
        self._store(key, record, expected=0, done=False)
        return answer

    def step(self, client: str, id_: str, action: A) -> O:
        """Move in a game."""
        key, record = self._find(client, id_)
        seat, _ = seat_of(record, self._kind)
        # What is over stays as it is, also where the seat has an answer to a step after the end.
        after = record if seat.is_done else record.after(action)
        answer = seat.step(action)
        self._store(key, after, expected=record.number, done=answer.done)
        return answer

    def state(self, client: str, id_: str) -> msgspec.Struct:
        """Return where a game stands."""
        return self.seat(client, id_).state

    def seat(self, client: str, id_: str) -> Seat[R, A, O]:
        """Return a game's seat, to look at."""
        key, record = self._find(client, id_)
        seat, _ = seat_of(record, self._kind)
        self._store(key, record, expected=record.number, done=seat.is_done)
        return seat

    def forget(self, client: str, id_: str) -> None:
        """Give the place of a client's own game back; one that is not there is gone already."""
        key = self._key(client, id_)
        with self._redis.pipeline() as together:
            for name in ("all", f"of:{client}"):
                together.zrem(self._prefix + name, key)
            together.delete(key)
            together.execute()

    def _store(self, key: str, record: Record[R, A], *, expected: int, done: bool) -> None:
        names = ("all", f"of:{record.client}")
        verdict, held = self._keep(
            keys=[key, *(self._prefix + name for name in names)],
            args=[
                *(expected, record.number, to_bytes(record)),
                *(self._clock(), self._idle_s, *self._most, LEFT_ALONE_S, int(done)),
            ],
        )
        if verdict == b"late":
            raise Unplayable("Another step of this episode was faster; ask for its state.")
        if verdict == b"full":
            raise Full(held, self._most[0])
        if verdict == b"full-for-client":
            raise FullForClient(held, self._most[1])

    def _find(self, client: str, id_: str) -> tuple[str, Record[R, A]]:
        found = self._load(client, id_)
        if found is None:
            raise UnknownEpisode
        return found

    def _load(self, client: str, id_: str) -> tuple[str, Record[R, A]] | None:
        for key in (self._key(client, id_), self._key("", id_)):
            data, until = self._redis.hmget(key, ["record", "until"])
            if isinstance(data, bytes) and until and float(until) > self._clock():
                return key, self._kind.records.decode(data)
        return None

    def _key(self, owner: str, id_: str) -> str:
        # The length keeps an owner "a" with the id "b:c" apart from "a:b" with "c".
        return f"{self._prefix}episode:{len(owner)}:{owner}:{id_}"
