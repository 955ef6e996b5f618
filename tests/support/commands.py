"""Commands of the site, each run in a process of its own."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.support.warm import run

ROOT = Path(__file__).resolve().parent.parent.parent

_OURS = (
    "DJANGO_ALLOW_ASYNC_UNSAFE",
    "DATABASE_URL",
    "REDIS_URL",
    "PROMETHEUS_MULTIPROC_DIR",
)
"""Variables of the test run that a site must not inherit."""


def inherited() -> dict[str, str]:
    """The environment of the test run, without what belongs to the test run itself."""
    return {name: value for name, value in os.environ.items() if name not in _OURS}


def manage(environment: Mapping[str, str], *arguments: str) -> str:
    """Run a management command in an environment, and give what it printed."""
    done = run([sys.executable, "manage.py", *arguments], env=dict(environment))
    assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
    return done.stdout
