"""The races of rooms once more on a real PostgreSQL, which lets writers wait row by row."""

import sys
from pathlib import Path

from tests.support.commands import inherited, run
from tests.support.services import Postgres, skip_without


def test_nobody_plays_twice_on_postgresql(tmp_path: Path) -> None:
    skip_without("PostgreSQL")
    with Postgres() as postgres:
        given = {"DATABASE_URL": postgres.url, "BAZAAR_DATA_DIR": str(tmp_path)}
        asked = ("-m", "pytest", "-q", "-n", "0", "tests/rooms/test_races.py")
        done = run([sys.executable, *asked], env={**inherited(), **given})
    assert done.returncode == 0, done.stdout[-4000:]
