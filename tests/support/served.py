"""The site as ``manage.py serve`` runs it: web processes and model processes under one parent."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx

from tests.support.commands import ROOT
from tests.support.servers import Site
from tests.support.warm import begin

KINDS = {"daphne": "web", "agents.model_process": "models", "celery": "workers"}
"""What a command line holds, and what such a process is called here."""
LOADED_WITHIN_S = 120
TICK_S = 1 / os.sysconf("SC_CLK_TCK")


def children(parent: int) -> dict[int, str]:
    """Return the processes whose parent this is, by number, with their command lines."""
    found = {}
    for folder in Path("/proc").iterdir():
        try:
            stat = (folder / "stat").read_text() if folder.name.isdigit() else ""
            if stat and int(stat.rsplit(")", 1)[1].split()[1]) == parent:
                found[int(folder.name)] = (folder / "cmdline").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


class Served(Site):
    """``with Served(tmp_path, web=2) as site``; ``BAZAAR_MODEL_PROCESSES`` says how many models."""

    def __init__(self, data_dir: Path, *, web: int = 1, **given: object) -> None:
        super().__init__(data_dir, **given, BAZAAR_WEB_PROCESSES=str(web))  # type: ignore[arg-type]

    def start(self) -> None:
        """Serve, and wait until the first page answers."""
        command = [sys.executable, "manage.py", "serve", "--only", "web", "--port", str(self.port)]
        environment = {**self.environment, "BAZAAR_LOG_JSON": "true"}
        with (self.data_dir / f"daphne-{self.port}.log").open("ab") as log:
            self.process = begin(
                command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT
            )
        self._wait_until_ready()

    def kill(self) -> None:
        """End it in order: the children of a parent that was killed would live on."""
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(60)
            self.process = None

    def processes(self) -> dict[int, str]:
        """Name the kind of every child by its number."""
        assert self.process is not None
        return {
            pid: next((kind for part, kind in KINDS.items() if part in line), "other")
            for pid, line in children(self.process.pid).items()
        }

    def pids(self, kind: str) -> list[int]:
        """Return the numbers of one kind of child."""
        return [pid for pid, known in self.processes().items() if known == kind]

    def cpu_s(self) -> dict[str, float]:
        """Return the processor seconds of each kind of process so far."""
        found: dict[str, float] = {}
        for pid, kind in self.processes().items():
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            found[kind] = found.get(kind, 0.0) + (int(fields[11]) + int(fields[12])) * TICK_S
        return found

    def memory_mb(self) -> dict[str, float]:
        """Return the proportional memory of each kind of process."""
        found: dict[str, float] = {}
        for pid, kind in self.processes().items():
            rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
            size = next(line for line in rollup.splitlines() if line.startswith("Pss:"))
            found[kind] = found.get(kind, 0.0) + int(size.split()[1]) / 1024
        return {kind: round(size, 1) for kind, size in found.items()}

    def voice(self) -> str:
        """Say who would speak now, in the words of ``/sauda/health``."""
        return str(httpx.get(f"{self.url}/sauda/health", timeout=10).json()["speaking"])

    def wait_for_the_model(self) -> None:
        """Wait until every web process says that the local model speaks."""
        deadline = time.monotonic() + LOADED_WITHIN_S
        in_a_row = 0
        while in_a_row < 5:
            assert time.monotonic() < deadline, self.log
            time.sleep(0.3)
            in_a_row = in_a_row + 1 if self.voice() == "local" else 0
