"""Which code made a result, and on which machine: what receipts carry."""

import contextlib
import os
import platform
import subprocess
from collections.abc import Sequence
from importlib import metadata

from django.conf import settings

ROOMS = (
    "bazaarbatna",
    "negotiation",
    "agents",
    "training/evaluation",
    "training/data",
    "training/sellers",
    "constraints.txt",
)
"""What decides how a bargain goes: both sides, teachers and other sellers too."""

TRAINING = (*ROOMS, "training/judging", "training/stages")
"""What decides what comes out of a stage of training."""

LIBRARIES = ("torch", "transformers", "trl", "peft")
CHANGED = "+changes"  # Follows a commit whose rooms have been changed since


def code_version(rooms: Sequence[str] = ROOMS) -> str:
    """Name the commit, 12 digits, with ``+changes`` where the code differs from it.

    ``BAZAAR_COMMIT`` comes before git; "unknown" where neither says anything.
    """
    if settings.COMMIT:
        return str(settings.COMMIT)
    commit = _git("rev-parse", "--short=12", "HEAD")
    if not commit:
        return "unknown"
    return commit + (CHANGED if _git("status", "--porcelain", "--", *rooms) else "")


def machine() -> dict[str, str]:
    """Describe this machine: Python, system, processor, number of cores."""
    return {
        "python": f"Python {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "cores": f"{os.cpu_count() or 1} cores",
    }


def libraries() -> dict[str, str]:
    """Return the versions of what trains models, without importing it."""
    found = {}
    for name in LIBRARIES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            found[name] = f"{name} {metadata.version(name)}"
    return found


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603  our own words
            ["git", *arguments],  # noqa: S607  wherever it is installed
            cwd=settings.BASE_DIR,
            capture_output=True,
            text=True,
            check=True,
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
