"""Waiting for a model that loads in the background."""

import asyncio
import time

from agents.backends.local.backend import LocalBackend

PATIENCE_S = 60.0
POLL_S = 0.01


async def when_ready(backend: LocalBackend) -> LocalBackend:
    """Start a backend and wait until its model is loaded; fails with the reason if it never is."""
    backend.start()
    until = time.monotonic() + PATIENCE_S
    while backend.state == "loading" and time.monotonic() < until:  # noqa: ASYNC110  no event for it
        await asyncio.sleep(POLL_S)
    assert backend.state == "ready", backend.state
    return backend
