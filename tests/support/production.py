"""compose.yaml as it stands, with processes in place of containers: a public site of this machine.

Commands and variables are read from the file; only addresses are replaced: PostgreSQL and Redis are
those of the test run, the code lies where .dockerignore lets it, TLS ends in ``tls_front``.
"""

import os
import shlex
import signal
import subprocess
import sys
import time
from base64 import urlsafe_b64encode
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.commands import inherited
from tests.support.containers import copy_context, image_environment, services
from tests.support.servers import QUICK, Site, free_port
from tests.support.services import Postgres, Redis
from tests.support.tls_front import TlsFront

WITHIN_S = 90

LISTENING, ESTABLISHED = "0A", "01"
"""States of a connection in /proc/net/tcp."""

PUBLIC = {
    "BAZAAR_SECRET_KEY": "only-for-tests-but-as-long-as-a-real-one-0123456789",
    "BAZAAR_SIGNING_KEY": urlsafe_b64encode(bytes(range(32))).decode(),
    "POSTGRES_PASSWORD": "unused",
    "BAZAAR_ALLOWED_HOSTS": "localhost",
    "BAZAAR_HTTPS": "true",
    "TRUSTED_PROXIES": "127.0.0.1",
    "BAZAAR_LOG_JSON": "true",
}
"""What the operator's .env says."""


class Production:
    """``with Production(folder, postgres, redis) as site``: set up, served, worked for.

    ``site.people`` is the site as people reach it: over TLS, at one port.
    """

    def __init__(self, folder: Path, postgres: Postgres, redis: Redis) -> None:
        self.folder = folder
        self.port = free_port()
        self.code = copy_context(folder / "app")
        self._bin = self._make_environment()
        self._replaced = {
            "BAZAAR_DATA_DIR": str(folder / "data"),
            "DATABASE_URL": postgres.url,
            "REDIS_URL": redis.url,
            "PORT": str(self.port),
            "HF_HOME": str(folder / "models"),
            "VENV": str(self._bin.parent),
            "PATH": f"{self._bin}:{os.environ['PATH']}",
        }
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._front = TlsFront(folder, self.port)

    @property
    def people(self) -> Site:
        """The site as people see it."""
        seen = PublicSite(self.folder / "data", port=self._front.port, **self._replaced)
        seen.trust = self._front.trust
        return seen

    @property
    def log(self) -> str:
        """What all services printed so far."""
        return "".join(path.read_text(errors="replace") for path in self.folder.glob("*.log"))

    def environment(self, service: str) -> dict[str, str]:
        """The variables of a service."""
        said = services(PUBLIC)[service].get("environment", {})
        told = {name: str(value) for name, value in said.items()}
        return {**inherited(), **image_environment(), **QUICK, **PUBLIC, **told, **self._replaced}

    def run(self, service: str, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end where a service runs: ``docker compose exec``."""
        return subprocess.run(
            command,
            cwd=self.code,
            env=self.environment(service),
            capture_output=True,
            text=True,
            check=False,
        )

    def start(self, service: str) -> None:
        """Start a service by its own command."""
        command = shlex.split(services(PUBLIC)[service]["command"])
        at_port = [str(self.port) if word == "8000" else word for word in command]
        with (self.folder / f"{service}.log").open("ab") as log:
            self._running[service] = subprocess.Popen(
                at_port,
                cwd=self.code,
                env=self.environment(service),
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def pid(self, service: str) -> int:
        """The process of a service."""
        return self._running[service].pid

    def is_well(self) -> bool:
        """Ask as the container's health check does."""
        probe = services(PUBLIC)["web"]["healthcheck"]["test"]
        return self.run("web", *probe[1:]).returncode == 0

    def __enter__(self) -> Self:
        setup = self.run("setup", *shlex.split(services(PUBLIC)["setup"]["command"]))
        assert setup.returncode == 0, setup.stdout + setup.stderr
        try:
            for service in ("web", "worker"):
                self.start(service)
            deadline = time.monotonic() + WITHIN_S
            while not self.is_well():
                assert time.monotonic() < deadline, self.log
                time.sleep(0.2)
            self._front.__enter__()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._front.__exit__(kind, error, trace)
        finally:
            self._stop()

    def _stop(self) -> None:
        for running in self._running.values():
            running.send_signal(signal.SIGTERM)
        for running in self._running.values():
            running.wait(WITHIN_S)

    def _make_environment(self) -> Path:
        """Stand in for the image's virtual environment: the one that runs the tests."""
        folder = self.folder / "venv" / "bin"
        folder.mkdir(parents=True)
        python = folder / "python"
        python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
        python.chmod(0o755)
        (folder / ".site").touch()
        return folder


class PublicSite(Site):
    """A site behind TLS."""

    @property
    def url(self) -> str:
        """Address of the site, without a slash at the end."""
        return f"https://localhost:{self.port}"

    @property
    def ws_url(self) -> str:
        """Address of its sockets, without a slash at the end."""
        return f"wss://localhost:{self.port}"


def web_processes(parent: int) -> dict[int, int]:
    """Web processes of a ``serve``, and how many connections each of them holds."""
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            status = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            if int(status[1]) == parent and "daphne" in (folder / "cmdline").read_text():
                found[int(folder.name)] = _connections(folder)
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def _connections(process: Path) -> int:
    """Count the open sockets of a process that are connections to its listening port."""
    own = {str(link.readlink()) for link in (process / "fd").iterdir()}
    rows = [line.split() for line in (process / "net" / "tcp").read_text().splitlines()[1:]]
    mine = [row for row in rows if f"socket:[{row[9]}]" in own]
    ports = {row[1].split(":")[1] for row in mine if row[3] == LISTENING}
    return sum(row[3] == ESTABLISHED and row[1].split(":")[1] in ports for row in mine)
