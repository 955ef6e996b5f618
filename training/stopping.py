"""How a worker that stops tells its children: a file with its number beside the runs.

The children play, and only the worker itself hears that it shall stop. A worker that is killed
tells nobody: its children notice that they have another parent.
"""

import os
from pathlib import Path

from django.conf import settings

_worker: int | None = None


def remember_worker() -> None:
    """Note, in a child of a worker, whose child it is."""
    global _worker  # noqa: PLW0603  a fact of the process
    _worker = os.getppid()


def announce() -> None:
    """Say, in a worker, that it is stopping."""
    _file(os.getpid()).touch()


def forget() -> None:
    """Say, in a worker that starts, that it is not, whoever had its number before."""
    _file(os.getpid()).unlink(missing_ok=True)


def is_stopping() -> bool:
    """Tell, in a child of a worker, whether the worker is stopping, or gone."""
    if _worker is not None and os.getppid() != _worker:
        return True
    return _file(os.getppid()).exists()


def _file(worker: int) -> Path:
    folder = Path(settings.RUNS_DIR)
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f".stopping-{worker}"
