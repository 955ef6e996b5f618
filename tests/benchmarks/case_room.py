"""A class settles a case over sockets: how soon a move is on the other screen, what goes wrong.

``python -m tests.benchmarks.case_room --people 60``: everybody plays two games of the used scooter.
"""

import argparse
import asyncio
import json
import random
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from bazaarbatna.cases.case import Case, Package, Value, in_library, other
from tests.support.room_crowd import Crowd, Habits, Host, Person
from tests.support.servers import Site

CASE = in_library()["scooter"]
LIMIT_S = 600.0


class CaseCrowd(Crowd):
    """People who lay packages on the table, ever cheaper ones, and take what is good enough."""

    async def _lobby(self, one: Person) -> str | None:
        for path, headers in (("", {}), ("lobby/", {"HX-Request": "true"})):
            answer = await self._send(one, f"/rooms/{self.code}/{path}", headers)
            if answer is None:
                return None
            place = answer.headers.get("HX-Redirect", "") if headers else answer.text
            if found := re.search(r"/cases/table/(\w+)/", place if headers else ""):
                return found[1]
            if found := re.search(r'button-big" href="/cases/table/(\w+)/"', place):
                return found[1]
            if "standing-done" in place or "standing-over" in place:
                one.is_done = True
                return None
        return None

    async def _game(self, one: Person, place: str) -> None:
        one.games.append(place)
        page = await self._get(one, f"/cases/table/{place}/")
        one.heard[place] = page.encode()
        own: Any = {"Cookie": one.cookies}
        url = f"{self.site.ws_url}/ws/games/{place}/"
        async with connect(url, additional_headers=own, proxy=None, open_timeout=60) as socket:
            await socket.send('{"type":"sync","after":0}')
            await self._plays(one, place, socket)

    async def _plays(self, one: Person, game: str, socket: Any) -> None:
        seat, seq, offered, stands = "", 0, 0, None
        while True:
            text = await asyncio.wait_for(socket.recv(), 180)
            now = time.perf_counter()
            frame = json.loads(text)
            if frame["type"] == "error":
                one.troubles.append(f"{frame['code']}: {frame['detail']}")
            if frame["type"] == "event":
                event, seq = frame["event"], frame["seq"]
                one.numbers.setdefault(game, []).append(seq)
                if event["kind"] != "ended":
                    one.heard[game] += text.encode()
                if event["kind"] == "opened":
                    seat = "a" if "sheet" in event["case"]["a"] else "b"
                elif event["kind"] == "ended":
                    one.ended.add(game)
                    return
                elif event["kind"] == "offered" and event["seat"] != seat:
                    stands = event["package"]
                    one.reached_s.append(now - float(event["text"]))
            if frame["type"] == "awaiting" and frame["seats"] == [seat]:
                await asyncio.sleep(one.luck.uniform(0.5, 1.5) * self.habits.think_s)
                move = _move(CASE, seat, offered, stands, one.luck)
                offered += 1
                move["text"] = f"{time.perf_counter()}"
                await socket.send(json.dumps({"type": "move", "seen": seq, "move": move}))


def _move(case: Case, seat: str, offered: int, stands: Any, luck: random.Random) -> dict[str, Any]:
    """Take what is worth the own level, else offer a package worth it; the level falls."""
    level = 95 - 7 * offered
    if stands and case.points(seat, stands) >= max(level - 5, case.side(seat).outside):
        return {"action": "accept"}
    for _ in range(500):
        package: Package = {}
        for issue in case.issues:
            values: tuple[Value, ...] = issue.values
            package[issue.key] = luck.choice(values)
        if case.points(seat, package) >= max(level - 10, case.side(seat).outside):
            return {"action": "offer", "package": package}
    return {"action": "walk"}


async def case_in_room(site: Site, host: Host, people: int, think_s: float) -> dict[str, Any]:
    """Let a crowd play two games each; says how soon moves arrived and what went wrong."""
    code = host.opens(name="Scooters", case="scooter", games=2, roles="swapped", odd_s=5)
    crowd = CaseCrowd(site, code, people, Habits(think_s=think_s, vanish=0))
    await crowd.come_in()
    host.does(code, "start")
    await crowd.play(LIMIT_S)
    await crowd.close()
    reached = sorted(wait for one in crowd.people for wait in one.reached_s)
    games = {game for one in crowd.people for game in one.games}
    debrief = host.reads(f"/rooms/{code}/debrief/")
    return {
        "people": people,
        "done": sum(one.is_done for one in crowd.people),
        "games": len(games),
        "deals_in_debrief": debrief.count("debrief-deal is-"),
        "moves_timed": len(reached),
        "half_s": reached[len(reached) // 2],
        "95_percent_s": reached[int(0.95 * len(reached))],
        "numbers_lost_or_twice": sum(
            own != list(range(1, len(own) + 1))
            for one in crowd.people
            for own in one.numbers.values()
        ),
        "sheets_heard": sum(map(_leaks, crowd.people)),
        "troubles": sorted({trouble for one in crowd.people for trouble in one.troubles}),
    }


def _leaks(one: Person) -> int:
    """Count the games in which somebody heard of the other role's sheet while they went on."""
    count = 0
    for heard in one.heard.values():
        seats = [seat for seat in ("a", "b") if _sheet(seat) in heard]
        count += len(seats) != 1 or _sheet(other(seats[0])) in heard
    return count


def _sheet(seat: str) -> bytes:
    return CASE.side(seat).sheet["en"].split("**")[0].split("'")[0].strip()[:40].encode()


def main() -> int:
    """Measure."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--people", type=int, default=60)
    asked.add_argument("--think", type=float, default=2.0)
    told = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder, Site(Path(folder)) as site:
        host = Host(site)
        found = asyncio.run(case_in_room(site, host, told.people, told.think))
        host.close()
    for name, value in found.items():
        print(f"{name}: {value:.3f}" if isinstance(value, float) else f"{name}: {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
