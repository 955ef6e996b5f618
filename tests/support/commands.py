"""Commands of the site, each run in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.support.warm import begin

ROOT = Path(__file__).resolve().parent.parent.parent

_OURS = ("DJANGO_ALLOW_ASYNC_UNSAFE", "DATABASE_URL", "REDIS_URL")
"""Variables of the test run that a site must not inherit."""


def inherited() -> dict[str, str]:
    """The environment of the test run, without what belongs to the test run itself."""
    return {name: value for name, value in os.environ.items() if name not in _OURS}


def manage(environment: Mapping[str, str], *arguments: str) -> str:
    """Run a management command in an environment, and give what it printed."""
    process = begin(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=dict(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    out, wrong = process.communicate()
    assert process.returncode == 0, f"{arguments}: {out}{wrong}"
    return str(out)
