"""What a line of the log may tell of a request and of an error: the route, never the address.

An address, a query, what an exception or a library quotes: each may hold somebody's id, key or
words. So a request is named by its route, an exception by its type and the lines of code it came
through, and a library's line is cut down to what cannot quote anybody.
"""

import logging
import re
import sys
import threading
import traceback
from collections.abc import Iterator
from http.client import responses
from types import TracebackType
from typing import Any
from urllib.parse import unquote

from django.conf import settings
from django.urls import Resolver404, resolve

from negotiation.outages import is_away, is_full

ROOMS = (
    "bazaarbatna", "negotiation", "agents", "arena", "replays", "training", "rooms",
    "bazaar_site",
)  # fmt: skip
"""Our own packages: their lines are written with care, those of libraries are not."""

NOWHERE, STATIC = "nowhere", "static"

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

LONGEST = 300
"""Characters of a library's line; what a program quotes whole goes no further."""

SAYS_NOTHING_OF_PEOPLE = (
    ArithmeticError,
    AttributeError,
    ImportError,
    MemoryError,
    NameError,
    RecursionError,
    TypeError,
)
"""Exceptions whose text is about code; that of any other may quote what somebody sent."""

STORES = ("django.db.", "psycopg.", "redis.", "sqlite3")
"""Modules whose errors speak of a database, or of Redis, that is full or away."""

ABOUT_TABLES = re.compile(
    r"(no such (table|column)|database( table)? is locked|(relation|column) \"?[\w.]+\"? does not)"
    r"[^\n'(]*"
)
"""What databases say of a migration that is missing, or of a lock."""

ADDRESSES = (
    *("account", "admin", "api", "arena", "bots", "buy", "cases", "challenge", "daily", "env"),
    *("leaderboard", "learn", "market", "pair", "puzzles", "replays", "rooms", "sell"),
    *("training", "watch", "ws"),
)
"""First parts of addresses of the site behind which something follows."""

TRACEBACK = "Traceback (most recent call last):"

_CHAINED = (
    "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:",
)
"""As Python says it: by accident, on purpose."""
QUOTED_BY_CELERY = frozenset({"args", "kwargs", "return_value", "exc", "traceback"})
"""What Celery tells of a job beside its name and how it went."""

_GROUP = re.compile(r"\(\?P(<\w+>)[^)]*\)")
_REPR = re.compile(r"<(\w+)[\s(][^\n]*>")
_ADDRESS = re.compile(rf"(?<![\w./-])/({'|'.join(ADDRESSES)})/[^\s'\")>\]]+")
_QUERY = re.compile(r"(?<=[^\s?])\?[^\s'\")>\]]+")
_PLAIN = frozenset({*logging.makeLogRecord({}).__dict__, "message", "status_code", "why", "again"})


def route_of(path: str) -> str:
    """Return the pattern of the address of a page, ``static``, or ``nowhere``."""
    if path.startswith(settings.STATIC_URL):
        return STATIC
    try:
        return plain_pattern(resolve(path).route)
    except (Resolver404, UnicodeError):
        return NOWHERE


def plain_pattern(pattern: str) -> str:
    """Write the pattern of an address as one reads it.

    >>> plain_pattern("^ws/sell/(?P<game_id>[a-z0-9]{1,12})/$"), plain_pattern("sell/<slug:id>/")
    ('/ws/sell/<game_id>/', '/sell/<slug:id>/')
    """
    return "/" + _GROUP.sub(r"\1", pattern).strip("^$")


def method_of(said: str | None) -> str:
    """Return the method of a request; one that nobody knows may be a word of its sender's."""
    return said if said in METHODS else "OTHER"


def named(wrong: BaseException) -> str:
    """Name an exception, with its text where that cannot quote anybody.

    >>> named(ZeroDivisionError("division by zero")), named(ValueError("asha"))
    ('ZeroDivisionError: division by zero', 'ValueError')
    """
    name = type(wrong).__qualname__
    if isinstance(wrong, OSError) and wrong.strerror:
        return f"{name}: {wrong.strerror}"
    text = str(wrong).partition("\n")[0]
    is_of_a_store = f"{type(wrong).__module__}.".startswith(STORES)
    is_outage = is_of_a_store and (is_full(wrong) or is_away(wrong))
    if is_outage or isinstance(wrong, SAYS_NOTHING_OF_PEOPLE):
        return f"{name}: {text}"
    about = ABOUT_TABLES.search(text) if is_of_a_store else None
    return f"{name}: {about[0].strip()}" if about else name


def told(
    kind: type[BaseException] | None,
    wrong: BaseException | None,
    trace: TracebackType | None,
) -> str:
    """Write a traceback: which lines of code, which exceptions, and nothing that they quote."""
    if wrong is None:
        return ""
    parts = []
    for one, why in _chain(wrong):
        lines = traceback.format_tb(trace if one is wrong else one.__traceback__)
        head = f"{TRACEBACK}\n{''.join(lines)}" if lines else ""
        parts.append(f"{head}{named(one)}{why}")
    return "\n".join(reversed(parts))


def _chain(wrong: BaseException) -> Iterator[tuple[BaseException, str]]:
    known: set[int] = set()
    one: BaseException | None = wrong
    why = ""
    while one is not None and id(one) not in known:
        known.add(id(one))
        yield one, why
        why = f"\n\n{_CHAINED[one.__cause__ is not None]}\n"
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)


def without_quotes(text: str) -> str:
    """Cut a traceback that is text already down to its lines of code and names of exceptions."""
    kept, in_frames = [], False
    for line in text.splitlines():
        if line.startswith((TRACEBACK, *_CHAINED)):
            in_frames = line.startswith(TRACEBACK)
            kept.append(line)
        elif in_frames and line.startswith("  "):
            kept.append(line)
        elif in_frames:
            in_frames = False
            kept.append(line.partition(":")[0][:LONGEST])
    return "\n".join(kept)


class Discreet(logging.Filter):
    """Cuts a record down to what may be told, and lets it pass."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Name its request by the route, and let a library quote nobody."""
        request = record.__dict__.pop("request", None)
        if getattr(request, "path_info", None) is not None:
            _name_request(record, request)
        elif record.name.partition(".")[0] not in ROOMS and not isinstance(record.msg, dict):
            _cut(record)
        return True


def _name_request(record: logging.LogRecord, request: Any) -> None:
    status = getattr(record, "status_code", None)
    what = responses.get(status or 0, "Request")
    reason = ""
    if record.name == "django.security.csrf" and isinstance(record.args, tuple):
        # Behind the dash it quotes an origin or the page that somebody came from.
        reason = f" ({str(record.args[0]).partition(' - ')[0]})"
    elif record.name.startswith("django.security."):
        reason = f" ({record.name.rpartition('.')[2]})"
    where = f"{method_of(request.method)} {route_of(request.path_info)}"
    record.msg, record.args = f"{what}{reason}: {where}".replace("%", "%%"), ()
    _keep_plain(record)


def _cut(record: logging.LogRecord) -> None:
    _keep_plain(record)
    args = record.args
    if isinstance(args, dict) and "%(" in str(record.msg):
        record.args = {
            name: "..." if name in QUOTED_BY_CELERY else _discreet(value)
            for name, value in args.items()
        }
    elif isinstance(args, tuple):
        record.args = tuple(_discreet(value) for value in args)
    elif args:
        record.args = (_discreet(args),)
    if not isinstance(record.msg, str):
        record.msg, record.args = _discreet(record.msg), ()
    text = record.getMessage()
    if TRACEBACK in text:
        text = without_quotes(text)
    else:
        text = _without_addresses(text.partition("\n")[0])[:LONGEST]
    record.msg, record.args = text, None


def _keep_plain(record: logging.LogRecord) -> None:
    for name in record.__dict__.keys() - _PLAIN:
        del record.__dict__[name]


def _discreet(value: Any) -> Any:
    wrong = getattr(value, "value", None) if type(value).__name__ == "Failure" else value
    if isinstance(wrong, BaseException):
        return named(wrong)
    if isinstance(value, str):
        return _REPR.sub(r"<\1>", value)
    return value if isinstance(value, int | float | None) else f"<{type(value).__name__}>"


def _without_addresses(text: str) -> str:
    plain = "".join(filter(str.isprintable, unquote(text)))
    return _ADDRESS.sub(r"/\1/...", _QUERY.sub("?...", plain))


def log_what_nobody_caught() -> None:
    """Let threads and destructors that fail say so in the log, instead of past it."""
    log = logging.getLogger(__name__)

    def in_thread(failed: Any) -> None:
        if failed.exc_type is not SystemExit:
            traced = (failed.exc_type, failed.exc_value, failed.exc_traceback)
            log.error("a thread has ended", exc_info=traced)

    def in_nobody(failed: Any) -> None:
        traced = (failed.exc_type, failed.exc_value, failed.exc_traceback)
        log.error("an error that nobody could catch", exc_info=traced)

    threading.excepthook, sys.unraisablehook = in_thread, in_nobody
