"""What the site stands on, and may be full or away for a while: no fault of its own."""

import errno
import sqlite3
from collections.abc import Iterator
from contextvars import ContextVar

from redis.exceptions import ConnectionError as RedisAway
from redis.exceptions import TimeoutError as RedisSilent

WAIT_S: ContextVar[float] = ContextVar("WAIT_S", default=20.0)
"""How long PostgreSQL is waited for: seconds since this process found it away for the first time.
Whoever needs a connection later than that is refused at once."""

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)

_SQLITE_NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)
"""What SQLite says of a disk without room: for its file and its log, and for the log's index."""

_POSTGRESQL_NO_ROOM = "53100"

_POSTGRESQL_BROKEN = "08"
_POSTGRESQL_ENDS = ("57P01", "57P02", "57P03")
"""What PostgreSQL says when it is stopped, has crashed, or is only just starting."""


def is_full(wrong: BaseException | None) -> bool:
    """Whether something failed as there was no room on the disk.

    >>> is_full(OSError(errno.ENOSPC, "No space left on device")), is_full(ValueError())
    (True, False)
    """
    return any(_says_full(one) for one in causes_of(wrong))


def is_away(wrong: BaseException | None) -> bool:
    """Whether something failed as Redis or PostgreSQL did not answer."""
    away = (isinstance(one, RedisAway | RedisSilent) for one in causes_of(wrong))
    return any(away) or is_cut_off(wrong)


def is_cut_off(wrong: BaseException | None) -> bool:
    """Whether a connection to PostgreSQL broke, or could not be made."""
    return any(_says_cut_off(one) for one in causes_of(wrong))


def causes_of(wrong: BaseException | None) -> Iterator[BaseException]:
    """Give an error, what it came from, and so on."""
    known: set[int] = set()
    while wrong is not None and id(wrong) not in known:
        known.add(id(wrong))
        yield wrong
        wrong = wrong.__cause__ or wrong.__context__


def _says_cut_off(wrong: BaseException) -> bool:
    # By their names: a site without PostgreSQL need not import its client.
    names = {f"{kind.__module__}.{kind.__qualname__}" for kind in type(wrong).__mro__}
    if "psycopg.OperationalError" not in names:
        return False
    state = getattr(wrong, "sqlstate", None)
    return state is None or state in _POSTGRESQL_ENDS or state.startswith(_POSTGRESQL_BROKEN)


def _says_full(wrong: BaseException) -> bool:
    if isinstance(wrong, sqlite3.Error):
        return getattr(wrong, "sqlite_errorcode", None) in _SQLITE_NO_ROOM
    if isinstance(wrong, OSError):
        return wrong.errno in _NO_ROOM
    return getattr(wrong, "sqlstate", None) == _POSTGRESQL_NO_ROOM
