"""Waiting for a model that loads in the background."""

from agents.backends.local.backend import LocalBackend
from tests.support.waiting import in_time

PATIENCE_S = 240.0


async def when_ready(backend: LocalBackend) -> LocalBackend:
    """Start a backend and wait until its model is loaded; fails with the reason if it never is."""
    backend.start()
    await in_time(lambda: backend.state != "loading", within_s=PATIENCE_S)
    assert backend.state == "ready", backend.state
    return backend
