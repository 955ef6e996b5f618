"""Who works on a run's folder: a lock that a process loses when it dies, however it dies."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

LOCK = ".lock"


class Busy(OSError):
    """Another process works in the folder."""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep every other process away from a folder.

    Raises:
        Busy: somebody is at it already.
    """
    with (folder / LOCK).open("a") as file:
        _take(file)
        yield


def is_free(folder: Path) -> bool:
    """Whether nobody works in a folder; False also where this machine cannot see it."""
    try:
        with (folder / LOCK).open("r") as file:
            _take(file)
    except OSError:
        return False
    return True


def is_held(folder: Path) -> bool:
    """Whether a process of this machine works in a folder."""
    return (folder / LOCK).exists() and not is_free(folder)


def _take(file: IO[str]) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise Busy(f"Another process works in {Path(file.name).parent.name}.") from error
