"""A class settles a case over sockets: how soon a move is on the other screen, what goes wrong.

Everybody plays the used scooter, four issues: two games each in a class, with ``--study`` one,
after consent and questions, in two arms that differ in who plays for the house; the study is
exported and played again. While one thinks, the other may speak. Sheets and points of the other
side are searched in every byte that came by socket and page, those of the end too, which tell the
own alone here.

    python -m tests.benchmarks.case_room --people 60
    python -m tests.benchmarks.case_room --people 200 --study
"""

import argparse
import asyncio
import contextlib
import functools
import html
import json
import random
import re
import sys
import tempfile
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from bazaarbatna.cases.case import ROLES, Case, Package, Value, in_library, other
from tests.support.room_crowd import Crowd, Habits, Host, Person
from tests.support.servers import Site
from tests.support.study_crowd import DESIGN, StudyCrowd

CASE = in_library()["scooter"]
LIMIT_S = 1500.0
SPEAKS = 0.2
"""Share of the other one's turns in which somebody says something."""

STUDY = DESIGN.replace("chat = false", 'opponent = "boulware"').replace(
    "starts_itself = true", 'starts_itself = true\ncase = "scooter"\nreveal = "own"'
)


class CaseCrowd(Crowd):
    """People who lay packages on the table, ever cheaper ones, and take what is good enough."""

    async def _lobby(self, one: Person) -> str | None:
        for path, headers in (("", {}), ("lobby/", {"HX-Request": "true"})):
            answer = await self._send(one, f"/rooms/{self.code}/{path}", headers)
            if answer is None or (not headers and await self._elsewhere(one, answer)):
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
        one.heard[place] = html.unescape(page).encode()
        own: Any = {"Cookie": one.cookies}
        url = f"{self.site.ws_url}/ws/games/{place}/"
        async with connect(url, additional_headers=own, proxy=None, open_timeout=60) as socket:
            await socket.send('{"type":"sync","after":0}')
            await self._plays(one, place, socket)
        one.heard[place] += html.unescape(await self._get(one, f"/cases/table/{place}/")).encode()

    async def _plays(self, one: Person, game: str, socket: Any) -> None:
        at = _Table()
        while True:
            text = await asyncio.wait_for(socket.recv(), 180)
            now = time.perf_counter()
            frame = json.loads(text)
            # The house has answered before anybody could speak in its turn.
            if frame["type"] == "error" and frame["code"] != "not-your-turn":
                one.troubles.append(f"{frame['code']}: {frame['detail']}")
            if frame["type"] == "event":
                event, at.seq = frame["event"], frame["seq"]
                one.numbers.setdefault(game, []).append(at.seq)
                if event["kind"] != "ended":
                    one.heard[game] += text.encode()
                if event["kind"] == "opened":
                    at.seat = "a" if "sheet" in event["case"]["a"] else "b"
                elif event["kind"] == "ended":
                    one.ended.add(game)
                    return
                elif event["kind"] == "offered" and event["seat"] != at.seat:
                    at.stands = event["package"]
                    # The house says nothing.
                    one.reached_s += [now - float(event["text"])] if event["text"] else []
            if frame["type"] == "awaiting" and frame["seats"]:
                await self._hears(one, at, socket, frame["seats"])

    async def _hears(self, one: Person, at: "_Table", socket: Any, seats: list[str]) -> None:
        if seats == [at.seat]:
            # Who thinks reads on meanwhile; a word of the other one is no new turn.
            if at.thinks is None or at.thinks.done():  # the house has answered at once
                at.thinks = asyncio.create_task(self._thinks(one, at, socket))
            return
        if at.thinks is not None:
            at.thinks.cancel()
        if one.luck.random() < SPEAKS:
            said = {"action": "say", "text": "Take your time."}
            await socket.send(json.dumps({"type": "move", "move": said}))

    async def _thinks(self, one: Person, at: "_Table", socket: Any) -> None:
        await asyncio.sleep(one.luck.uniform(0.5, 1.5) * self.habits.think_s)
        move = _move(CASE, at.seat, at.offered, at.stands, one.luck)
        at.offered += 1
        move["text"] = f"{time.perf_counter()}"
        # The house may have ended the game meanwhile.
        with contextlib.suppress(ConnectionClosed):
            await socket.send(json.dumps({"type": "move", "seen": at.seq, "move": move}))


class _Table(msgspec.Struct):
    """What somebody knows at a table; ``thinks`` is the thought about the own turn."""

    seat: str = ""
    seq: int = 0
    offered: int = 0
    stands: Any = None
    thinks: asyncio.Task[None] | None = None


class CaseStudyCrowd(CaseCrowd, StudyCrowd):
    """The same people in a study."""


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
    """Let a class play two games each; says how soon moves arrived and what went wrong."""
    code = host.opens(
        name="Scooters", case="scooter", games=2, roles="swapped", odd_s=5, reveal="own"
    )
    crowd = CaseCrowd(site, code, people, Habits(think_s=think_s, vanish=0))
    await crowd.come_in()
    host.does(code, "start")
    desk_s = await _watched(host, code, crowd.play(LIMIT_S))
    await crowd.close()
    return _found(host, code, crowd, desk_s)


async def case_in_study(site: Site, host: Host, people: int, think_s: float) -> dict[str, Any]:
    """Let as many take part in a study of the case, and export it."""
    code = host.opens(name="Study of scooters", meeting="people", roles="random")
    link = await asyncio.to_thread(host.studies, code, STUDY)
    # Nobody changes browsers: all have one address, which is held for wrong ids (``class_room``).
    habits = Habits(think_s, reload=0, vanish=0, two_tabs=0)
    crowd = CaseStudyCrowd(site, code, link, people, habits)
    desk_s = await _watched(host, code, crowd.come_and_play(LIMIT_S))
    await crowd.close()
    folder = str(site.data_dir / f"export-{code}")
    site.manage("export_study", code, "--out", folder)
    checked = site.manage("export_study", "--check", folder)
    return {**_found(host, code, crowd, desk_s), "check": checked.strip().partition(": ")[2]}


async def _watched(host: Host, code: str, play: Coroutine[Any, Any, None]) -> list[float]:
    """Ask for the desk as its page does while people play; return how long each answer took."""
    playing, took = asyncio.ensure_future(play), []
    while not playing.done():
        began = time.perf_counter()
        await asyncio.to_thread(host.reads, f"/rooms/{code}/desk/")
        took.append(time.perf_counter() - began)
        await asyncio.wait([playing], timeout=2)
    with contextlib.suppress(TimeoutError):  # who is stuck then is counted
        await playing
    return sorted(took)


def _found(host: Host, code: str, crowd: CaseCrowd, desk_s: list[float]) -> dict[str, Any]:
    people = len(crowd.people)
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
        "desk_95_percent_s": desk_s[int(0.95 * len(desk_s))],
        "desk_longest_s": desk_s[-1],
        "numbers_lost_or_twice": sum(
            own != list(range(1, len(own) + 1))
            for one in crowd.people
            for own in one.numbers.values()
        ),
        "secrets_heard": sum(map(_leaks, crowd.people)),
        "troubles": sorted({trouble for one in crowd.people for trouble in one.troubles}),
    }


def _leaks(one: Person) -> int:
    """Count the games in which somebody heard of the other role's sheet or points.

    Also those without the own ones: what is not found of these is found of the others no better.
    """
    count = 0
    for heard in one.heard.values():
        found = {seat: sum(word in heard for word in secrets_of(seat)) for seat in ROLES}
        seats = [seat for seat in ROLES if found[seat]]
        count += len(seats) != 1 or found[seats[0]] < len(CASE.issues)
    return count


@functools.cache
def secrets_of(seat: str) -> tuple[bytes, ...]:
    """Return what only one role may read: sheet and points, as pages and as frames have them."""
    theirs, sheets = other(seat), CASE.side(seat).sheet.values()
    found = [text.split("**")[0].split("'")[0].strip()[:40] for text in sheets]
    for issue in CASE.issues:
        points = dict(zip(map(str, issue.values), issue.points(seat), strict=True))
        if sorted(points.values()) != sorted(issue.points(theirs)):
            found.append(json.dumps(points, separators=(",", ":")))
    found += [f'"{seat}":{begins}' for begins in ("[[", *range(10))]
    return tuple(word.encode() for word in found)


def main() -> int:
    """Measure."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--people", type=int, default=60)
    asked.add_argument("--think", type=float, default=2.0)
    asked.add_argument("--study", action="store_true")
    told = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder, Site(Path(folder)) as site:
        host = Host(site)
        run = case_in_study if told.study else case_in_room
        found = asyncio.run(run(site, host, told.people, told.think))
        host.close()
    for name, value in found.items():
        print(f"{name}: {value:.3f}" if isinstance(value, float) else f"{name}: {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
