"""A model process for tests: killed, stopped and started again at will."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.commands import ROOT, inherited
from tests.support.waiting import until
from tests.support.warm import SITE, begin


class ModelProcess:
    """``with ModelProcess(model) as served``: one model of a folder behind ``served.place``."""

    def __init__(self, model: Path, **environment: str) -> None:
        # A socket's path is short, those of tests are long.
        self._folder = tempfile.mkdtemp(prefix="bazaar-test-")
        self.place = f"{self._folder}/models"
        self._environment = {
            **inherited(),
            "BAZAAR_DATA_DIR": self._folder,
            "SAUDA_LOCAL_MODEL": str(model),
            **environment,
        }
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()
        shutil.rmtree(self._folder)

    def start(self) -> None:
        """Start it, and wait until it listens."""
        command = [sys.executable, "-m", "agents.model_process", self.place]
        self.process = begin(command, cwd=ROOT, env=self._environment, knows=SITE)
        until(Path(self.place).exists)

    def kill(self) -> None:
        """Kill -9; its socket stays behind."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def signal(self, number: int) -> None:
        """Send a signal."""
        assert self.process is not None
        os.kill(self.process.pid, number)
