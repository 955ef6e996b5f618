"""Catches what is logged while a block runs, as text."""

import logging
from types import TracebackType
from typing import Self

LOGGERS = ("agents", "negotiation", "httpx", "httpcore", "django")


class LogTrap(logging.Handler):
    """Collects the lines of our loggers, tracebacks included, from the finest level on.

    They go nowhere else meanwhile, so that a report stays readable.
    """

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []
        self._before: list[tuple[logging.Logger, int, bool]] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Take a line."""
        extra = {k: v for k, v in vars(record).items() if k not in _STANDARD}
        self.lines.append(f"{self.format(record)} {extra}")

    def __enter__(self) -> Self:
        for name in LOGGERS:
            logger = logging.getLogger(name)
            self._before.append((logger, logger.level, logger.propagate))
            logger.addHandler(self)
            logger.setLevel(logging.DEBUG)
            logger.propagate = False
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for logger, level, propagate in self._before:
            logger.removeHandler(self)
            logger.setLevel(level)
            logger.propagate = propagate


_STANDARD = frozenset(vars(logging.makeLogRecord({})))
