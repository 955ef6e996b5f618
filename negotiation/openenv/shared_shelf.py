"""HTTP sessions in Redis: any web process answers the next request of any of them.

Only what was asked is stored; the game is played again for each request, which costs less than the
request itself. Idle sessions expire by themselves.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
import redis

from negotiation.engine.log import Log
from negotiation.environment.actions import Action
from negotiation.environment.resets import Reset
from negotiation.environment.seat import Answer, Seat, Standing
from negotiation.openenv.dialogue import fresh_id, fresh_seed
from negotiation.openenv.errors import Full, FullForClient, UnknownEpisode, Unplayable
from negotiation.openenv.records import Record, from_bytes, to_bytes
from negotiation.openenv.shelf import LEFT_ALONE_S

PREFIX: Final = "{bazaar-env}:"
"""In braces, so that a cluster keeps all keys of the script on one node."""

POOL_SIZE: Final = 8
WAIT_S: Final = 5.0

KEEP: Final = (Path(__file__).parent / "lua" / "keep.lua").read_text()


class SharedShelf:
    """The same as ``Shelf``, for all web processes together."""

    def __init__(
        self,
        url: str,
        *,
        most: int,
        most_per_client: int,
        idle_s: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        pool = redis.BlockingConnectionPool.from_url(url, max_connections=POOL_SIZE, timeout=WAIT_S)
        self._redis = redis.Redis(connection_pool=pool)
        self._keep = self._redis.register_script(KEEP)
        self._most = (most, most_per_client)
        self._idle_s = idle_s
        self._clock = clock

    def reset(self, client: str, wanted: Reset) -> Answer:
        """Start a game, under a known id again or under a new one.

        Raises:
            Full: there is no room for another session.
            GameError: there is no such task or seller.
        """
        id_ = wanted.episode_id or fresh_id()
        record = Record(client, id_, wanted, fresh_seed())
        if wanted.episode_id and (known := self._load(client, id_)):
            record = msgspec.structs.replace(
                record, client=known[1].client, number=known[1].number + 1
            )
            key = known[0]
        else:
            key = _key(client if wanted.episode_id else "", id_)
        _, answer = record.seat()
        self._store(key, record, expected=0, done=False)
        return answer

    def step(self, client: str, id_: str | None, action: Action) -> Answer:
        """Move in a game; without an id in the client's latest.

        Raises:
            UnknownEpisode: there is none.
            GameError: the game is over, or the action says nothing.
        """
        key, record = self._find(client, id_)
        seat, _ = record.seat()
        answer = seat.step(action)
        self._store(key, record.after(action), expected=record.number, done=answer.done)
        return answer

    def state(self, client: str, id_: str | None) -> Standing:
        """Tell where a game stands; without an id the client's latest.

        Raises:
            UnknownEpisode: there is none.
        """
        return self._touched(client, id_).state

    def logs(self, client: str, id_: str | None) -> tuple[Log, ...]:
        """Give the finished bargains of a game.

        Raises:
            UnknownEpisode: there is none.
        """
        return self._touched(client, id_).logs

    def _touched(self, client: str, id_: str | None) -> Seat:
        key, record = self._find(client, id_)
        seat, _ = record.seat()
        self._store(key, record, expected=record.number, done=seat.is_done)
        return seat

    def _store(self, key: str, record: Record, *, expected: int, done: bool) -> None:
        names = ("all", f"of:{record.client}", f"latest:{record.client}")
        verdict, held = self._keep(
            keys=[key, *(PREFIX + name for name in names)],
            args=[
                *(expected, record.number, to_bytes(record)),
                *(self._clock(), self._idle_s, *self._most, LEFT_ALONE_S, int(done)),
            ],
        )
        if verdict == b"late":
            raise Unplayable("Another step of this episode was faster; ask for its state.")
        if verdict == b"full":
            raise Full(Full.__doc__ or "", held, self._most[0])
        if verdict == b"full-for-client":
            raise FullForClient(FullForClient.__doc__ or "", held, self._most[1])

    def _find(self, client: str, id_: str | None) -> tuple[str, Record]:
        found = self._load(client, id_)
        if found is None:
            raise UnknownEpisode
        return found

    def _load(self, client: str, id_: str | None) -> tuple[str, Record] | None:
        if id_ is None:
            latest = self._redis.get(f"{PREFIX}latest:{client}")
            keys = [latest.decode()] if isinstance(latest, bytes) else []
        else:
            keys = [_key(client, id_), _key("", id_)]
        for key in keys:
            data, until = self._redis.hmget(key, ["record", "until"])
            if isinstance(data, bytes) and until and float(until) > self._clock():
                return key, from_bytes(data)
        return None


def _key(owner: str, id_: str) -> str:
    # The length keeps an owner "a" with the id "b:c" apart from "a:b" with "c".
    return f"{PREFIX}episode:{len(owner)}:{owner}:{id_}"
