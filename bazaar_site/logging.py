"""How the site logs: one line per entry, for people in a terminal, as JSON for machines.

Both ``structlog`` and the standard library's loggers go through the same processors, so that no
entry can carry a sealed value. What else a line may tell is in ``log_privacy``.
"""

import logging
import logging.config
import sys
import threading
import time
from collections.abc import Mapping, MutableMapping
from typing import Any, TextIO

import msgspec
import structlog
from structlog.typing import Processor

from bazaar_site.log_privacy import ROOMS, told
from negotiation.outages import is_away, is_full
from negotiation.secret_values import scrub

SEALED_KEYS = frozenset(
    {"budget", "reservation", "reservation_price", "cost", "deadline", "seed", "salt"}
    | {"scenario", "sealed", "committed_text"}
)
"""Names of values that one side must not know before the end of a game."""

MAX_DEPTH = 8
"""Containers inside containers that are looked into; what lies deeper is not logged."""


def configure_logging(level: str = "INFO", *, as_json: bool = False) -> None:
    """Set up every logger of the process; calling it again replaces the set-up."""
    logging.config.dictConfig(_standard_library(level, as_json=as_json))
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_shared(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def drop_sealed(
    logger: Any, method_name: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Remove every sealed key of a log entry, at any depth (a structlog processor)."""
    open_values: MutableMapping[str, Any] = without_sealed(event)
    return open_values


def without_sealed(value: Any, depth: int = 0) -> Any:
    """Copy a value without its sealed keys.

    Structs are named only, since their fields would print with them.

    >>> without_sealed({"game": "k3", "state": [{"ask": 170, "budget": 200}]})
    {'game': 'k3', 'state': [{'ask': 170}]}
    """
    if depth > MAX_DEPTH:
        return "..."
    if isinstance(value, Mapping):
        return {
            key: without_sealed(inner, depth + 1)
            for key, inner in value.items()
            if not (isinstance(key, str) and key.lower() in SEALED_KEYS)
        }
    if isinstance(value, list | tuple | set | frozenset):
        kind = list if isinstance(value, list) else tuple
        return kind(without_sealed(inner, depth + 1) for inner in value)
    return f"<{type(value).__name__}>" if isinstance(value, msgspec.Struct) else value


OUTAGE_EVERY_S = 10.0
"""How often each process says the same of an outage."""


class SealedArguments(logging.Filter):
    """Does the same for the arguments of ``logger.info("%s", values)``."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Clean the arguments and let the record pass."""
        record.args = without_sealed(record.args)
        return True


class RefusedInOneLine(logging.Filter):
    """Leaves the traceback away where a request that cannot be read was refused, as it should be.

    Django logs it beside a 400; whoever sends nonsense would fill the log.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten the record and let it pass."""
        if record.name == "django.request" and record.levelno < logging.ERROR:
            record.exc_info = None
        return True


class OutageInFewLines(logging.Filter):
    """Tells of a full disk, and of a Redis that is away, now and then and without a traceback.

    Whatever anybody tries then fails, and each would leave pages in a log that may lie on the very
    disk. ``again`` of the next line counts what was left out.
    """

    def __init__(self, every_s: float = OUTAGE_EVERY_S) -> None:
        super().__init__()
        self._every_s = every_s
        self._lock = threading.Lock()
        self._until: dict[tuple[str, str], float] = {}
        self._left_out: dict[tuple[str, str], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the first record of its kind pass, in one line."""
        wrong = record.exc_info[1] if record.exc_info else None
        is_outage = getattr(record, "outage", False) or is_full(wrong) or is_away(wrong)
        if not is_outage:
            return True
        record.exc_info = record.exc_text = None
        if wrong is not None:
            record.why = repr(wrong)
        key, now = (record.name, str(record.msg)), time.monotonic()
        with self._lock:
            if now < self._until.get(key, now):
                self._left_out[key] = self._left_out.get(key, 0) + 1
                return False
            self._until[key] = now + self._every_s
            record.again = self._left_out.pop(key, 0)
        return True


class CurrentStderr(logging.StreamHandler[TextIO]):
    """Writes to what ``sys.stderr`` is at the moment, also after it was replaced."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> TextIO:  # type: ignore[override]  # an attribute in the base class
        """The standard error stream of now."""
        return sys.stderr


def _shared() -> list[Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        drop_sealed,  # before anything turns values into text
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]


def _standard_library(level: str, *, as_json: bool) -> dict[str, Any]:
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            "sealed": {"()": "bazaar_site.logging.SealedArguments"},
            "refused": {"()": "bazaar_site.logging.RefusedInOneLine"},
            "outage": {"()": "bazaar_site.logging.OutageInFewLines"},
            "discreet": {"()": "bazaar_site.log_privacy.Discreet"},
        },
        "formatters": {
            "one_line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": _rendering(as_json=as_json),
                "foreign_pre_chain": [structlog.stdlib.ExtraAdder(), *_shared()],
            }
        },
        "handlers": {
            "stderr": {
                "()": "bazaar_site.logging.CurrentStderr",
                "filters": ["sealed", "refused", "outage", "discreet"],
                "formatter": "one_line",
            }
        },
        # At DEBUG libraries tell of every step, and of what they were given for it.
        "root": {"handlers": ["stderr"], "level": "INFO" if level == "DEBUG" else level},
        "loggers": {
            **{room: {"level": level} for room in ROOMS},
            # Each call of a model would log its address, which may hold a key.
            "httpx": {"level": "WARNING"},
            "httpcore": {"level": "WARNING"},
            # Whoever knocks under a name that is not ours would fill the log with tracebacks.
            "django.security.DisallowedHost": {"level": "CRITICAL"},
        },
    }


def _rendering(*, as_json: bool) -> list[Processor]:
    rendering: list[Processor] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    rendering.append(structlog.processors.ExceptionRenderer(lambda exc_info: told(*exc_info)))
    if as_json:
        rendering.append(structlog.processors.JSONRenderer())
    else:
        rendering.append(structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()))
    return [*rendering, _scrub_line]


def _scrub_line(logger: Any, method_name: str, line: Any) -> Any:
    return scrub(line) if isinstance(line, str) else line
