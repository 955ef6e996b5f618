"""A public site as compose.yaml runs it: TLS in front, two web processes on one port, a worker."""

import itertools
import os
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager

import httpx
import pytest
import redis
from websockets.exceptions import InvalidStatus

from bazaar_site.checks import problems
from bazaar_site.env import Env
from tests.support.arena import at_match, hear_all, starts
from tests.support.people import Line, Visitor
from tests.support.production import Production, web_processes
from tests.support.services import Postgres, Redis, missing
from tests.support.tls_front import VISITOR
from tests.support.waiting import until

pytestmark = [
    pytest.mark.services,
    pytest.mark.skipif(bool(missing()), reason=f"not installed: {missing()}"),
]


@pytest.fixture(scope="module")
def production(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Production]:
    """The site of this module."""
    folder = tmp_path_factory.mktemp("production")
    with Postgres() as postgres, Redis() as bells, Production(folder, postgres, bells) as running:
        yield running


@pytest.fixture
def asha(production: Production) -> Iterator[Visitor]:
    """Asha, who sells."""
    visitor = Visitor(production.people)
    yield visitor
    visitor.close()


def processes(production: Production) -> dict[int, int]:
    return web_processes(production.pid("web"))


@contextmanager
def asleep(*pids: int) -> Iterator[None]:
    """Stop processes for a moment: whoever connects meanwhile is heard by another."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def one_by_one(production: Production) -> Iterator[int]:
    """Let each web process in turn be the only one that hears; ends when each has a connection."""
    before = processes(production)
    assert len(before) == 2
    for pid in before:
        with asleep(*(before.keys() - {pid})):
            yield pid
        assert processes(production)[pid] > before[pid], "it went to the other process"


async def lines_to_both(
    production: Production, stack: AsyncExitStack, asha: Visitor, game_id: str
) -> dict[int, Line]:
    """Open a socket to each web process; give them by process."""
    found: dict[int, Line] = {}
    for pid in one_by_one(production):
        line = await stack.enter_async_context(asha.at(game_id))
        await line.send("sync")
        await line.hear_event("opened")
        found[pid] = line
    return found


def test_the_site_has_nothing_to_warn_its_operator_of(production: Production) -> None:
    settings = production.environment("web") | {"POSTGRES_PASSWORD": ""}
    assert problems(Env(**settings)) == []  # type: ignore[arg-type]


def test_every_part_answers_and_probes_need_no_tls(production: Production) -> None:
    plainly = f"http://127.0.0.1:{production.port}"
    host = {"Host": "localhost"}
    names = ("process", "database", "redis", "worker", "training")
    well = {"status": "ok", "parts": dict.fromkeys(names, "ok")}
    until(lambda: httpx.get(f"{plainly}/healthz", headers=host).json() == well)
    page = httpx.get(f"{plainly}/sell/", headers=host)
    assert (page.status_code, page.headers["Location"]) == (301, "https://localhost/sell/")


def test_the_probe_of_the_container_sees_a_site_that_is_gone(production: Production) -> None:
    assert production.is_well()
    done = production.run("web", "env", "PORT=1", "python", "deploy/probe.py")
    assert done.returncode == 1
    assert "no answer on port 1" in done.stderr
    done = production.run(
        "web", "env", "BAZAAR_ALLOWED_HOSTS=mallory.example", "python", "deploy/probe.py"
    )
    assert done.returncode == 1
    assert "/healthz answers 400" in done.stderr


def test_pages_are_closed_to_listeners_and_to_made_up_names(asha: Visitor) -> None:
    answer = asha.http.get("/sell/")
    assert answer.status_code == 200
    assert answer.headers["Strict-Transport-Security"].startswith("max-age=31536000")
    fresh = Visitor(asha.site)
    cookies = list(fresh.http.cookies.jar)
    assert {cookie.name for cookie in cookies} == {"sessionid", "csrftoken"}
    assert all(cookie.secure for cookie in cookies)
    fresh.close()
    assert asha.http.get("/sell/", headers={"Host": "mallory.example"}).status_code == 400
    lost = asha.http.get("/nowhere/")
    assert lost.status_code == 404
    assert "urlpatterns" not in lost.text
    style = asha.http.get("/").text.partition('rel="stylesheet" href="')[2].partition('"')[0]
    assert asha.http.get(style).headers["Cache-Control"].startswith("max-age=315360000")


async def test_a_page_elsewhere_can_neither_post_nor_listen(asha: Visitor) -> None:
    token = asha.http.cookies.get("csrftoken", "")
    for origin, status in (("https://mallory.example", 403), (asha.site.url, 422)):
        headers = {"Origin": origin, "X-CSRFToken": token}
        assert asha.http.post("/api/sell/", json={}, headers=headers).status_code == status
    game_id = asha.opens()
    async with asha.at(game_id, origin=asha.site.url) as line:
        await line.send("sync")
        await line.hear_event("opened")
    with pytest.raises(InvalidStatus, match="403"):
        await asha.at(game_id, origin="https://mallory.example").__aenter__()


async def test_a_sale_goes_on_in_the_other_process_when_one_is_killed(
    production: Production, asha: Visitor
) -> None:
    game_id = asha.opens_a_zone()
    async with AsyncExitStack() as stack:
        lines = await lines_to_both(production, stack, asha, game_id)
        (doomed, here), (_, there) = lines.items()
        for number, mover in enumerate((here, there), start=1):
            await mover.send("offer", price=2000 - 10 * number, text=f"my price {number}")
            for line in (here, there):
                await line.hear_event("offer", "seller")
                await line.hear_event("offer", "buyer")
        os.kill(doomed, signal.SIGKILL)
        await there.send("offer", price=1900)
        await there.hear_event("offer", "seller")
        await there.hear_event("offer", "buyer")
        until(lambda: len(processes(production)) == 2)
        assert doomed not in processes(production)
        await there.send("walk")
        await there.hear_event("ended")
    status = "select status from replays_grading where game_id = %s"
    # Nobody has looked at it: the end of the game alone has asked the worker.
    until(lambda: asha.site.query(status, game_id) == [("done",)])
    graded = asha.http.get(f"/replays/{game_id}/grades.json")
    assert graded.status_code == 200
    assert graded.json()["moves"]


async def test_a_match_is_watched_to_its_end(asha: Visitor) -> None:
    match_id = starts(asha, "rules:boulware", "rules:micro", "rules:smart", seed=3)
    async with at_match(asha, match_id) as line:
        frames = await hear_all(line)
    assert [frame["seq"] for frame in frames] == list(range(1, len(frames) + 1))
    assert frames[-1]["event"]["outcome"] in ("deal", "expired")


@pytest.fixture
def both(production: Production) -> Iterator[list[httpx.Client]]:
    """A program's lasting connections to each of the web processes."""
    proxied = {"Host": "localhost", "X-Forwarded-Proto": "https", "X-Forwarded-For": VISITOR}
    address = f"http://127.0.0.1:{production.port}/env/bazaar/"
    found = []
    with ExitStack() as stack:
        for _ in one_by_one(production):
            client = stack.enter_context(httpx.Client(base_url=address, headers=proxied))
            assert client.get("health").json() == {"status": "healthy"}
            found.append(client)
        yield found


def test_an_environment_by_plain_http_is_the_same_in_both_processes(
    both: list[httpx.Client],
) -> None:
    turns = itertools.cycle(both)
    started = next(turns).post("reset", json={"task": "single_deal", "seed": 7}).json()
    episode = started["metadata"]["episode_id"]
    bid, turn = {"action": "offer", "price": 10}, started
    while not turn["done"]:
        answer = next(turns).post("step", json={"episode_id": episode, "action": bid})
        assert answer.status_code == 200, answer.text
        turn = answer.json()
    told = [client.get("state", params={"episode_id": episode}).json() for client in both]
    assert told[0] == told[1]
    assert told[0]["step_count"] == turn["observation"]["max_rounds"]


async def test_an_environment_by_socket_goes_through_the_proxy(asha: Visitor) -> None:
    async with Line(asha, "/env/bazaar/ws") as line:
        await line.send("reset", data={"task": "single_deal", "seed": 7})
        await line.send("step", data={"action": "walk"})
        await line.hear_type("observation")
        assert (await line.hear_type("observation"))["data"]["done"]


def test_limits_count_the_visitor_and_not_the_proxy(production: Production, asha: Visitor) -> None:
    asha.http.headers["X-Forwarded-For"] = "198.51.100.1"
    asha.opens()
    with redis.Redis.from_url(production.environment("web")["REDIS_URL"]) as counters:
        counted = {key for key in counters.scan_iter() if b"/games/" in key}
    assert counted
    assert all(VISITOR.encode() in key for key in counted)
