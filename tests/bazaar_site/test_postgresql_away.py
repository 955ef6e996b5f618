"""A connection to PostgreSQL waits for a server that comes back, and for no other."""

import threading
from collections.abc import Iterator
from typing import Any

import dj_database_url
import pytest
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ConnectionHandler

from bazaar_site.operating.postgresql import base
from negotiation.outages import WAIT_S
from tests.support.services import Postgres, missing

pytestmark = [
    pytest.mark.services,
    pytest.mark.skipif(bool(missing("PostgreSQL")), reason="PostgreSQL is not installed"),
]


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with Postgres() as running:
        yield running


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch, django_db_blocker: Any) -> Iterator[list[float]]:
    """Pauses that were made, in a process that knows of no outage yet."""
    made: list[float] = []
    sleep = base.time.sleep

    def count(seconds: float) -> None:
        if seconds == base.PAUSE_S:
            made.append(seconds)
        sleep(seconds)

    monkeypatch.setattr(base.time, "sleep", count)
    monkeypatch.setattr(base, "_outage", base._Outage())
    with django_db_blocker.unblock():
        yield made


def to(url: str) -> BaseDatabaseWrapper:
    """A connection as the settings make it, not opened yet."""
    told = dj_database_url.parse(url, engine="bazaar_site.operating.postgresql")
    return ConnectionHandler({"default": told})["default"]


def test_it_waits_for_a_server_that_comes_back(postgres: Postgres, pauses: list[float]) -> None:
    postgres.stop()
    back = threading.Thread(target=postgres.start)
    connection = to(postgres.url)
    back.start()
    connection.ensure_connection()
    back.join()
    assert connection.is_usable()
    assert pauses
    connection.close()


@pytest.mark.parametrize("wrong", ["/nowhere", "/postgres?user=nobody"])
def test_it_does_not_wait_where_the_server_says_no(
    postgres: Postgres, pauses: list[float], wrong: str
) -> None:
    connection = to(postgres.url.replace("/postgres", wrong, 1))
    if "nobody" in wrong:
        connection.settings_dict["USER"] = "nobody"
    with pytest.raises(OperationalError, match="does not exist"):
        connection.ensure_connection()
    assert pauses == []


def test_who_comes_long_after_the_server_went_is_refused_at_once(
    postgres: Postgres, pauses: list[float]
) -> None:
    postgres.stop()
    token = WAIT_S.set(0.5)
    try:
        connection = to(postgres.url)
        for _ in range(3):
            with pytest.raises(OperationalError, match="refused"):
                connection.ensure_connection()
        # All three were refused within the patience for one.
        assert len(pauses) <= 3
    finally:
        WAIT_S.reset(token)
        postgres.start()
    connection.ensure_connection()
    connection.close()
