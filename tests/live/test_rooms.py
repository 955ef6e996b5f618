"""A class at the wire, all from one address: limits by seat, nothing sealed sent, a kill -9."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.dear_goods import LEAST_PRICE, may_be_told, put_on_sale
from tests.support.people import Line, Visitor
from tests.support.room_crowd import fields_of
from tests.support.servers import Site
from tests.support.spellings import names

PUPILS = 9
TABLE = re.compile(r"^/(sell|buy)/(\w+)/$")


@pytest.fixture
def school(tmp_path: Path) -> Iterator[Site]:
    """A site whose limits for an address are far below what a class needs."""
    limits = {
        "BAZAAR_LIMIT_GAMES": "2/day",
        "BAZAAR_LIMIT_SOCKETS": "4/day",
        "BAZAAR_LIMIT_CODES": "3/day",
    }
    with Site(tmp_path, **limits) as site:
        put_on_sale(site)
        yield site


def opens_a_room(host: Visitor, site: Site) -> str:
    told = site.manage("add_host", "meera")
    password = told.split("Password: ")[1].split()[0]
    host.presses("/account/login/", username="meera", password=password)
    form = dict(fields_of(host.http.get("/rooms/new/").text))
    form |= {"name": "A class", "zone": "wide", "least_price": str(LEAST_PRICE)}
    return host.presses("/rooms/new/", **form).split("/")[2]


def table_of(person: Visitor, code: str) -> tuple[str, str] | None:
    answer = person.http.get(f"/rooms/{code}/lobby/")
    found = TABLE.match(answer.headers.get("HX-Redirect", ""))
    return (found[1], found[2]) if found else None


async def sits(person: Visitor, kind: str, game_id: str) -> None:
    async with Line(person, f"/ws/{kind}/{game_id}/") as line:
        await line.sync()
        assert line.events[0]["event"]["kind"] == "opened"


async def test_a_class_plays_from_one_address(school: Site) -> None:
    host = Visitor(school)
    pupils = [Visitor(school) for _ in range(PUPILS)]
    try:
        code = opens_a_room(host, school)
        for number, pupil in enumerate(pupils):
            pupil.presses(f"/rooms/{code}/", nickname=f"Pupil {number}")
        host.presses(f"/rooms/{code}/desk/start/")
        tables = [table_of(pupil, code) for pupil in pupils]
        assert None not in tables
        seats = Counter(tables)
        assert max(seats.values()) == 1
        games = Counter(game_id for _, game_id in filter(None, tables))
        assert sorted(games.values()) == [1, 2, 2, 2, 2]
        for pupil, table in zip(pupils, tables, strict=True):
            assert table is not None
            await sits(pupil, *table)
            assert pupil.http.get(f"/{table[0]}/{table[1]}/").status_code == 200
        secrets = {game_id: school.scenario(game_id).sealed for game_id in games}
        host.http.get(f"/rooms/{code}/desk/now/")
        for pupil, table in zip(pupils, tables, strict=True):
            assert table is not None
            kind, game_id = table
            floor, budget = secrets[game_id].reservation, secrets[game_id].budget
            own, other = (floor, budget) if kind == "sell" else (budget, floor)
            assert names(bytes(pupil.heard), own), "the search finds what a seat is told"
            assert may_be_told(other, own) or not names(bytes(pupil.heard), other)
            for price, beside in ((own, other), (other, own)):
                assert may_be_told(price, beside) or not names(bytes(host.heard), price), game_id
    finally:
        for person in (host, *pupils):
            person.close()


def test_a_killed_process_loses_and_doubles_nothing(school: Site) -> None:
    host = Visitor(school)
    pupils = [Visitor(school) for _ in range(4)]
    try:
        code = opens_a_room(host, school)
        for number, pupil in enumerate(pupils):
            pupil.presses(f"/rooms/{code}/", nickname=f"Pupil {number}")
        host.presses(f"/rooms/{code}/desk/start/")
        before = [table_of(pupil, code) for pupil in pupils]
        school.kill()
        school.start()
        assert [table_of(pupil, code) for pupil in pupils] == before
    finally:
        for person in (host, *pupils):
            person.close()


def test_codes_are_not_tried_in_numbers(school: Site) -> None:
    host, mallory, asha = Visitor(school), Visitor(school), Visitor(school)
    try:
        code = opens_a_room(host, school)
        link = re.search(r'value="([^"]+\?door=\w+)"', host.http.get(f"/rooms/{code}/desk/").text)
        assert link is not None
        told = [mallory.http.get(f"/rooms/ZZZZZ{one}/").status_code for one in "ABCDEF"]
        assert told == [404] * 3 + [429] * 3
        assert mallory.http.get(f"/rooms/{code}/").status_code == 429
        assert asha.http.get(link[1]).status_code == 200
    finally:
        for person in (host, mallory, asha):
            person.close()
