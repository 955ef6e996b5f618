"""A class in a room: people who come in, reload, open two tabs and vanish, and what holds then.

Starts a real site and lets ``--people`` play over pages and sockets from this process. In the
middle a web process is killed (``--kill``) and started again. Printed: waits, how long moves took
to reach the other side, and counts that have to be 0.

    python -m tests.benchmarks.class_room --people 200 --games 2 --kill
"""

import argparse
import asyncio
import contextlib
import json
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.support.one_port import OnePort
from tests.support.room_crowd import Crowd, Habits, Host, Person
from tests.support.servers import Site
from tests.support.services import Postgres, Redis
from tests.support.spellings import names

ABSENT_S = 20
ODD_S = 10
LEAST_HIT = 2
"""So many games are under way, at least, when the process is killed."""


async def crowd_in_room(
    site: Site, host: Host, people: int, habits: Habits, *, games: int = 1, kill: Site | None = None
) -> dict[str, Any]:
    """Let a crowd play in a new room and return what came of it."""
    code = host.opens(
        name="A class", meeting="people", roles="random", games=games, rounds=6,
        absent_s=ABSENT_S, odd_s=ODD_S, least_price=1000,
    )  # fmt: skip
    crowd = Crowd(site, code, people, habits)
    began = time.monotonic()
    await crowd.come_in()
    came_in_s = time.monotonic() - began
    await asyncio.to_thread(host.does, code, "start")
    faults = asyncio.create_task(_fault(kill)) if kill is not None else None
    with contextlib.suppress(TimeoutError):
        await crowd.play(limit_s=120 + 240 * games)  # who is stuck then is counted
    hit = await faults if faults is not None else 0
    await crowd.close()
    found = found_in(site, code, crowd.people)
    return {**found, "came_in_s": round(came_in_s, 1), "games_hit": hit}


async def _fault(site: Site) -> int:
    """Kill the site in the middle of games and start it again; return how many that were."""
    going = 0
    while going < LEAST_HIT:
        await asyncio.sleep(0.1)
        going = site.query(
            "select count(*) from negotiation_game where status = 'live' and last_seq >= 3"
        )[0][0]
    await asyncio.to_thread(site.kill)
    await asyncio.sleep(2)
    await asyncio.to_thread(site.start)
    return going


def found_in(site: Site, code: str, people: list[Person]) -> dict[str, Any]:
    """Compare what the people saw with what is stored."""
    rows = site.query(
        "select g.game_id, g.round, g.seller_id, g.buyer_id, n.status, n.last_seq"
        " from rooms_roomgame g join rooms_room r on r.id = g.room_id"
        " join negotiation_game n on n.id = g.game_id where r.code = %s",
        code,
    )
    chairs = [(member, row[1]) for row in rows for member in row[2:4] if member]
    reached = sorted(second for one in people for second in one.reached_s)
    waits = sorted(wait for one in people for wait in one.waits_s)
    told = [_secrets(site, one, rows) for one in people]
    return {
        "people": len(people),
        "gone": sum(one.is_gone for one in people),
        "done": sum(one.is_done for one in people),
        "games": len(rows),
        "over": sum(row[4] == "ended" for row in rows),
        "wait_p50_s": _at(waits, 0.5),
        "wait_max_s": _at(waits, 1.0),
        "reach_p50_ms": round(1000 * _at(reached, 0.5), 1),
        "reach_p95_ms": round(1000 * _at(reached, 0.95), 1),
        "moves_timed": len(reached),
        "twice_in_a_round": len(chairs) - len(set(chairs)),
        "stuck": sum(not (one.is_done or one.is_gone) for one in people),
        "logs_not_whole": sum(site.numbers(row[0]) != list(range(1, row[5] + 1)) for row in rows),
        "events_lost": sum(_lost(site, one) for one in people),
        "secrets_heard": sum(heard for heard, _ in told),
        "own_numbers_heard": sum(seen for _, seen in told),
        "troubles": sorted({trouble for one in people for trouble in one.troubles})[:6],
    }


def _at(values: list[float], share: float) -> float:
    return round(values[int(share * (len(values) - 1))], 3) if values else 0.0


def _lost(site: Site, one: Person) -> int:
    """Count the games of which this person saw the end but not each event."""
    return sum(
        not set(site.numbers(game)) <= set(one.numbers.get(game, site.numbers(game)))
        for game in one.ended
    )


def _secrets(site: Site, one: Person, rows: list[tuple[Any, ...]]) -> tuple[int, int]:
    """Count the games in which this person was sent the other's number before the end, and the own.

    The own one has to be found: that shows that the search can find any.
    """
    found = seen = 0
    known = {row[0] for row in rows}
    for game, heard in one.heard.items():
        if game not in known:
            continue
        before = heard.partition(b'"kind":"ended"')[0]
        if not before:
            continue
        sealed = site.scenario(game).sealed
        session = one.http.cookies["sessionid"]
        seat = site.query("select owner, seat from negotiation_game where id = %s", game)[0]
        sells = (seat[0] == session) == (seat[1] == "seller")
        own, secret = sealed.reservation, sealed.budget
        if not sells:
            own, secret = secret, own
        found += names(before, secret)
        seen += names(before, own)
    return found, seen


def main() -> None:
    """Read the command line, serve, measure, print one JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--think", type=float, default=3.0)
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--services", action="store_true", help="PostgreSQL and Redis")
    parser.add_argument("--web", type=int, default=1, help="web processes; more need --services")
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        urls = {}
        if asked.services:
            urls["DATABASE_URL"] = stack.enter_context(Postgres()).url
            urls["REDIS_URL"] = stack.enter_context(Redis()).url
        first = site = stack.enter_context(Site(folder, **urls))
        if asked.web > 1:
            more = [Site(folder, **urls) for _ in range(asked.web - 1)]
            for one in more:
                one.start()
                stack.callback(one.kill)
            site = stack.enter_context(OnePort(site, *more)).site
        host = Host(site)
        stack.callback(host.close)
        habits = Habits(think_s=asked.think)
        result = asyncio.run(
            crowd_in_room(
                site,
                host,
                asked.people,
                habits,
                games=asked.games,
                kill=first if asked.kill else None,
            )
        )
        print(json.dumps(result))


if __name__ == "__main__":
    main()
