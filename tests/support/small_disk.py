"""A disk of a few megabytes, that can be filled up and cleared again."""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

FILLER = "filler"
PIECES = (1 << 20, 1 << 12, 1)
"""It is filled with large pieces first, at last byte by byte."""


class SmallDisk:
    """A folder on a file system of its own, in memory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self) -> None:
        """Leave no room for one more byte."""
        with (self.folder / FILLER).open("ab", buffering=0) as file:
            for piece in PIECES:
                with contextlib.suppress(OSError):
                    while True:
                        file.write(b"\0" * piece)

    def clear(self) -> None:
        """Take away what it was filled with."""
        (self.folder / FILLER).unlink(missing_ok=True)


@contextlib.contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[SmallDisk | None]:
    """Mount one at a folder; None where this user may not, or the system knows no such thing."""
    folder.mkdir(parents=True, exist_ok=True)
    options = ["-t", "tmpfs", "-o", f"size={megabytes}m,mode=700,uid={os.getuid()}"]
    try:
        command = ["mount", *options, "tmpfs", str(folder)]
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        yield None
        return
    try:
        yield SmallDisk(folder)
    finally:
        # Whoever still had a file open there keeps it until he closes it.
        subprocess.run(["umount", "--lazy", str(folder)], check=False, capture_output=True)
