"""Which gatekeeper this process asks."""

import functools
from typing import Protocol

from django.conf import settings

from agents.gates.contract import Gatekeeper
from agents.gates.database import DatabaseKeeper
from agents.gates.rules import Breaker


class Keeper(Gatekeeper, Protocol):
    """A gatekeeper with what operators look at and reset."""

    def breaker(self, backend: str) -> Breaker | None:
        """Read a backend's breaker (one never used is closed); None if it cannot be reached."""
        ...

    def reset_breaker(self, backend: str) -> bool:
        """Close a breaker by hand; tell whether it could be reached."""
        ...


def gatekeeper() -> Keeper:
    """Return this process's keeper: Redis counts where there is one, else the database."""
    return _keeper(settings.REDIS_URL)


@functools.cache
def _keeper(redis_url: str | None) -> Keeper:
    if redis_url:
        from agents.gates.redis_store import RedisKeeper

        return RedisKeeper(redis_url)
    return DatabaseKeeper()
