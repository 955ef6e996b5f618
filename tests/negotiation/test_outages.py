"""A disk without room, and a Redis that is away, are told apart from faults of the house."""

import sqlite3
from pathlib import Path

import pytest
import redis
from django.db import OperationalError
from psycopg import OperationalError as PostgresError
from psycopg.errors import AdminShutdown, CrashShutdown, DiskFull, SerializationFailure

from negotiation.games.wire_errors import fault
from negotiation.outages import is_away, is_cut_off, is_full


def a_full_file(folder: Path) -> sqlite3.Error:
    file = sqlite3.connect(folder / "small.sqlite3")
    file.execute("create table row (text)")
    file.execute("pragma max_page_count = 4")
    with pytest.raises(sqlite3.OperationalError) as raised:
        file.execute("insert into row values (?)", ("x" * 100_000,))
    file.close()
    return raised.value


def as_django_raises(wrong: Exception) -> Exception:
    raised = OperationalError(str(wrong))
    raised.__cause__ = wrong
    return raised


def test_a_full_disk_is_known_by_what_either_database_says(tmp_path: Path) -> None:
    full = as_django_raises(a_full_file(tmp_path))
    assert is_full(full)
    assert is_full(as_django_raises(DiskFull("could not extend file")))
    assert fault(full)["code"] == "no-room"


def test_a_database_that_is_locked_or_wrong_is_not_full() -> None:
    locked = sqlite3.OperationalError("database is locked")
    locked.sqlite_errorcode = sqlite3.SQLITE_BUSY
    for wrong in (locked, SerializationFailure("again"), PermissionError(13, "no")):
        assert not is_full(as_django_raises(wrong))
        assert fault(as_django_raises(wrong))["code"] == "server-error"
    assert not is_full(None)


def test_redis_is_away_where_it_does_not_answer_and_not_where_it_refuses() -> None:
    assert is_away(redis.ConnectionError("refused"))
    assert is_away(as_django_raises(redis.TimeoutError("slow")))
    assert not is_away(redis.ResponseError("unknown command"))


def test_postgresql_is_away_where_it_stops_or_starts_and_not_where_it_refuses() -> None:
    for wrong in (
        PostgresError('connection to server at "127.0.0.1", port 5432 failed: Connection refused'),
        PostgresError("server closed the connection unexpectedly"),
        AdminShutdown("terminating connection due to administrator command"),
        CrashShutdown("terminating connection because of crash of another server process"),
    ):
        assert is_cut_off(as_django_raises(wrong))
        assert is_away(as_django_raises(wrong))
        told = fault(as_django_raises(wrong))
        assert (told["code"], told["retry_after"]) == ("away", 5)
    for refused in (SerializationFailure("again"), DiskFull("no"), sqlite3.OperationalError("no")):
        assert not is_cut_off(as_django_raises(refused))
