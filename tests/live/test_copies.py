"""A copy made while people play comes back whole: every game of it, byte for byte."""

import io
import json
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.support.people import Visitor
from tests.support.servers import Site
from tests.support.services import Postgres, missing
from tests.support.warm import run

DATABASES = ("sqlite", pytest.param("postgresql", marks=pytest.mark.soak))


@contextmanager
def a_database(kind: str) -> Iterator[dict[str, str]]:
    """What a site is told of a new one."""
    if kind == "sqlite":
        yield {}
        return
    if absent := missing("PostgreSQL"):
        pytest.skip(f"not installed: {absent}")
    with Postgres() as postgres:
        yield {"DATABASE_URL": postgres.url}


@contextmanager
def a_new_site(kind: str, folder: Path) -> Iterator[Site]:
    """Only a folder and an empty database: the one that a copy comes back to."""
    with a_database(kind) as told:
        if told:
            site = Site(folder, catalogue=False, **told)
            site.data_dir.mkdir(parents=True)
            for (name,) in site.query(
                "select tablename from pg_tables where schemaname = 'public'"
            ):
                site.execute(f'drop table "{name}" cascade')
        else:
            site = Site(folder, catalogue=False)
            site.data_dir.mkdir(parents=True)
        try:
            yield site
        finally:
            site.kill()


def command(site: Site, *words: str) -> subprocess.CompletedProcess[str]:
    return run([sys.executable, "manage.py", *words], env=site.environment)


def brings_a_photo(asha: Visitor) -> tuple[str, bytes]:
    """Open a sale with a photo; give the address of the photo and what lies there."""
    picture = io.BytesIO()
    Image.new("RGB", (64, 48), "orange").save(picture, "JPEG")
    token = asha.http.cookies.get("csrftoken", "")
    answer = asha.http.post(
        "/sell/new/",
        data={"title": "Lota", "asking_price": "900", "reservation_price": "500"},
        files={"photo": ("lota.jpg", picture.getvalue(), "image/jpeg")},
        headers={"X-CSRFToken": token},
        follow_redirects=True,
    )
    assert answer.status_code == 200, answer.text
    (name,) = [path.stem for path in (asha.site.data_dir / "photos").glob("*.jpg")]
    address = answer.text.partition(name)[0].rpartition('"')[2] + name
    address += answer.text.partition(name)[2].partition('"')[0]
    return address, asha.http.get(address).content


async def plays(asha: Visitor) -> str:
    """Asha comes down twice, then walks."""
    game_id = asha.opens_a_zone()
    async with asha.at(game_id) as line:
        await line.send("sync")
        for price in (1990, 1900):
            await line.hear_event("offer", "buyer")
            await line.send("offer", price=price, text="as good as new")
        await line.hear_event("offer", "buyer")
        await line.send("walk")
        await line.hear_event("ended")
    return game_id


def replay(visitor: Visitor, game_id: str) -> bytes:
    answer = visitor.http.get(f"/replays/{game_id}.json")
    assert answer.status_code == 200
    return answer.content


def is_played_again(visitor: Visitor, body: bytes) -> bool:
    """Whether the site, which plays every move of a file by its engine, comes to the same end."""
    token = visitor.http.cookies.get("csrftoken", "")
    answer = visitor.http.post(
        "/api/replays/import/", content=body,
        headers={"X-CSRFToken": token, "Content-Type": "application/json"},
    )  # fmt: skip
    return answer.status_code in (200, 201)


@pytest.mark.parametrize("kind", DATABASES)
async def test_what_was_played_is_played_again_from_the_copy(kind: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.tar"
    with a_database(kind) as told, Site(tmp_path / "first", catalogue=False, **told) as site:
        asha = Visitor(site)
        games = [await plays(asha) for _ in range(3)]
        address, picture = brings_a_photo(asha)
        live = asha.opens_a_zone()
        async with asha.at(live) as line:
            await line.send("sync")
            await line.hear_event("offer", "buyer")
            site.manage("backup", str(copy))
            # It goes on while and after the copy is made.
            await line.send("offer", price=1990)
            await line.hear_event("offer", "buyer")
        before = {game: replay(asha, game) for game in games}
        cookies = asha.http.cookies
        stood = asha.reads(live)
        asha.close()

    assert copy.stat().st_mode & 0o077 == 0
    with a_new_site(kind, tmp_path / "second") as again:
        # Another site entirely, with a key of its own until the copy is back.
        told_again = again.manage("restore", str(copy))
        assert told_again.startswith(f"Back: {kind}")
        again.start()
        asha = Visitor(again)
        asha.http.cookies = cookies
        assert {game: replay(asha, game) for game in games} == before
        assert asha.http.get(address).content == picture
        assert all(is_played_again(asha, body) for body in before.values())
        back = asha.reads(live)
        assert back["brief"] == stood["brief"]
        async with asha.at(live) as line:
            await line.send("sync")
            await line.hear_event("offer", "buyer")
            await line.send("offer", price=1980)
            await line.hear_event("offer", "buyer")
        asha.close()


@pytest.mark.parametrize("kind", DATABASES)
async def test_a_living_database_is_replaced_by_force_alone(kind: str, tmp_path: Path) -> None:
    with a_database(kind) as told, Site(tmp_path / "site", catalogue=False, **told) as site:
        asha = Visitor(site)
        first = await plays(asha)
        copy = tmp_path / "copy.tar"
        site.manage("backup", str(copy))
        later = await plays(asha)
        site.kill()
        refused = command(site, "restore", str(copy))
        assert refused.returncode == 1
        assert "--force" in refused.stderr
        games = "select id from negotiation_game order by created_at"
        assert site.query(games) == [(first,), (later,)]
        site.manage("restore", str(copy), "--force")
        assert site.query(games) == [(first,)]
        if kind == "sqlite":
            (aside,) = site.data_dir.glob("before-restore-*")
            with closing(sqlite3.connect(aside / "bazaar.sqlite3")) as old:
                assert old.execute(games).fetchall() == [(first,), (later,)]
        site.start()
        bytes_back = replay(asha, first)
        assert json.loads(bytes_back)["game"]
        asha.close()


@pytest.fixture(scope="module")
def a_copy(tmp_path_factory: pytest.TempPathFactory) -> tuple[Site, Path]:
    site = Site(tmp_path_factory.mktemp("copied") / "site", catalogue=False)
    site.prepare()
    (site.data_dir / "runs").mkdir()
    (site.data_dir / "runs" / "notes.txt").write_text("a run")
    (site.data_dir / "queue" / "letters").mkdir(parents=True, exist_ok=True)
    (site.data_dir / "queue" / "letters" / "1_2.bazaar.msg").write_text("{}")
    folder = site.data_dir.parent / "copies"
    folder.mkdir()
    site.manage("backup", str(folder))
    (copy,) = folder.iterdir()
    return site, copy


def members(copy: Path) -> list[str]:
    with tarfile.open(copy) as tar:
        return tar.getnames()


def test_a_copy_has_keys_and_files_and_no_letters(a_copy: tuple[Site, Path]) -> None:
    found = members(a_copy[1])
    assert found[0] == "database"
    assert found[-1] == "manifest.json"
    assert {"data/secret_key", "data/runs/notes.txt"} <= set(found)
    assert not [name for name in found if "queue" in name or "sqlite3" in name]
    assert "Whole" in a_copy[0].manage("restore", "--check", str(a_copy[1]))


def test_a_second_copy_overwrites_none(a_copy: tuple[Site, Path]) -> None:
    site, copy = a_copy
    before = copy.read_bytes()
    refused = command(site, "backup", str(copy))
    assert refused.returncode == 1
    assert "there already" in refused.stderr
    assert copy.read_bytes() == before


def changed(copy: Path, target: Path, change: Any) -> Path:
    """Write the copy anew, each member as ``change`` has it."""
    with tarfile.open(copy) as old, tarfile.open(target, "w") as new:
        for member in old:
            body = old.extractfile(member)
            assert body is not None
            for name, told in change(member.name, body.read()):
                member.name, member.size = name, len(told)
                new.addfile(member, io.BytesIO(told))
    return target


def other_format(name: str, told: bytes) -> Iterator[tuple[str, bytes]]:
    yield name, told.replace(b"bazaar-copy@1", b"bazaar-copy@9")


def other_byte(name: str, told: bytes) -> Iterator[tuple[str, bytes]]:
    yield name, told.replace(b"a run", b"a rum") if name.endswith("notes.txt") else told


def one_more(name: str, told: bytes) -> Iterator[tuple[str, bytes]]:
    if name == "database":
        yield "data/planted", b"not in the manifest"
    yield name, told


def one_outside(name: str, told: bytes) -> Iterator[tuple[str, bytes]]:
    if name == "database":
        yield "data/../../planted", b"outside"
    yield name, told


def one_less(name: str, told: bytes) -> Iterator[tuple[str, bytes]]:
    if not name.endswith("notes.txt"):
        yield name, told


def newer(name: str, told: bytes) -> Iterator[tuple[str, bytes]]:
    yield name, told.replace(b"negotiation.0001_", b"negotiation.9999_")


@pytest.mark.parametrize("how", [other_format, other_byte, one_more, one_outside, one_less, newer])
def test_a_damaged_or_foreign_copy_changes_nothing(
    a_copy: tuple[Site, Path], tmp_path: Path, how: Any
) -> None:
    damaged = changed(a_copy[1], tmp_path / "damaged.tar", how)
    target = Site(tmp_path / "target", catalogue=False)
    target.data_dir.mkdir()
    refused = command(target, "restore", str(damaged))
    assert refused.returncode == 1, refused.stdout
    assert "Traceback" not in refused.stderr
    assert not (target.data_dir / "runs").exists()
    assert not (tmp_path / "planted").exists()
    assert not list(target.data_dir.glob(".restore-*"))
    shutil.rmtree(target.data_dir)


@pytest.mark.parametrize("length", [0, 100, 5_000, 0.5, 0.9])
def test_a_copy_that_was_cut_off_is_known(
    a_copy: tuple[Site, Path], tmp_path: Path, length: float
) -> None:
    whole = a_copy[1].read_bytes()
    cut = tmp_path / "cut.tar"
    cut.write_bytes(whole[: int(length if length > 1 else length * len(whole))])
    refused = command(a_copy[0], "restore", "--check", str(cut))
    assert refused.returncode == 1
    assert "Traceback" not in refused.stderr
