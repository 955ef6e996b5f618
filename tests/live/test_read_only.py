"""The container needs nothing but its data folder: everything else can be read-only, and root's."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.people import Visitor
from tests.support.read_only import USER, Sealed, can_seal

pytestmark = pytest.mark.skipif(not can_seal(), reason="no mount namespaces for us here")


@pytest.fixture(scope="module")
def container() -> Iterator[Sealed]:
    """The image, started by its own command."""
    folder = Path(tempfile.mkdtemp(prefix="bazaar-container-"))
    folder.chmod(0o755)
    try:
        with Sealed(folder) as running:
            yield running
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def asha(container: Sealed) -> Iterator[Visitor]:
    """Asha, who sells."""
    visitor = Visitor(container.site)
    yield visitor
    visitor.close()


def test_inside_nothing_else_can_be_written(container: Sealed) -> None:
    for place in (str(container.code), str(container.folder / "venv"), "/tmp", "/etc"):
        tried = container.run("touch", f"{place}/mark")
        assert tried.returncode == 1, place
    assert container.run("touch", f"{container.data}/mark").returncode == 0
    assert (container.data / "mark").stat().st_uid == USER
    assert container.run("id", "--user").stdout == f"{USER}\n"


async def test_a_game_is_played_to_its_end(asha: Visitor, container: Sealed) -> None:
    game_id = asha.opens_a_zone()
    async with asha.at(game_id) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        await line.send("walk")
        await line.hear_event("ended")
    assert "हिंदी" in asha.http.get("/status/", headers={"accept-language": "hi"}).text
    assert "Read-only file system" not in container.log
    assert "Permission denied" not in container.log


def test_a_copy_is_made_where_there_is_room(container: Sealed) -> None:
    made = container.run("python", "manage.py", "backup", str(container.data))
    assert made.returncode == 0, made.stderr
    (copy,) = container.data.glob("bazaar-*.tar")
    assert container.run("python", "manage.py", "restore", "--check", str(copy)).returncode == 0


def test_a_start_has_changed_no_file_of_the_image(container: Sealed) -> None:
    owned = [
        path
        for folder in (container.code, container.folder / "venv")
        for path in folder.rglob("*")
        if path.lstat().st_uid == USER
    ]
    assert owned == []
