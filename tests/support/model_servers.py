"""Model servers on this machine: a real one with a tiny model, and one that fails on demand.

``python -m tests.support.model_servers --port 9201`` runs the second as a process of its own:
``GET /script`` tells what it was asked, ``POST /script`` takes a ``Script``, ``DELETE /script``
starts afresh. For example::

    curl -X POST localhost:9201/script -d '{"always": {"type": "status", "status": 503}}'
"""

import argparse
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.commands import ROOT
from tests.support.faulty_server import FaultyServer
from tests.support.model_answers import Say
from tests.support.servers import free_port

READY_WITHIN_S = 120
"""Seconds; importing torch on a busy machine takes most of a minute."""

STOP_WITHIN_S = 10


class TransformersServe:
    """``transformers serve`` with one model from a folder, offline; ``with`` starts and stops it.

    ``model`` is the name that it answers to: its folder.
    """

    def __init__(self, folder: Path, port: int | None = None) -> None:
        self.model = str(folder)
        self.port = port or free_port()
        self.log = folder.parent / f"transformers-serve-{self.port}.log"
        self._home = folder.parent / "hf-home"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its address, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        (self._home / "hub").mkdir(parents=True, exist_ok=True)
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("COV_")},
            "HF_HOME": str(self._home),
            "HF_HUB_OFFLINE": "1",
            "TOKENIZERS_PARALLELISM": "false",
        }
        program = "from transformers.cli.transformers import main; main()"
        command = [sys.executable, "-c", program, "serve", self.model]
        command += ["--host", "127.0.0.1", "--port", str(self.port), "--device", "cpu"]
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT
            )
        deadline = time.monotonic() + READY_WITHIN_S
        while not self._is_ready():
            assert time.monotonic() < deadline, f"not ready:\n{self.log.read_text()}"
            time.sleep(0.05)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process is not None
        self._process.terminate()
        try:
            self._process.wait(STOP_WITHIN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _is_ready(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, f"it ended:\n{self.log.read_text()}"
        try:
            with urllib.request.urlopen(f"{self.url}/health", timeout=2):
                return True
        except OSError:
            return False


def main() -> None:
    """Serve until the process is asked to end."""
    parser = argparse.ArgumentParser(description="A scripted model server.")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--say", default="", help="what to answer until a script says otherwise")
    options = parser.parse_args()
    server = FaultyServer(options.port)
    if options.say:
        server.always(Say(options.say))
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    with server:
        print(f"a scripted model server is at {server.url}", flush=True)
        signal.sigwait({signal.SIGINT, signal.SIGTERM})


if __name__ == "__main__":
    main()
