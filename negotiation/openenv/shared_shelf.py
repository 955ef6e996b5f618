"""HTTP sessions in Redis: any web process answers the next request of any of them.

Only what was asked is stored; the game is played again for each request, which costs less than the
request itself. Idle sessions expire by themselves.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Generic

import msgspec
import redis

from bazaarbatna.envs.openenv.errors import Full, FullForClient, UnknownEpisode, Unplayable
from bazaarbatna.envs.openenv.kinds import (
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
from bazaarbatna.envs.openenv.shelf import LEFT_ALONE_S

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
