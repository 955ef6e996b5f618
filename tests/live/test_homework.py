"""A class does its homework: nobody is ever there together, and everybody comes to the end."""

import asyncio
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from tests.benchmarks.class_room import found_in
from tests.support.dear_goods import LEAST_PRICE, put_on_sale
from tests.support.room_crowd import Crowd, Habits, Host, Person, token_of
from tests.support.servers import Site

SHEET = {"ask": ["My target", "What do they want?"], "kind": ["number", "long"]}
OWN = re.compile(r'<a href="(/(sell|buy)/(\w+)/)"[^>]*>(?:(?!</li>).)*?is-owed', re.DOTALL)
VISITS = 40


class HomeworkCrowd(Crowd):
    """People who come one after the other, make one move in each game that waits, and go."""

    async def visit(self, one: Person) -> None:
        page = await self._get(one, f"/rooms/{self.code}/")
        one.is_done = "standing-done" in page
        if f'href="/rooms/{self.code}/sheet/"' in page:
            await self._fill_in(one)
            page = await self._get(one, f"/rooms/{self.code}/")
        for _, kind, game in OWN.findall(page):
            await self._turn(one, kind, game)
        # The lobby of somebody who is here looks again: the house takes who has nobody.
        await self._get(one, f"/rooms/{self.code}/lobby/")

    async def _fill_in(self, one: Person) -> None:
        place = f"/rooms/{self.code}/sheet/"
        page = await self._get(one, place)
        seen = page.partition('name="seen" value="')[2].partition('"')[0]
        form = {"csrfmiddlewaretoken": token_of(page), "seen": seen, "q1": "700", "q2": one.name}
        answer = await one.http.post(place, data=form)
        assert answer.status_code == 302, answer.text[:2000]

    async def _turn(self, one: Person, kind: str, game: str) -> None:
        """Make one move over a socket, and go as soon as it stands."""
        if game not in one.games:
            one.games.append(game)
        side = "seller" if kind == "sell" else "buyer"
        table: dict[str, Any] = {"ask": 0.0, "bid": 0.0, "turn": "buyer"}
        line = connect(
            f"{self.site.ws_url}/ws/{kind}/{game}/",
            additional_headers={"Cookie": one.cookies},
            subprotocols=["bazaar.html.v1"],  # type: ignore[list-item]  # any string is one
            proxy=None,
            max_size=None,
        )
        async with line as socket:
            await socket.send('{"type":"sync","after":0}')
            await self._hear(one, game, socket, table, side)
            if table["turn"] != side:
                return
            for moves in range(one.luck.randrange(4), -1, -1):
                await socket.send(json.dumps(self._move(one, table, side, moves)))
                if await self._stands(socket):
                    return

    async def _stands(self, socket: Any) -> bool:
        """Whether a move was taken; a price beyond the own limit is not."""
        async with asyncio.timeout(60):
            while True:
                frame = json.loads(await socket.recv())
                if frame["type"] in ("event", "error"):
                    return bool(frame["type"] == "event")


def days(alone: timedelta) -> dict[str, str]:
    now = datetime.now(UTC)
    moments = {
        "opens_at": now - timedelta(days=1),
        "alone_from": now + alone,
        "due_at": now + timedelta(days=3),
    }
    return {**{name: f"{at:%Y-%m-%dT%H:%M}" for name, at in moments.items()}, "zone": "UTC"}


@pytest.mark.timeout(600)
def test_everybody_comes_to_the_end_without_meeting(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        host = Host(site)
        put_on_sale(site)
        code = host.opens(name="Homework", games=2, rounds=6, least_price=LEAST_PRICE)
        host._post(f"/rooms/{code}/homework/", **days(timedelta(days=1)))
        host._post(f"/rooms/{code}/sheet/", **SHEET)
        crowd = HomeworkCrowd(site, code, 5, Habits())
        asyncio.run(play(crowd, host, code))
        found = found_in(site, code, crowd.people)
        book = host.reads(f"/rooms/{code}/gradebook.csv")
        desk = host.reads(f"/rooms/{code}/desk/")
        host.close()
    assert all(one.is_done for one in crowd.people)
    assert [one.troubles for one in crowd.people] == [[]] * 5
    wrong = ("twice_in_a_round", "stuck", "logs_not_whole", "secrets_heard")
    assert {name: found[name] for name in wrong} == dict.fromkeys(wrong, 0)
    assert desk.count("2 of 2 played") == 5
    rows = [line.split(",") for line in book.splitlines()[1:]]
    assert [row[-4:] for row in rows] == [["2", "2", "0", "0"]] * 5
    assert sum("700.0,Guest" in line or "700,Guest" in line for line in book.splitlines()) == 5


async def play(crowd: HomeworkCrowd, host: Host, code: str) -> None:
    await crowd.come_in()
    for visit in range(VISITS):
        for one in crowd.people:
            await crowd.visit(one)
        if visit == 1:
            # Of five people one has nobody in each game: from now on that is the house.
            window = days(timedelta(minutes=-1))
            await asyncio.to_thread(host._post, f"/rooms/{code}/homework/", **window)
        if all(one.is_done for one in crowd.people):
            break
    await crowd.close()
