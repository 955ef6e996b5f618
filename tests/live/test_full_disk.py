"""``/healthz`` and ``/status/`` on a disk that has no room left, and on one that has some again."""

import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from bazaar_site.operating.healthz import Full, WriteTrials
from tests.support.new_databases import SQLITE
from tests.support.servers import Site
from tests.support.services import Postgres, skip_without
from tests.support.small_disk import SmallDisk, small_disk
from tests.support.waiting import until


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    """A disk that one can fill."""
    with small_disk(tmp_path / "small", 150) as found:
        if found is None:
            pytest.skip("no file system can be mounted here")
        yield found


def health(site: Site) -> tuple[int, str]:
    answer = httpx.get(f"{site.url}/healthz", timeout=30)
    return answer.status_code, str(answer.json()["parts"]["database"])


def rows(site: Site, tables: list[str]) -> dict[str, int]:
    return {name: site.query(f"select count(*) from {name}")[0][0] for name in tables}


def kept(data: Path) -> list[str]:
    """Name what lies in a folder, but the files that SQLite has only while somebody looks."""
    return sorted(path.name for path in data.iterdir() if not path.name.startswith(f"{SQLITE}-"))


def follows_the_disk(site: Site, disk: SmallDisk) -> None:
    """Fill the disk and clear it; the site says so each time, and reads go on."""
    assert health(site) == (200, "ok")
    disk.fill()
    until(lambda: health(site) == (503, "full"), every_s=0.5)
    page = httpx.get(f"{site.url}/status/", timeout=30)
    assert page.status_code == 200
    assert "There is no room left to keep new moves." in page.text
    assert 'data-state="full"' in page.text
    assert httpx.get(f"{site.url}/learn/", timeout=30).status_code == 200
    assert "database has no room left" in site.log
    assert "Traceback" not in site.log
    disk.clear()
    until(lambda: health(site) == (200, "ok"), every_s=0.5)


def test_sqlite_on_a_full_disk_is_full_and_nothing_is_left_of_the_tries(disk: SmallDisk) -> None:
    data = disk.folder / "data"
    with Site(data, catalogue=False) as site:
        names = [row[0] for row in site.query("select name from sqlite_master where type='table'")]
        before = rows(site, names), kept(data)
        follows_the_disk(site, disk)
        assert (rows(site, names), kept(data)) == before
        # Who writes for long holds up nobody, and the site is none the worse for it.
        with sqlite3.connect(data / "bazaar.sqlite3", isolation_level=None) as other:
            other.execute("begin immediate")
            assert {health(site) for _ in range(8)} == {(200, "ok")}
            other.execute("rollback")


@pytest.mark.services
def test_postgresql_on_a_full_disk_is_full(tmp_path: Path) -> None:
    skip_without("PostgreSQL")
    # PostgreSQL is another user, who does not get into the folders of tests.
    with tempfile.TemporaryDirectory(dir="/tmp") as folder, small_disk(Path(folder), 150) as disk:
        if disk is None:
            pytest.skip("no file system can be mounted here")
        disk.folder.chmod(0o711)
        postgres = Postgres()
        postgres.folder.rmdir()
        postgres.folder = disk.folder / "postgres"
        postgres.folder.mkdir()
        with (
            postgres,
            Site(tmp_path / "site", catalogue=False, DATABASE_URL=postgres.url) as site,
        ):
            before = rows(site, ["django_session", "negotiation_game"])
            follows_the_disk(site, disk)
            assert rows(site, ["django_session", "negotiation_game"]) == before


@pytest.mark.parametrize(
    ("every_s", "tries"), [(3600.0, 1), (0.0, 20)], ids=["at times", "each time"]
)
def test_many_who_ask_make_few_tries(every_s: float, tries: int) -> None:
    made: list[None] = []
    trials = WriteTrials(lambda: made.append(None), every_s)
    for _ in range(20):
        trials.look()
    assert len(made) == tries


def test_what_came_of_a_try_holds_until_the_next_and_another_fault_is_no_full_disk() -> None:
    made: list[None] = []

    def fails(number: int) -> None:
        made.append(None)
        raise OSError(number, "it failed")

    full = WriteTrials(lambda: fails(28), 3600.0)
    for _ in range(5):
        with pytest.raises(Full):
            full.look()
    assert len(made) == 1
    broken = WriteTrials(lambda: fails(5), 3600.0)
    for _ in range(5):
        with pytest.raises(OSError, match="failed"):
            broken.look()
    assert len(made) == 6
