"""A site of the version before is brought to this one: nothing that people did is lost.

``version_before.txt`` names the commit. Its own code makes the site, in a process of its own; then
this code migrates, and serves it. A clone without its history skips; CI fetches it (``.ci/run``).
"""

import json
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import psycopg
import pytest

from tests.support.commands import ROOT
from tests.support.containers import copy_compiled
from tests.support.new_databases import SQLITE
from tests.support.people import Visitor
from tests.support.servers import Site
from tests.support.services import Postgres, missing

PINNED = (Path(__file__).parent / "version_before.txt").read_text().splitlines()[-1].split()[0]

FILLED = """
from django.core.management import call_command
call_command("load_catalogue")
call_command("record_games", games=4)
"""

ROOMS = """
from django.contrib.auth import get_user_model
from %(rooms)s import hosting, joining
from %(rooms)s.models import Member, Room, RoomGame
from %(rooms)s.ready import ready_rooms
from negotiation.models import Game
host = get_user_model().objects.create_user("asha", password="bazaar-of-old")
games = iter(Game.objects.order_by("created_at"))
for name, ready in list(ready_rooms().items())[:2]:
    room = hosting.open_room(host, f"Room {name}", ready.plan, ready=name)
    members = [joining.join(room, f"Person {n}", f"session{n}") for n in range(3)]
    RoomGame.objects.create(room=room, game=next(games), round=1, seller=members[0])
print(Room.objects.count(), Member.objects.count(), RoomGame.objects.count())
"""


def git(*words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False)


def is_known(commit: str) -> bool:
    return not git("cat-file", "-e", f"{commit}^{{commit}}").returncode


def has_all_history() -> bool:
    return git("rev-parse", "--is-shallow-repository").stdout.strip() == b"false"


# In a whole clone the commit must be there: a pin that nobody can find would skip for ever.
pytestmark = pytest.mark.skipif(
    not is_known(PINNED) and not has_all_history(),
    reason=f"no history of the code here: {PINNED[:12]} was not cloned",
)


@pytest.fixture(scope="module")
def old_code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The version before, as it was."""
    folder = tmp_path_factory.mktemp("before")
    packed = git("archive", PINNED)
    assert packed.returncode == 0, packed.stderr
    subprocess.run(["tar", "--extract", "--directory", folder], input=packed.stdout, check=True)
    for path in (path.relative_to(folder) for path in folder.rglob("*.py")):
        ours = ROOT / path
        # Most modules are the same: they need not be compiled again.
        if ours.exists() and ours.read_bytes() == (folder / path).read_bytes():
            shutil.copystat(ours, folder / path)
            copy_compiled(folder, path)
    return folder


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.soak)]
)
def before(
    request: pytest.FixtureRequest, old_code: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """An empty site of the version before."""
    folder = tmp_path_factory.mktemp("site")
    with ExitStack() as stack:
        site = Site(folder, catalogue=False)
        if request.param == "postgresql":
            if absent := missing("PostgreSQL"):
                pytest.skip(f"not installed: {absent}")
            postgres = stack.enter_context(Postgres())
            site = Site(folder, catalogue=False, DATABASE_URL=postgres.url)
            tables = "select tablename from pg_tables where schemaname = 'public'"
            for (name,) in site.query(tables):
                site.execute(f'drop table "{name}" cascade')
        old(site, old_code, "migrate", "--verbosity", "0")
        yield site


def another(before: Site, folder: Path) -> Site:
    """The same site once more, with its own database."""
    folder.mkdir()
    url = before.environment.get("DATABASE_URL")
    if url is None:
        shutil.copyfile(before.data_dir / SQLITE, folder / SQLITE)
        return Site(folder, catalogue=False)
    name = f"copy_{secrets.token_hex(4)}"
    with psycopg.connect(f"{url.rpartition('/')[0]}/template1", autocommit=True) as server:
        server.execute(f'create database "{name}" template postgres'.encode())
    return Site(folder, catalogue=False, DATABASE_URL=f"{url.rpartition('/')[0]}/{name}")


def old(site: Site, code: Path, *words: str) -> str:
    """Run a command of the version before on a site's data."""
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=code, env=site.environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def rooms_of(code: Path) -> str:
    """The package of classes and studies in the version before, "" before there was one."""
    known = ("rooms", "bazaar_site.rooms")
    return next((name for name in known if code.joinpath(*name.split(".")).is_dir()), "")


def log_of(site: Site) -> list[tuple[object, ...]]:
    """Every event and every sealed record, as bytes."""
    events = site.query(
        "select game_id, seq, kind, payload from negotiation_eventrow order by game_id, seq"
    )
    sealed = site.query("select game_id, scenario from negotiation_sealedrecord order by game_id")
    return [
        tuple(bytes(one) if isinstance(one, memoryview) else one for one in row)
        for row in [*events, *sealed]
    ]


@pytest.mark.parametrize("is_full", [True, False], ids=["full", "empty"])
def test_a_site_of_the_version_before_goes_on(
    before: Site, is_full: bool, old_code: Path, tmp_path: Path
) -> None:
    rooms = ROOMS % {"rooms": package} if (package := rooms_of(old_code)) else ""
    has_rooms = is_full and bool(rooms)
    site = another(before, tmp_path / "site")
    if is_full:
        told = old(site, old_code, "shell", "-c", FILLED + rooms)
        assert not has_rooms or told.splitlines()[-1] == "2 6 2"
    kept = log_of(site)
    told = site.manage("migrate")
    assert "Applying " in told, "the version before has this version's tables"
    assert "No migrations to apply" in site.manage("migrate")
    assert log_of(site) == kept
    site.start()
    try:
        visit(site, is_full=is_full, has_rooms=has_rooms)
    finally:
        site.kill()


def visit(site: Site, *, is_full: bool, has_rooms: bool) -> None:
    """Look at what was there, as a visitor and as the host."""
    bilal = Visitor(site)
    assert bilal.http.get("/healthz").json()["status"] == "ok"
    games = [str(row[0]) for row in site.query("select id from negotiation_game")]
    assert len(games) == (4 if is_full else 0)
    for game_id in games:
        page = bilal.http.get(f"/replays/{game_id}/")
        body = bilal.http.get(f"/replays/{game_id}.json")
        if page.status_code == 404:
            continue  # a room's, whose host alone may look
        assert (page.status_code, body.status_code) == (200, 200)
        assert is_played_again(bilal, body.content)
    assert bilal.opens()
    if has_rooms:
        rooms = [str(row[0]) for row in site.query("select code from rooms_room order by made_at")]
        signs_in(bilal, "asha", "bazaar-of-old")
        desk = bilal.http.get("/rooms/").text
        for code in rooms:
            assert bilal.http.get(f"/rooms/{code}/", follow_redirects=True).status_code == 200
        assert all(f"/rooms/{code}/" in desk for code in rooms)
    bilal.close()


def signs_in(visitor: Visitor, name: str, password: str) -> None:
    page = visitor.http.get("/account/login/")
    assert page.status_code == 200
    answer = visitor.http.post(
        "/account/login/",
        data={
            "username": name,
            "password": password,
            "csrfmiddlewaretoken": visitor.http.cookies.get("csrftoken", ""),
        },
    )
    assert answer.status_code == 302, answer.text


def is_played_again(visitor: Visitor, body: bytes) -> bool:
    """Whether this version's engine comes to the same end by every move of a file."""
    token = visitor.http.cookies.get("csrftoken", "")
    headers = {"X-CSRFToken": token, "Content-Type": "application/json"}
    answer = visitor.http.post("/api/replays/import/", content=body, headers=headers)
    assert json.loads(body)["game"]
    return answer.status_code in (httpx.codes.OK, httpx.codes.CREATED)
