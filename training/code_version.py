"""Which code made a result, and on which machine: what receipts carry."""

import os
import platform
import subprocess

from django.conf import settings

ROOMS = ("negotiation", "agents", "training/evaluation", "constraints.txt")
"""What decides how a bargain goes."""

CHANGED = "+changes"
"""Follows a commit whose rooms have been changed since."""


def code_version() -> str:
    """Name the commit, 12 digits, with ``+changes`` where the code differs from it.

    Returns:
        What ``BAZAAR_COMMIT`` says, else what git says, else "unknown".
    """
    if settings.COMMIT:
        return str(settings.COMMIT)
    commit = _git("rev-parse", "--short=12", "HEAD")
    if not commit:
        return "unknown"
    return commit + (CHANGED if _git("status", "--porcelain", "--", *ROOMS) else "")


def machine() -> dict[str, str]:
    """Describe this machine: Python, system, processor, number of cores."""
    return {
        "python": f"Python {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "cores": f"{os.cpu_count() or 1} cores",
    }


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
