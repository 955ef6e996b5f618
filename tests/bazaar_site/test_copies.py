"""A copy ends while others write, holds no other copies, and comes back whole or not at all."""

import io
import os
import sqlite3
import subprocess
import tarfile
import threading
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import dj_database_url
import msgspec
import pytest
from django.core.management import CommandError, call_command

from bazaar_site.operating import copies, databases, journal

MOST = 50_000
"""Writes of a minute, one in a millisecond: a copy that waits for a pause waits for their end."""


@pytest.fixture
def data(settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The data folder of a site on SQLite, with a database of several megabytes."""
    folder = tmp_path / "data"
    folder.mkdir()
    settings.DATA_DIR = folder
    place = folder / "bazaar.sqlite3"
    uses(monkeypatch, "sqlite", {"NAME": str(place)})
    with closing(opened(place)) as database:
        database.execute("pragma journal_mode=wal")
        database.execute("create table moves (number integer)")
        database.execute("create table games (log blob)")
        database.executemany("insert into games values (zeroblob(1000000))", [()] * 24)
    place.chmod(0o600)
    return folder


def uses(monkeypatch: pytest.MonkeyPatch, vendor: str, settings_dict: Any) -> None:
    """Have the copies look at another database than that of the tests."""
    there = SimpleNamespace(vendor=vendor, settings_dict=settings_dict, close=lambda: None)
    monkeypatch.setattr(databases, "connection", there)


def opened(place: Path) -> sqlite3.Connection:
    return sqlite3.connect(place, isolation_level=None, timeout=60)


def told(place: Path, question: str) -> Any:
    with closing(opened(place)) as database:
        return database.execute(question).fetchone()[0]


def test_a_copy_is_of_one_moment_however_much_is_written_meanwhile(
    data: Path, tmp_path: Path
) -> None:
    begun, done = threading.Event(), threading.Event()
    most = 0

    def writes() -> None:
        nonlocal most
        with closing(opened(data / "bazaar.sqlite3")) as database:
            database.execute("pragma synchronous=off")
            while most < MOST and not done.wait(0.001):
                database.execute("insert into moves values (1)")
                most += 1
                begun.set()

    writer = threading.Thread(target=writes)
    writer.start()
    begun.wait()
    try:
        databases.dump(tmp_path / "database")
    finally:
        done.set()
        writer.join()
    assert 0 < told(tmp_path / "database", "select count(*) from moves") <= most < MOST
    assert told(tmp_path / "database", "pragma integrity_check") == "ok"
    # Who closed the database to others finds it closed when it comes back.
    assert (tmp_path / "database").stat().st_mode & 0o777 == 0o600


@pytest.mark.django_db
def test_a_copy_beside_earlier_ones_holds_none_of_them(data: Path) -> None:
    (data / "runs").mkdir()
    (data / "runs" / "model.tar").write_bytes(b"a model")
    for name in ("first.tar", "second.tar"):
        copies.make_copy(data / name)
        with tarfile.open(data / name) as tar:
            assert tar.getnames() == ["database", "data/runs/model.tar", "manifest.json"]
        assert (data / name).stat().st_mode & 0o777 == 0o600


def unpacked(folder: Path, **files: str) -> Path:
    """What a copy holds that was unpacked."""
    for name, words in files.items():
        place = folder / copies.FOLDER / name.replace("__", "/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(words)
    with closing(opened(folder / copies.DATABASE)) as database:
        database.execute("create table games (log blob)")
    return folder


def test_what_comes_back_takes_the_place_of_what_was_there(data: Path, tmp_path: Path) -> None:
    (data / "key").write_text("old")
    copy = unpacked(tmp_path / "copy", key="new", runs__notes="a run")
    copies.bring_back(copy, data / "aside")
    assert (data / "key").read_text() == "new"
    assert (data / "runs" / "notes").read_text() == "a run"
    assert told(data / "bazaar.sqlite3", "select count(*) from games") == 0
    assert (data / "aside" / "key").read_text() == "old"
    assert told(data / "aside" / "bazaar.sqlite3", "select count(*) from games") == 24


def test_a_file_that_finds_no_place_leaves_everything_as_it_was(data: Path, tmp_path: Path) -> None:
    (data / "key").write_text("old")
    (data / "runs").write_text("a file where a folder should be")
    copy = unpacked(tmp_path / "copy", key="new", more="more", runs__notes="a run")
    with pytest.raises(OSError, match="runs"):
        copies.bring_back(copy, data / "aside")
    assert_untouched(data)


def test_and_so_does_a_database_that_is_damaged(data: Path, tmp_path: Path) -> None:
    (data / "key").write_text("old")
    copy = unpacked(tmp_path / "copy", key="new", more="more")
    whole = (copy / copies.DATABASE).read_bytes()
    (copy / copies.DATABASE).write_bytes(whole[:4096].ljust(8192, b"x"))
    with pytest.raises(databases.DatabaseFailed):
        copies.bring_back(copy, data / "aside")
    assert_untouched(data)


def killed_after(moves: int, copy: Path, aside: Path) -> bool:
    """Bring a copy back in a process that dies after so many files; whether it got so far."""
    child = os.fork()
    if not child:
        left = iter(range(moves))
        real = Path.replace

        def replace(self: Path, target: Path) -> Path:
            # The journal's own file is no step of the way.
            if self.suffix != ".new" and next(left, None) is None:
                os._exit(9)
            return real(self, target)

        Path.replace = replace  # type: ignore[method-assign,assignment]
        copies.bring_back(copy, aside)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@pytest.mark.parametrize("is_first", [False, True], ids=["over a site", "into an empty folder"])
def test_a_restore_that_was_killed_is_seen_and_undone(
    data: Path, tmp_path: Path, is_first: bool
) -> None:
    (data / "key").write_text("old")
    if is_first:
        (data / "bazaar.sqlite3").unlink()
    moves = 0
    while True:
        copy = unpacked(tmp_path / f"copy{moves}", key="new", more="more")
        if not killed_after(moves, copy, data / "aside"):
            break
        assert [one.id for one in journal.look_for_killed()] == ["bazaar.E002"]
        call_command("restore", undo=True, stdout=io.StringIO())
        assert journal.look_for_killed() == []
        assert not (data / "aside").exists()
        assert (data / "key").read_text() == "old"
        assert not (data / "more").exists()
        assert (data / "bazaar.sqlite3").exists() is not is_first
        if not is_first:
            assert_untouched(data)
        moves += 1
    # The key aside and back, one more file, and the database, where there was one aside first.
    assert moves == (4 if is_first else 5)
    assert (data / "more").read_text() == "more"
    assert journal.begun() is None
    with pytest.raises(CommandError, match="nothing to undo"):
        call_command("restore", undo=True)


def test_another_copy_after_a_restore_that_was_killed_comes_back_alone(
    data: Path, tmp_path: Path
) -> None:
    (data / "key").write_text("old")
    assert killed_after(3, unpacked(tmp_path / "one", key="one", more="more"), data / "aside")
    assert (data / "more").exists()
    copies.bring_back(unpacked(tmp_path / "two", key="two"), data / "aside-two")
    assert (data / "key").read_text() == "two"
    assert not (data / "more").exists()
    assert (data / "aside-two" / "key").read_text() == "old"
    assert told(data / "aside-two" / "bazaar.sqlite3", "select count(*) from games") == 24


def test_nobody_guesses_whether_postgresql_has_the_copy(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "connection", SimpleNamespace(vendor="postgresql"))
    killed = journal.Journal(
        "files", ".restore-x", "aside", had_database=False, files={"more": False}
    )
    (data / "more").write_text("more")
    journal.begin(msgspec.structs.replace(killed, step="database"))
    with pytest.raises(CommandError, match="the same copy again"):
        call_command("restore", undo=True)
    assert (data / "more").exists()
    journal.begin(killed)
    call_command("restore", undo=True, stdout=io.StringIO())
    assert not (data / "more").exists()


def assert_untouched(data: Path) -> None:
    assert (data / "key").read_text() == "old"
    assert not (data / "more").exists()
    assert told(data / "bazaar.sqlite3", "select count(*) from games") == 24


def test_a_program_of_postgresql_trusts_no_other_server_than_the_site(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url = "postgres://asha:word@db.example:5433/bazaar?sslmode=verify-full&sslrootcert=/etc/ca.pem"
    uses(monkeypatch, "postgresql", dj_database_url.parse(url))
    monkeypatch.setattr(databases.shutil, "which", lambda name: f"/usr/bin/{name}")
    asked: dict[str, Any] = {}

    def runs(command: list[str], **options: Any) -> subprocess.CompletedProcess[bytes]:
        asked.update(options["env"], command=command)
        return subprocess.CompletedProcess(command, 0, b"", b"")

    monkeypatch.setattr(databases.subprocess, "run", runs)
    databases.dump(Path("/nowhere/database"))
    assert (asked["PGHOST"], asked["PGPORT"]) == ("db.example", "5433")
    assert (asked["PGSSLMODE"], asked["PGSSLROOTCERT"]) == ("verify-full", "/etc/ca.pem")
    assert "word" not in " ".join(asked["command"])
