"""A worker beside a site that is killed and started again."""

from contextlib import ExitStack
from types import TracebackType

from tests.support.servers import Site


class Worker:
    """Runs within ``with``, or from ``start`` to ``kill``; ``is_slow``: the one for long work."""

    def __init__(self, site: Site, *, is_slow: bool = False) -> None:
        self.site = site
        self._runs = site.slow_worker if is_slow else site.worker
        self._running = ExitStack()

    def start(self) -> None:
        """Start it."""
        self._running.enter_context(self._runs())

    def kill(self) -> None:
        """Kill -9, with all its children; again does nothing."""
        self._running.close()

    def __enter__(self) -> "Worker":
        """Start it."""
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Kill it."""
        self.kill()
