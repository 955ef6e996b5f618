"""The real site in a process of its own, on a free port, with its own data."""

import os
import signal
import socket
import sqlite3
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec
import psycopg

from bazaar_site import programs
from bazaarbatna.bargain.scenario import Scenario
from tests.support.commands import ROOT, inherited, manage
from tests.support.new_databases import SQLITE, make_database
from tests.support.warm import SITE, begin

READY_WITHIN_S = 60
STOP_WITHIN_S = 10

QUICK = {
    "BAZAAR_BUYER_PAUSE_S": "0",
    "BAZAAR_TAKE_BACK_S": "0",
    "BAZAAR_ARENA_PAUSE_S": "0.05",
    "BAZAAR_MARKET_PACE_S": "0.05",
    "BAZAAR_LIMIT_MATCHES": "100000/hour",
    "BAZAAR_LIMIT_GAMES": "100000/hour",
    "BAZAAR_LIMIT_VISITORS": "100000/hour",
    "BAZAAR_LIMIT_MESSAGES": "100000/second",
    "BAZAAR_LIMIT_FRAMES": "100000/second",
    "BAZAAR_LIMIT_SOCKETS": "100000/second",
    "BAZAAR_ENV_MESSAGES": "0",
    "BAZAAR_ENV_GAMES": "0",
}
"""No pauses and no limits: what most tests want."""


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Site:
    """Daphne serving the site: ``with Site(tmp_path) as site: site.url``.

    Migrates and loads the catalogue before the first start. ``kill`` is kill -9; ``restart``
    starts again on the same port and data. ``environment`` adds or replaces variables. Where TLS
    ends in front of it, ``trust`` believes the certificate.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        catalogue: bool = True,
        port: int | None = None,
        **environment: str,
    ) -> None:
        self.data_dir = data_dir
        self.catalogue = catalogue
        self.port = port or free_port()
        self.environment = {
            **inherited(),
            "BAZAAR_DATA_DIR": str(data_dir),
            "PYTHONUNBUFFERED": "1",
            **QUICK,
            **environment,
        }
        self.process: subprocess.Popen[bytes] | None = None
        self.trust: ssl.SSLContext | None = None

    @property
    def url(self) -> str:
        """Address of the site, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def ws_url(self) -> str:
        """Address of its sockets, without a slash at the end."""
        return f"ws://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """What the server printed so far."""
        path = self.data_dir / f"daphne-{self.port}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def __enter__(self) -> Self:
        self.prepare()
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()  # nobody needs its data any more, and a goodbye takes a second

    def manage(self, *arguments: str) -> str:
        """Run a management command on the site's data and give what it printed."""
        return manage(self.environment, *arguments)

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Ask the site's database, past the site. Placeholders are ``%s``."""
        url = self.environment.get("DATABASE_URL")
        if url:
            with psycopg.connect(url) as database:
                return database.execute(sql, values).fetchall()
        with closing(sqlite3.connect(self.data_dir / SQLITE, timeout=20)) as file:
            return file.execute(sql.replace("%s", "?"), values).fetchall()

    def execute(self, sql: str, *values: object) -> None:
        """Change the site's database behind its back. Placeholders are ``%s``."""
        url = self.environment.get("DATABASE_URL")
        if url:
            with psycopg.connect(url) as database:
                database.execute(sql, values)
            return
        with closing(sqlite3.connect(self.data_dir / SQLITE, timeout=20)) as file:
            file.execute(sql.replace("%s", "?"), values)
            file.commit()

    def scenario(self, game_id: str) -> Scenario:
        """The scenario of a game with its sealed values, past the site."""
        sql = "select scenario from negotiation_sealedrecord where game_id = %s"
        return msgspec.json.decode(bytes(self.query(sql, game_id)[0][0]), type=Scenario)

    def numbers(self, game_id: str) -> list[int]:
        """Sequence numbers of a game's stored events, in order."""
        sql = "select seq from negotiation_eventrow where game_id = %s order by seq"
        return [row[0] for row in self.query(sql, game_id)]

    def prepare(self) -> None:
        """Make the database and fill the stall."""
        self.data_dir.mkdir(parents=True, exist_ok=True)
        make_database(self.environment, catalogue=self.catalogue)

    def start(self) -> None:
        """Serve, and wait until the first page answers."""
        command = programs.web_at("127.0.0.1", self.port)
        with (self.data_dir / f"daphne-{self.port}.log").open("ab") as log:
            self.process = begin(
                command, cwd=ROOT, env=self.environment, stdout=log, stderr=subprocess.STDOUT
            )
        self._wait_until_ready()

    def stop(self) -> None:
        """Ask the server to end, and make sure that it does."""
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(STOP_WITHIN_S)
        except subprocess.TimeoutExpired:
            self.kill()
        self.process = None

    def kill(self) -> None:
        """Kill -9: no goodbye, nothing flushed."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    @contextmanager
    def worker(self) -> Iterator[subprocess.Popen[bytes]]:
        """The worker whose results visitors wait for, as ``manage.py serve`` starts it."""
        with self._beside(programs.worker(), "grader.log") as worker:
            yield worker

    @contextmanager
    def slow_worker(self, knows: str = SITE) -> Iterator[subprocess.Popen[bytes]]:
        """The worker for long work, as ``manage.py serve`` starts it.

        Args:
            knows: which libraries its processes have already.
        """
        with self._beside(programs.slow_worker(), "worker.log", knows) as worker:
            yield worker

    @contextmanager
    def _beside(
        self, command: list[str], log_name: str, knows: str = SITE
    ) -> Iterator[subprocess.Popen[bytes]]:
        with (self.data_dir / log_name).open("ab") as log:
            worker = begin(
                command,
                cwd=ROOT, env=self.environment, knows=knows,
                stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        try:
            yield worker
        finally:
            if worker.poll() is None:
                os.killpg(worker.pid, signal.SIGKILL)
                worker.wait(STOP_WITHIN_S)

    def restart(self) -> None:
        """Start again where the last process ended."""
        self.stop()
        self.start()

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + READY_WITHIN_S
        while time.monotonic() < deadline:
            assert self.process is not None
            assert self.process.poll() is None, f"the server ended:\n{self.log}"
            try:
                with urllib.request.urlopen(f"{self.url}/favicon.ico", timeout=2):
                    return
            except urllib.error.HTTPError:
                return
            except OSError:
                time.sleep(0.05)
        self.kill()
        raise AssertionError(f"no page within {READY_WITHIN_S} s:\n{self.log}")
