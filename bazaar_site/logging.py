"""How the site logs: one line per entry, for people in a terminal, as JSON for machines.

Both ``structlog`` and the standard library's loggers go through the same processors, so that no
entry can carry a sealed value. Tracebacks come without local variables for the same reason.
"""

import logging
import logging.config
import sys
from typing import Any, TextIO

import structlog
from structlog.typing import Processor

from bazaar_site.sealed_keys import drop_sealed
from negotiation.secret_values import scrub


def configure_logging(level: str = "INFO", *, as_json: bool = False) -> None:
    """Set up every logger of the process; calling it again replaces the set-up.

    Args:
        level: least severe level that is written.
        as_json: one JSON object per line instead of text for people.
    """
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
        "filters": {"sealed": {"()": "bazaar_site.sealed_keys.SealedArguments"}},
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
                "filters": ["sealed"],
                "formatter": "one_line",
            }
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # At DEBUG, asyncio names its selector at every start and tells nothing else.
            "asyncio": {"level": "INFO"},
            # Each call of a model would log its address, which may hold a key.
            "httpx": {"level": "WARNING"},
            "httpcore": {"level": "WARNING"},
            # Whoever knocks under a name that is not ours would fill the log with tracebacks.
            "django.security.DisallowedHost": {"level": "CRITICAL"},
        },
    }


def _rendering(*, as_json: bool) -> list[Processor]:
    rendering: list[Processor] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if as_json:
        rendering += [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    else:
        rendering.append(
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            )
        )
    return [*rendering, _scrub_line]


def _scrub_line(logger: Any, method_name: str, line: Any) -> Any:
    """Hide tokens and keys in the finished line, tracebacks included (a last processor)."""
    return scrub(line) if isinstance(line, str) else line
