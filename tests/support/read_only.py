"""The container's start as the image has it, on a machine whose root can only be read.

A mount namespace of its own stands in for the container: everything is read-only but the data
folder and an empty ``/tmp``, and the programs run as user 1000, who owns nothing else.
"""

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.commands import inherited
from tests.support.containers import copy_context, image_environment
from tests.support.servers import QUICK, Site, free_port

USER = 1000
WITHIN_S = 180

ENTER = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-euc")


def can_seal() -> bool:
    """Whether this machine lets us: it takes the rights of an administrator."""
    tried = subprocess.run(
        [*ENTER, "mount --make-rprivate / && mount -o remount,bind,ro /"],
        capture_output=True,
        check=False,
    )
    return tried.returncode == 0


class Sealed:
    """``with Sealed(folder) as container``: built, then started by the image's own command."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.data = folder / "data"
        self.code = copy_context(folder / "app")
        self._process: subprocess.Popen[bytes] | None = None
        self._log = folder / "container.log"
        venv = folder / "venv" / "bin"
        venv.mkdir(parents=True)
        python = venv / "python"
        python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
        python.chmod(0o755)
        (venv / ".site").touch()
        self.environment = {
            **inherited(),
            **image_environment(),
            **QUICK,
            "BAZAAR_DATA_DIR": str(self.data),
            "HF_HOME": str(self.data / "models"),
            "HOME": "/nonexistent",
            "VENV": str(venv.parent),
            "PATH": f"{venv}:{os.environ['PATH']}",
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
        }

    @property
    def site(self) -> Site:
        """The site as people see it."""
        seen = Site(self.data, port=self.port)
        seen.environment = self.environment
        return seen

    @property
    def log(self) -> str:
        """What it printed so far."""
        return self._log.read_text(errors="replace")

    def build(self) -> None:
        """Do what the Dockerfile does after its last COPY."""
        for command in (
            ["make", "locale/hi/LC_MESSAGES/django.mo"],
            ["python", "-m", "compileall", "-q", "."],
        ):
            done = subprocess.run(
                command, cwd=self.code, env=self.environment, capture_output=True, text=True,
                check=False,
            )  # fmt: skip
            assert done.returncode == 0, done.stdout + done.stderr
        self.data.mkdir()
        os.chown(self.data, USER, USER)

    def inside(self, *command: str) -> list[str]:
        """Wrap a command for the inside."""
        base = Path(sys.base_prefix)
        closed = next(
            (one for one in reversed(base.parents) if not one.stat().st_mode & 0o001), None
        )
        # An interpreter in a home that is closed to others is opened for the inside alone.
        opened = ""
        if closed is not None:
            at = shlex.quote(str(base))
            opened = (
                f"mkdir -p {self.folder}/py; mount --bind {at} {self.folder}/py; "
                f"mount -t tmpfs -o mode=755 none {shlex.quote(str(closed))}; "
                f"mkdir -p {at}; mount --bind {self.folder}/py {at}; "
                f"mount -o remount,bind,ro {at}; "
            )
        script = (
            f"mount --make-rprivate /; mount --bind {self.data} {self.data}; {opened}"
            "mount -t tmpfs -o mode=1777 none /mnt; mount -o remount,bind,ro /; "
            f'exec setpriv --reuid={USER} --regid={USER} --clear-groups -- "$@"'
        )
        return [*ENTER, script, "sh", *command]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end inside."""
        return subprocess.run(
            self.inside(*command), cwd=self.code, env={**self.environment, "TMPDIR": "/mnt"},
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    def __enter__(self) -> Self:
        self.build()
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self.inside("sh", "deploy/start.sh"), cwd=self.code,
                env={**self.environment, "TMPDIR": "/mnt"}, stdout=log, stderr=log,
                start_new_session=True,
            )  # fmt: skip
        deadline = time.monotonic() + WITHIN_S
        while self.run("python", "deploy/probe.py").returncode:
            assert self._process.poll() is None, self.log
            if time.monotonic() > deadline:
                self._end()
                raise AssertionError(self.log)
            time.sleep(0.5)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def _end(self) -> None:
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
