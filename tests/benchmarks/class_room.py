"""A class in a room: people who come in, reload, open two tabs and vanish, and what holds then.

Starts a real site and lets ``--people`` play over pages and sockets from this process. In the
middle a web process (``--kill``) and the worker (``--kill-worker``) are killed and started again.
With ``--study`` they come by links with ids and go through consent, questions and surveys, in two
arms, and the study is exported and checked. Printed: waits, how long moves took to reach the other
side, and counts that have to be 0.

    python -m tests.benchmarks.class_room --people 200 --games 2 --kill
    python -m tests.benchmarks.class_room --people 200 --study --kill --kill-worker
"""

import argparse
import asyncio
import contextlib
import csv
import json
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from rooms.study.assignment import arm_at
from tests.support.dear_goods import LEAST_PRICE, may_be_told, put_on_sale
from tests.support.one_port import OnePort
from tests.support.room_crowd import Crowd, Habits, Host, Person
from tests.support.servers import Site
from tests.support.services import Postgres, Redis
from tests.support.spellings import names, where
from tests.support.study_crowd import DESIGN, WAITS_S, StudyCrowd
from tests.support.workers import Worker

ABSENT_S = 20
ODD_S = 10
LEAST_HIT = 2
"""So many games are under way, at least, when the process is killed."""


async def crowd_in_room(
    site: Site, host: Host, people: int, habits: Habits, *, games: int = 1, kill: Site | None = None
) -> dict[str, Any]:
    """Let a crowd play in a new room and return what came of it."""
    put_on_sale(site)
    code = host.opens(
        name="A class", meeting="people", roles="random", games=games, rounds=6,
        absent_s=ABSENT_S, odd_s=ODD_S, least_price=LEAST_PRICE,
    )  # fmt: skip
    crowd = Crowd(site, code, people, habits)
    began = time.monotonic()
    await crowd.come_in()
    came_in_s = time.monotonic() - began
    await asyncio.to_thread(host.does, code, "start")
    over = asyncio.Event()
    faults = asyncio.create_task(_fault(over, kill))
    with contextlib.suppress(TimeoutError):
        await crowd.play(limit_s=120 + 240 * games)  # who is stuck then is counted
    over.set()
    hit = await faults
    await crowd.close()
    found = found_in(site, code, crowd.people)
    return {**found, "came_in_s": round(came_in_s, 1), "games_hit": hit}


async def study_in_room(
    site: Site,
    host: Host,
    people: int,
    habits: Habits,
    *,
    kill: Site | None = None,
    worker: Worker | None = None,
) -> dict[str, Any]:
    """Let a crowd take part in a new study, export it, and return what came of it all."""
    put_on_sale(site)
    code = host.opens(name="A study", meeting="people", roles="random", least_price=LEAST_PRICE)
    link = await asyncio.to_thread(host.studies, code, DESIGN)
    crowd = StudyCrowd(site, code, link, people, habits)
    began = time.monotonic()
    # People of a study come one by one: few sit at tables at the same time.
    over = asyncio.Event()
    faults = asyncio.create_task(_fault(over, kill, worker, least=1))
    with contextlib.suppress(TimeoutError):
        await crowd.come_and_play(limit_s=600)  # who is stuck then is counted
    over.set()
    hit = await faults
    await crowd.close()
    waits = [wait for one in crowd.people for wait in one.waits_s]
    return {
        **found_in(site, code, crowd.people),
        "games_hit": hit,
        "took_s": round(time.monotonic() - began, 1),
        "stated_wait_s": WAITS_S,
        "waited_longer": sum(wait > WAITS_S + LOOK_S + SLACK_S for wait in waits),
        **_of_study(site, host, code, crowd),
    }


LOOK_S, SLACK_S = 2, 5
"""A lobby looks so often, and a page takes that long at most, before a wait counts as too long."""


def _of_study(site: Site, host: Host, code: str, crowd: StudyCrowd) -> dict[str, Any]:
    """Hold what a study has stored against its people, its drawn order and its export."""
    rows = site.query(
        "select m.id, m.external_id, m.slot, m.arm, m.end, m.consented_at, s.seed"
        " from rooms_member m join rooms_room r on r.id = m.room_id"
        " join rooms_study s on s.room_id = r.id where r.code = %s",
        code,
    )
    came = [row for row in rows if row[5] is not None]
    slots = sorted(row[2] for row in came)
    arms = ("talk", "prices")
    drawn = Counter(str(row[3]) for row in came)
    blocks = [
        Counter(str(row[3]) for row in came if row[2] // 2 == n) for n in range(len(came) // 2)
    ]
    ended = [row for row in came if row[4] == "finished"]
    answers = dict(
        site.query(
            "select member_id, count(*) from rooms_answer where form = 'after' group by member_id"
        )
    )
    done = sum(one.is_done for one in crowd.people)
    return {
        "consented": len(came),
        "finished": len(ended),
        "ids_twice": len(rows) - len({row[1] for row in rows}),
        "places_not_in_order": sum(slot != place for place, slot in enumerate(slots)),
        "arms": dict(drawn),
        "arms_apart": max(drawn.values(), default=0) - min(drawn.get(arm, 0) for arm in arms),
        "blocks_uneven": sum(block[arm] != 1 for block in blocks for arm in arms),
        "not_as_drawn": sum(row[3] != arm_at(row[2], arms, 0, row[6]) for row in came),
        "surveys_missing": sum(answers.get(row[0], 0) != 2 for row in ended),
        "done_without_end": done - len(ended),
        **_exported(site, host, code, came, len(ended)),
    }


def _exported(
    site: Site, host: Host, code: str, came: list[tuple[Any, ...]], ended: int
) -> dict[str, Any]:
    """Export the study by the command, check the files, and compare them with what is stored."""
    folder = site.data_dir / f"export-{code}"
    site.manage("export_study", code, "--out", str(folder))
    checked = site.manage("export_study", "--check", str(folder))

    def cells(name: str) -> list[dict[str, str]]:
        with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    paid = [line for line in host.reads(f"/rooms/{code}/study/pay.csv").splitlines()[1:] if line]
    events = Counter((row["game"], row["seq"]) for row in cells("events"))
    stored = site.query(
        "select count(*) from negotiation_eventrow e join rooms_roomgame g on g.game_id = e.game_id"
        " join negotiation_game n on n.id = g.game_id join rooms_room r on r.id = g.room_id"
        " where r.code = %s and n.status = 'ended'",
        code,
    )[0][0]
    return {
        "check": checked.strip().partition(": ")[2],
        "people_not_once_in_export": abs(len(cells("participants")) - len(came))
        + sum(count > 1 for count in Counter(r["external_id"] for r in cells("pay")).values()),
        "events_not_once_in_export": abs(sum(events.values()) - stored)
        + sum(count > 1 for count in events.values()),
        "paid_not_once": abs(len(paid) - ended) + len(paid) - len(set(paid)),
    }


async def _fault(
    over: asyncio.Event,
    site: Site | None,
    worker: Worker | None = None,
    least: int = LEAST_HIT,
) -> int:
    """Kill what is told in the middle of games and start it again; return how many that were.

    0 where all is ``over`` before so many were under way at the same time.
    """
    asked = site or (worker.site if worker else None)
    going = 0
    while going < least:
        if asked is None or over.is_set():
            return 0
        await asyncio.sleep(0.1)
        going = asked.query(
            "select count(*) from negotiation_game where status = 'live' and last_seq >= 3"
        )[0][0]
    if worker is not None:
        await asyncio.to_thread(worker.kill)
    if site is not None:
        await asyncio.to_thread(site.kill)
        await asyncio.sleep(2)
        await asyncio.to_thread(site.start)
    if worker is not None:
        await asyncio.to_thread(worker.start)
    return going


def ungraded(site: Site, within_s: float = 120) -> int:
    """Wait until the worker has graded what has ended; return how many games it has not."""
    left = 1
    until = time.monotonic() + within_s
    while left and time.monotonic() < until:
        time.sleep(1)
        left = site.query(
            "select count(*) from negotiation_game n join rooms_roomgame g on g.game_id = n.id"
            " left join replays_grading d on d.game_id = n.id"
            " where n.status = 'ended' and (d.status is null or d.status <> 'done')"
        )[0][0]
    return left


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
        "secrets_heard": sum(bool(heard) for heard, _ in told),
        "secrets_where": [heard for heard, _ in told if heard][:3],
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


def _secrets(site: Site, one: Person, rows: list[tuple[Any, ...]]) -> tuple[str, int]:
    """Return where this person was sent the other's number before the end; count the own ones.

    The own one has to be found: that shows that the search can find any. A number that the other
    side itself has named as a price is no secret any more.
    """
    found, seen = "", 0
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
        if not may_be_told(secret, own, _offered(site, game)):
            found = found or where(before, secret)
        seen += names(before, own)
    return found, seen


def _offered(site: Site, game: str) -> list[int]:
    """Return the prices that were named at a table, in paise, first to last."""
    sql = "select payload from negotiation_eventrow where game_id = %s and kind = 'offer'"
    rows = site.query(f"{sql} order by seq", game)
    return [json.loads(bytes(row[0]))["price"] for row in rows]


def main() -> None:
    """Read the command line, serve, measure, print one JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--think", type=float, default=3.0)
    parser.add_argument("--kill", action="store_true", help="kill -9 of a web process")
    parser.add_argument("--study", action="store_true", help="they take part in a study")
    parser.add_argument("--kill-worker", action="store_true", help="with --study: kill -9, too")
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
        if asked.study:
            print(json.dumps(_study(stack, asked, site, first, host, habits)))
            return
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


def _study(
    stack: ExitStack,
    asked: argparse.Namespace,
    site: Site,
    first: Site,
    host: Host,
    habits: Habits,
) -> dict[str, Any]:
    worker = stack.enter_context(Worker(first))
    result = asyncio.run(
        study_in_room(
            site,
            host,
            asked.people,
            habits,
            kill=first if asked.kill else None,
            worker=worker if asked.kill_worker else None,
        )
    )
    return {**result, "ungraded": ungraded(first)}


if __name__ == "__main__":
    main()
