"""Real Redis and PostgreSQL processes of a test run, on free ports, with data of their own.

Where one is not installed its tests are skipped, and say so; in CI they fail.
"""

import functools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg
import pytest
import redis

from tests.support.commands import inherited, manage
from tests.support.new_databases import once
from tests.support.servers import free_port

READY_WITHIN_S = 30
_CHROMIUMS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
CHROMIUM = next((one for one in _CHROMIUMS if one.exists()), _CHROMIUMS[-1])
"""The same engine without windows, where it is installed: two thirds of the work."""
IS_CI = bool(os.environ.get("CI"))


def redis_program() -> str | None:
    """Path of redis-server, if it is installed."""
    return shutil.which("redis-server")


def postgres_programs() -> Path | None:
    """Folder of initdb and postgres, if they are installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


FOUND: dict[str, Callable[[], object]] = {
    "redis-server": redis_program,
    "PostgreSQL": postgres_programs,
    "Chromium": CHROMIUM.exists,
    "openssl": functools.partial(shutil.which, "openssl"),
}
"""What tests need beside Python, and whether it is here."""


def missing(*wanted: str) -> str:
    """Which of these cannot be started here; in CI none may be missing.

    Args:
        wanted: names of ``FOUND``; none: both services.
    """
    names = [name for name in wanted or ("redis-server", "PostgreSQL") if not FOUND[name]()]
    assert not (names and IS_CI), f"not installed: {names}; run .ci/services"
    return " and ".join(names)


def skip_without(*wanted: str) -> None:
    """Skip the test that asks where one of these is not installed; in CI it fails."""
    if absent := missing(*wanted):
        pytest.skip(f"not installed: {absent}")


def wait_for(ready: Callable[[], object], *failures: type[Exception]) -> None:
    """Try until it works."""
    deadline = time.monotonic() + READY_WITHIN_S
    while True:
        try:
            ready()
        except failures:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


class Service:
    """A process with a folder; ``with`` starts and stops it."""

    url: str

    def __init__(self) -> None:
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.folder = Path(tempfile.mkdtemp(prefix="bazaar-service-"))

    def start(self) -> None:
        """Start it and wait until it answers."""
        raise NotImplementedError

    def stop(self) -> None:
        """Stop it at once; its data stays until the end of ``with``."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Redis(Service):
    """A Redis server; only one that ``keeps`` has its data again after it was killed."""

    def __init__(self, *, keeps: bool = False) -> None:
        super().__init__()
        self.keeps = keeps

    def start(self) -> None:
        """Start it and wait until it answers."""
        self.url = f"redis://127.0.0.1:{self.port}/0"
        program = redis_program()
        assert program
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        options += ["--appendonly", "yes"] if self.keeps else []
        self.process = subprocess.Popen(
            [program, *options, "--dir", str(self.folder)], stdout=subprocess.DEVNULL
        )
        with redis.Redis.from_url(self.url) as client:
            wait_for(client.ping, redis.ConnectionError)


class Postgres(Service):
    """A PostgreSQL server; run as the user postgres when the tests run as root.

    Its database has been migrated, once in a run; each server begins with a copy. A ``durable``
    one waits for the disk at every commit, as a real one does.
    """

    def __init__(self, *, durable: bool = False) -> None:
        super().__init__()
        self.durable = durable

    def start(self) -> None:
        """Start it and wait until it answers."""
        self.url = f"postgres://bazaar@127.0.0.1:{self.port}/postgres"
        programs = postgres_programs()
        assert programs
        data = self.folder / "data"
        if not data.exists():
            self._fill(programs, data)
        fsync = "on" if self.durable else "off"
        options = ["-c", f"fsync={fsync}", "-c", "listen_addresses=127.0.0.1"]
        options += ["-c", f"unix_socket_directories={self.folder}", "-c", "max_connections=60"]
        self.process = subprocess.Popen(
            [
                *self._as_other_user(),
                *(str(programs / "postgres"), "-D", str(data), "-p", str(self.port)),
                *options,
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_for(lambda: psycopg.connect(self.url).close(), psycopg.OperationalError)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it fast (SIGINT) or immediately (SIGQUIT), as after a power cut.

        A killed postmaster would leave its children behind.
        """
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(READY_WITHIN_S)
            self.process = None

    def _fill(self, programs: Path, data: Path) -> None:
        shutil.copytree(once("postgresql", _migrate) / "data", data)
        self._give_folder()

    def _give_folder(self) -> None:
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            for path in (self.folder, *self.folder.rglob("*")):
                os.chown(path, user.pw_uid, user.pw_gid)

    def _as_other_user(self) -> list[str]:
        if os.geteuid() != 0:
            return []
        return ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]

    def _run(self, *command: str) -> None:
        done = subprocess.run(
            [*self._as_other_user(), *command], capture_output=True, text=True, check=False, cwd="/"
        )
        assert done.returncode == 0, done.stdout + done.stderr


class _Migrated(Postgres):
    """What others copy."""

    def _fill(self, programs: Path, data: Path) -> None:
        self._give_folder()
        self._run(
            *(str(programs / "initdb"), "--pgdata", str(data), "--username", "bazaar"),
            *("--auth", "trust", "--encoding", "UTF8", "--no-locale", "--no-sync"),
        )


def _migrate(folder: Path) -> None:
    with _Migrated() as made, tempfile.TemporaryDirectory() as data_dir:
        told = {"BAZAAR_DATA_DIR": data_dir, "DATABASE_URL": made.url}
        manage({**inherited(), **told}, "migrate", "--verbosity", "0")
        made.stop()
        shutil.copytree(made.folder / "data", folder / "data")
