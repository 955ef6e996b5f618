"""How much one visitor may do in a while, and who "one visitor" is."""

import functools
import ipaddress
import logging
import math
import threading
import time
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

from django.conf import settings
from django.db import DatabaseError, transaction
from django.http import HttpRequest
from django.utils.translation import ngettext
from limits import RateLimitItem, parse
from limits.errors import StorageError
from limits.storage import MemoryStorage, RedisStorage, Storage
from limits.storage.base import MovingWindowSupport
from limits.strategies import MovingWindowRateLimiter
from redis import BlockingConnectionPool

from negotiation.errors import RateLimited
from negotiation.models import LimitWindow
from negotiation.prepared import Prepared
from negotiation.sentences import sentences

say = sentences(__file__)

_window = Prepared(LimitWindow.objects.select_for_update().filter(key=""))


class DatabaseStorage(Storage, MovingWindowSupport):
    """Moving windows for the library ``limits``: one row per key with the times of its uses.

    A row is locked while it is read and written, so a limit is never exceeded by one; windows are
    short (at most a few hundred uses), so a row stays small.
    """

    STORAGE_SCHEME: list[str] | None = ["bazaar-database"]
    """The library knows storages by such names; ours is made without one."""

    @property
    def base_exceptions(self) -> type[Exception] | tuple[type[Exception], ...]:
        """What can go wrong below."""
        return DatabaseError

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count ``amount`` uses if they fit into the window of ``expiry`` seconds."""
        now = time.time()
        with transaction.atomic():
            row = next(iter(_window.rows(key)), None)
            if row is None:
                LimitWindow.objects.filter(ends_at__lt=now).delete()
                row, _ = LimitWindow.objects.select_for_update().get_or_create(key=key)
            uses = [used for used in row.uses if used > now - expiry]
            if len(uses) + amount > limit:
                return False
            uses += [now] * amount
            LimitWindow.objects.filter(key=key).update(uses=uses, ends_at=now + expiry)
        return True

    def reserve_entry(self, key: str, limit: int, expiry: int) -> float | None:
        """Count one use ahead of time and return its moment; None where ``limit`` are held already.

        What is counted ahead fills the window for everybody else: nobody is let in before it.
        """
        now = time.time()
        with transaction.atomic():
            row, _ = LimitWindow.objects.select_for_update().get_or_create(key=key)
            uses = sorted(used for used in row.uses if used > now - expiry)
            if len(uses) >= 2 * limit:
                return None
            due = max(now, uses[-limit] + expiry) if len(uses) >= limit else now
            LimitWindow.objects.filter(key=key).update(uses=[*uses, due], ends_at=due + expiry)
        return due

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
        """Return the first moment of the window and how many uses it holds."""
        now = time.time()
        row = LimitWindow.objects.filter(key=key).first()
        uses = [used for used in (row.uses if row else []) if used > now - expiry]
        return (min(uses) if uses else now), len(uses)

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Refuse: fixed windows are not counted here."""
        raise NotImplementedError("Only moving windows are kept in the database.")

    def get(self, key: str) -> int:
        """Refuse, as ``incr`` does."""
        raise NotImplementedError("Only moving windows are kept in the database.")

    def get_expiry(self, key: str) -> float:
        """Return the moment at which a key is forgotten."""
        row = LimitWindow.objects.filter(key=key).first()
        return row.ends_at if row else time.time()

    def check(self) -> bool:
        """Whether the database answers."""
        return LimitWindow.objects.exists() or True

    def reset(self) -> int | None:
        """Forget all uses; give how many keys there were."""
        return LimitWindow.objects.all().delete()[0]

    def clear(self, key: str) -> None:
        """Forget the uses of a key."""
        LimitWindow.objects.filter(key=key).delete()


class ProcessStorage(MemoryStorage):
    """The library's own in memory, which forgets old uses now and then where they are counted.

    In limits 5.8 each use starts a thread, and waits until it runs: in a busy process an event loop
    stands still for it. That thread visits every key there ever was, and keeps them all.
    """

    STORAGE_SCHEME = ["bazaar-memory"]  # made without an address, as ours above

    def __init__(self, *, wrap_exceptions: bool = False) -> None:
        self._tidying = threading.Lock()
        self._tidy_at = time.monotonic() + TIDY_EVERY_S
        super().__init__(wrap_exceptions=wrap_exceptions)

    def _MemoryStorage__schedule_expiry(self) -> None:  # noqa: N802  the library's own, mangled
        if time.monotonic() < self._tidy_at or not self._tidying.acquire(blocking=False):
            return
        try:
            self._tidy_at = time.monotonic() + TIDY_EVERY_S
            self._tidy(time.time())
        finally:
            self._tidying.release()

    def _tidy(self, now: float) -> None:
        for key in list(self.events):
            with self.locks[key]:
                uses = self.events.get(key)  # the newest one is the first
                if not uses or uses[0].expiry <= now:
                    self.events.pop(key, None)
                    self.locks.pop(key, None)


log = logging.getLogger(__name__)

Name = Literal[
    "games",
    "matches",
    "forks",
    "imports",
    "photos",
    "grades",
    "names",
    "bots",
    "bot_plays",
    "codes",
    "ids",
    "logins",
    "power",
    "visitors",
    "messages",
    "highlight",
    "frames",
    "sockets",
]
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address

WORDS: dict[Name, str] = say.texts("words")

_OF_THE_PROCESS: frozenset[Name] = frozenset({"frames", "sockets", "power"})

DURABLE: frozenset[Name] = frozenset(get_args(Name)) - _OF_THE_PROCESS
"""Limits of what people do: they hold for all processes together and across restarts.

The others protect one process from a flood of frames, connections and what it works out for
whoever only looks, and are counted in it (all but frames in Redis, where there is one).
"""

QUEUED: Name = "visitors"
"""Counted in the database, where a use can be counted ahead: who comes too many keeps a place."""

QUICK: Name = "frames"
"""Counted in memory wherever a socket is served: counting it waits for nothing."""

IPV6_PREFIX = 64
"""One household gets this many bits of an IPv6 address: all of it is one client."""

ROOM = "room:"
"""Begins the client of what is played in a room; it is counted by seat, not by address."""

TIDY_EVERY_S = 60.0
"""A process forgets so often the uses it has counted itself and that count no more."""

PUT_BACK_S = 2.0
"""A clock that is so much behind what it showed was put back."""

POOL_SIZE = 8
"""Redis connections per process; more callers wait instead of failing."""


def spend(name: Name, key: str) -> None:
    """Count one use of a limit by a ``client_key`` or a visitor's session.

    Raises:
        RateLimited: the limit is used up; the use was not counted.
    """
    _ask(name, key, "hit")


def check(name: Name, key: str) -> None:
    """Raise RateLimited, as ``spend`` would, where a limit is used up; count nothing."""
    _ask(name, key, "test")


def _ask(name: Name, key: str, how: Literal["hit", "test"]) -> None:
    limiter, items = _limiter(durable=name in DURABLE, quick=name in (QUICK, QUEUED)), _items()
    try:
        if _was_put_back(limiter):
            limiter.storage.reset()
        if getattr(limiter, how)(items[name], name, key):
            return
        reset_at, _ = limiter.get_window_stats(items[name], name, key)
    except StorageError:
        # Without its counters the site stays open: limits protect it, they are not its doors.
        log.exception("rate limits are out of order")
        return
    wait_s = max(1, math.ceil(reset_at - time.time()))
    raise RateLimited(say.of("words", name, wait=_in_words(wait_s)), wait_s)


def hold_place(key: str) -> float | None:
    """Keep the next free use of ``QUEUED`` for a client; return its moment (seconds since 1970).

    None where as many places are held as one window has: nobody can be promised one.
    """
    item = _items()[QUEUED]
    try:
        return DatabaseStorage().reserve_entry(
            item.key_for(QUEUED, key), item.amount, item.get_expiry()
        )
    except DatabaseError:
        log.exception("rate limits are out of order")
        return None


_latest: dict[MovingWindowRateLimiter, float] = {}


def _was_put_back(limiter: MovingWindowRateLimiter) -> bool:
    """Whether the clock was put back since somebody asked this one last.

    Uses from then would lie ahead, and count for as long as it was put back: all are forgotten.
    """
    now = time.time()
    was = _latest.get(limiter, now)
    _latest[limiter] = now
    return now < was - PUT_BACK_S


def forget_uses() -> None:
    """Start counting from nothing, with the settings of now (uses that Redis counts stay)."""
    forget_settings()
    DatabaseStorage().reset()


def forget_settings() -> None:
    """Read the settings anew at the next use; uses counted in this process are forgotten."""
    _limiter.cache_clear()
    _latest.clear()
    _items.cache_clear()


def request_key(request: HttpRequest) -> str:
    """Name the client of an HTTP request."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    return client_key(request.META.get("REMOTE_ADDR", ""), forwarded)


def scope_key(scope: Mapping[str, Any]) -> str:
    """Name the client of a socket."""
    headers = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    peer = (scope.get("client") or ("",))[0]
    return client_key(peer, b",".join(headers).decode("latin-1"))


LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


def is_own_program(request: HttpRequest) -> bool:
    """Whether a program on the server's own machine asks, for itself; see ``is_from_here``."""
    return is_from_here(
        request.META.get("REMOTE_ADDR", ""),
        request.META.get("HTTP_HOST", ""),
        request.META.get("HTTP_X_FORWARDED_FOR", "") + request.META.get("HTTP_FORWARDED", ""),
    )


def is_own_program_at(scope: Mapping[str, Any]) -> bool:
    """Whether the program behind a socket is one of the server's own machine."""
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    peer = (scope.get("client") or ("",))[0]
    relayed = headers.get(b"x-forwarded-for", "") + headers.get(b"forwarded", "")
    return is_from_here(peer, headers.get(b"host", ""), relayed)


def is_from_here(peer: str, host: str, relayed: str) -> bool:
    """Whether a peer is this machine, asks it by a name of its own, and relays for nobody.

    A proxy on this machine passes the name on under which it was asked, or says for whom it speaks;
    a page elsewhere whose name leads here asks under that name. Where the site has public names,
    nobody is: a proxy that does neither would make everybody one.
    """
    address = _address(peer)
    named = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    is_near = address is not None and address.is_loopback
    is_near = is_near and not settings.IS_PUBLIC
    return is_near and not relayed and named.strip("[]") in LOOPBACK_NAMES


def client_key(peer: str, forwarded: str = "") -> str:
    """Name a client: its address, IPv6 by its /64; ``peer`` is "" for a local socket.

    ``X-Forwarded-For`` is believed only as far as trusted proxies wrote it: it is read from its
    end, and the first address that is no trusted proxy is the client.
    """
    trusted = _trusted(settings.TRUSTED_PROXIES)
    client = _address(peer)
    for hop in reversed(forwarded.split(",")):
        if not _is_in(client, trusted):
            break
        named = _address(hop)
        if named is None:
            break
        client = named
    if client is None:
        return "local"
    if client.version == 6:
        return str(ipaddress.ip_network((client, IPV6_PREFIX), strict=False))
    return str(client)


def is_trusted_proxy(peer: str) -> bool:
    """Whether what this peer says of a request is believed; "" is a local socket."""
    return _is_in(_address(peer), _trusted(settings.TRUSTED_PROXIES))


def _address(text: str) -> Address | None:
    try:
        address = ipaddress.ip_address(text.strip())
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped if mapped is not None else address


def _is_in(address: Address | None, networks: Iterable[Network]) -> bool:
    if address is None:
        # A Unix socket has no address; only a proxy on this machine can speak through it.
        return True
    return any(address in network for network in networks)


@functools.cache
def _trusted(text: str) -> tuple[Network, ...]:
    names = (name.strip() for name in text.split(","))
    return tuple(ipaddress.ip_network(name, strict=False) for name in names if name)


@functools.cache
def _limiter(*, durable: bool, quick: bool) -> MovingWindowRateLimiter:
    return MovingWindowRateLimiter(_storage(durable=durable, quick=quick))


def _storage(*, durable: bool, quick: bool) -> Storage:
    if quick or not settings.REDIS_URL:
        return DatabaseStorage(wrap_exceptions=True) if durable else ProcessStorage()
    # The client's own pool fails when it is empty; this one lets callers wait.
    pool = BlockingConnectionPool.from_url(settings.REDIS_URL, max_connections=POOL_SIZE)
    return RedisStorage(settings.REDIS_URL, connection_pool=pool, wrap_exceptions=True)


@functools.cache
def _items() -> dict[str, RateLimitItem]:
    return {name: parse(text) for name, text in settings.LIMITS.items()}


def _in_words(seconds: int) -> str:
    minutes = round(seconds / 60)
    if seconds < 90:
        said = ngettext("a second", "%(count)d seconds", seconds)
        return said % {"count": seconds}
    if minutes < 90:
        return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
    hours = round(minutes / 60)
    return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
