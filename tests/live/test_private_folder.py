"""Under the usual umask, nothing that a site writes can be read by another account."""

import os
import stat
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bazaar_site.checks import problems
from bazaar_site.env import Env
from tests.live.test_copies import brings_a_photo
from tests.support.commands import ROOT
from tests.support.people import Visitor
from tests.support.servers import Site

USUAL = ("sh", "-c", 'umask 022; exec "$0" "$@"')


class Usual(Site):
    """A site whose programs are started as an operator's shell starts them, by ``serve``."""

    def prepare(self) -> None:
        """Make the database."""
        self.runs("migrate", "--verbosity", "0")

    def runs(self, *arguments: str) -> None:
        """Run a management command."""
        command = [*USUAL, sys.executable, "manage.py", *arguments]
        subprocess.run(command, cwd=ROOT, env=self.environment, check=True, capture_output=True)

    def start(self) -> None:
        """Serve."""
        command = [*USUAL, sys.executable, "manage.py", "serve", "--port", str(self.port)]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=self.environment, stderr=subprocess.DEVNULL
        )
        self._wait_until_ready()

    def kill(self) -> None:
        """End it in order, with its workers."""
        self.stop()


def open_to_others(folder: Path) -> Iterator[str]:
    for place, _, names in os.walk(folder):
        for path in (Path(place), *(Path(place) / name for name in names)):
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & 0o077:
                yield f"{path.relative_to(folder)} {mode:o}"


def test_what_a_site_writes_is_for_its_account_alone(tmp_path: Path) -> None:
    data, backups = tmp_path / "data", tmp_path / "backups"
    data.mkdir(mode=0o755)
    backups.mkdir(mode=0o700)
    with Usual(data, catalogue=False, BAZAAR_METRICS_LOCAL="true") as site:
        asha = Visitor(site)
        brings_a_photo(asha)
        asha.close()
        site.runs("backup", f"{backups}/")
        names = {path.name for path in data.iterdir()}
        assert {"bazaar.sqlite3", "bazaar.sqlite3-wal", "queue", "photos", "metrics"} <= names
        assert [*open_to_others(data)] == []
        assert [*open_to_others(backups)] == []
    (copy,) = backups.iterdir()
    with tarfile.open(copy) as tar:
        assert {member.mode & 0o077 for member in tar} == {0}


def test_a_folder_that_the_site_cannot_close_is_warned_of(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    for mode, found in ((0o755, ["bazaar.W013"]), (0o750, ["bazaar.W013"]), (0o700, [])):
        folder.chmod(mode)
        here = Env(BAZAAR_DATA_DIR=str(folder), BAZAAR_SECRETS_DIR=str(tmp_path))  # type: ignore[call-arg]
        assert [row.id for row in problems(here)] == found


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_somebody_else_is_left_as_it_is(tmp_path: Path) -> None:
    os.chown(tmp_path, 1234, 1234)
    tmp_path.chmod(0o755)
    told = {**os.environ, "BAZAAR_DATA_DIR": str(tmp_path)}
    command = [sys.executable, "manage.py", "check"]
    done = subprocess.run(command, cwd=ROOT, env=told, capture_output=True, text=True, check=True)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    assert "bazaar.W013" in done.stderr
