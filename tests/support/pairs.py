"""Two processes that serve one site, on one SQLite file or on real services."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.support.people import Visitor
from tests.support.servers import Site
from tests.support.services import Postgres, Redis, skip_without

STORES = ("sqlite", pytest.param("services", marks=pytest.mark.services))
"""What a pair keeps its games in: parameters of a fixture."""

Pair = tuple[Site, Site]


@contextmanager
def two_processes(
    store: str, folder: Path, *, catalogue: bool = True, **variables: str
) -> Iterator[Pair]:
    """Serve a site twice.

    Args:
        store: ``sqlite``, or ``services`` for PostgreSQL and Redis.
        folder: for its data.
        catalogue: load the listings.
        variables: of its environment.
    """
    with ExitStack() as stack:
        if store == "services":
            skip_without("redis-server", "PostgreSQL")
            variables["DATABASE_URL"] = stack.enter_context(Postgres()).url
            variables["REDIS_URL"] = stack.enter_context(Redis()).url
        first = stack.enter_context(Site(folder, catalogue=catalogue, **variables))
        second = Site(folder, catalogue=catalogue, **variables)
        second.start()
        stack.callback(second.kill)
        yield first, second


def both_alive(pair: Pair) -> Pair:
    """Start again whichever was killed."""
    for site in pair:
        if site.process is None:
            site.start()
    return pair


@contextmanager
def one_at_each(pair: Pair) -> Iterator[tuple[Visitor, Visitor]]:
    """Asha at the first process, Bilal at the second."""
    asha, bilal = (Visitor(site) for site in pair)
    yield asha, bilal
    asha.close()
    bilal.close()
