"""Steps per second over OpenEnv's socket, beside the same environment on the package's server.

Both servers get the same episodes from the package's own client: one client that plays one episode
after the other over one socket, then 32 at once. They take turns, so many episodes at a time and
either first, because whatever else runs on the machine comes and goes. Servers and clients share
it, so look at the ratios; the processor time per step is each server's own.

    python -m tests.benchmarks.openenv_steps
    python -m tests.benchmarks.openenv_steps --episodes 20 --clients 1 4 --turns 1
    python -m tests.benchmarks.openenv_steps --again 2000
    python -m tests.benchmarks.openenv_steps --flood 10

``--again`` plays kept HTTP sessions again, as every request does where there is Redis. ``--flood``
sends messages as fast as they are taken, for so many seconds, and asks ``/healthz`` beside them:
without a limit, with the one that a site has, and to a process of its own. Each row has the quiet
site of the same minute beside it, so look at its ratio.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import statistics
import tempfile
import time
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import Any

import httpx
import msgspec
from openenv.core import GenericEnvClient
from websockets.asyncio.client import connect

from bazaarbatna.envs.bargain.actions import Action
from bazaarbatna.envs.bargain.resets import Reset
from bazaarbatna.envs.openenv.bazaar import BAZAAR, PREFIX
from bazaarbatna.envs.openenv.kinds import Record, seat_of
from tests.support.openenv_package import PackageServer
from tests.support.servers import Site

CENT = 0.01
TICK_S = 1 / os.sysconf("SC_CLK_TCK")


class Server(msgspec.Struct):
    """Who is measured."""

    name: str
    url: str
    pid: int


class Tally(msgspec.Struct):
    """What a server did in all its turns; times in seconds, ``busy_s`` is its processor time."""

    steps: int = 0
    wall_s: float = 0.0
    busy_s: float = 0.0
    paid: float = 0.0


async def play(env: GenericEnvClient, seeds: range) -> tuple[int, float]:
    """Play episodes over one socket.

    Returns:
        Steps, and the sum of their rewards: both servers must pay the same.
    """
    steps, paid = 0, 0.0
    for seed in seeds:
        result = await env.reset(seed=seed, task="single_deal", variant="sampled")
        while not result.done:
            seen = result.observation
            bid = min(seen["opening_ask"] * (0.4 + 0.06 * seen["round"]), seen["budget"])
            if seen["may_accept"] and seen["standing_ask"] <= bid:
                action: dict[str, Any] = {"action": "accept"}
            else:
                told = f"I can do {bid:.2f}."
                action = {"action": "offer", "price": round(bid, 2), "message": told}
            result = await env.step(action)
            steps += 1
            paid += result.reward or 0.0
    return steps, paid


async def compare(pair: tuple[Server, Server], episodes: int, clients: int, turns: int) -> None:
    """Let both play the same episodes in turns and print what that took."""
    tallies = {server.name: Tally() for server in pair}
    async with AsyncExitStack() as sockets:
        lines = {
            server.name: [
                await sockets.enter_async_context(GenericEnvClient(base_url=server.url))
                for _ in range(clients)
            ]
            for server in pair
        }
        for turn in range(turns):
            seeds = range(turn, episodes, turns)
            shares = [seeds[first::clients] for first in range(clients)]
            for server in pair if turn % 2 else reversed(pair):
                tally = tallies[server.name]
                busy, started = processor_s(server.pid), time.perf_counter()
                played = await asyncio.gather(*map(play, lines[server.name], shares))
                tally.wall_s += time.perf_counter() - started
                tally.busy_s += processor_s(server.pid) - busy
                tally.steps += sum(steps for steps, _ in played)
                tally.paid += sum(paid for _, paid in played)
    ours, theirs = (tallies[server.name] for server in pair)
    same = ours.steps == theirs.steps and abs(ours.paid - theirs.paid) < CENT
    assert same, f"the two played different games: {ours}, {theirs}"
    row = {
        "episodes": episodes,
        "clients": clients,
        "steps": ours.steps,
        "ratio": round(theirs.wall_s / ours.wall_s, 2),
        "processor_ratio": round(theirs.busy_s / ours.busy_s, 2),
    }
    for name, tally in tallies.items():
        row[f"{name}_steps_per_s"] = round(tally.steps / tally.wall_s)
        row[f"{name}_us_per_step"] = round(1e6 * tally.busy_s / tally.steps)
    print(json.dumps(row))


def play_again(games: int) -> float:
    """Return the milliseconds of processor time that playing a kept session again costs a step."""
    wanted = Reset(task="single_deal", variant="sampled")
    kept = []
    for seed in range(games):
        record = Record("asha", "game", wanted, seed)
        answer = seat_of(record, BAZAAR)[1]
        while not answer.done:
            record = record.after(Action("offer", round(answer.observation.budget / 3, 2), "Less?"))
            answer = seat_of(record, BAZAAR)[1]
        kept.append(record)
    started = time.process_time()
    for record in kept:
        seat_of(record, BAZAAR)
    took_s = time.process_time() - started
    return 1000 * took_s / sum(len(record.actions) for record in kept)


async def flood(url: str, seconds: float, answered: list[int]) -> None:
    """Send ``state`` without end, as from elsewhere, and read what is answered; count it."""
    async with connect(url, additional_headers={"X-Forwarded-For": "203.0.113.7"}) as line:
        until = time.monotonic() + seconds

        async def send() -> None:
            while time.monotonic() < until:
                for _ in range(32):
                    await line.send('{"type":"state"}')
                # A line that takes all of it at once would never let the answers be read.
                await asyncio.sleep(0)

        sending = asyncio.create_task(send())
        while time.monotonic() < until:
            try:
                async with asyncio.timeout(1):
                    await line.recv()
                answered[0] += 1
            except TimeoutError:
                continue
        sending.cancel()


async def health_ms(url: str, seconds: float) -> list[float]:
    """Ask for the health of a site again and again; return how long each answer took."""
    took = []
    async with httpx.AsyncClient() as client:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            started = time.perf_counter()
            (await client.get(f"{url}/healthz", timeout=60)).raise_for_status()
            took.append(1000 * (time.perf_counter() - started))
            await asyncio.sleep(0.05)
    return took


def drown(url: str, seconds: float, answered: Any) -> None:
    """Flood from a process of its own, so that it does not slow the asking."""
    count = [0]
    asyncio.run(flood(url, seconds, count))
    answered.value = count[0]


def beside_a_flood(seconds: float) -> None:
    """Measure three sites, each quiet and then beside a flood."""
    limited = {"BAZAAR_ENV_MESSAGES": "500", "BAZAAR_ENV_GAMES": "1200"}
    for name, settings in (("no limit", {}), ("limited", limited), ("own process", {})):
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            site = stack.enter_context(Site(folder, catalogue=False, **settings))
            target = site
            if name == "own process":
                alone = Site(folder, catalogue=False, BAZAAR_ENVIRONMENTS="only")
                alone.start()
                stack.callback(alone.kill)
                target = alone
            asyncio.run(health_ms(site.url, 2))
            quiet = asyncio.run(health_ms(site.url, seconds))
            answered = multiprocessing.Value("l", 0)
            url = f"{target.ws_url}/env/bazaar/ws"
            other = multiprocessing.Process(target=drown, args=(url, seconds + 1, answered))
            other.start()
            time.sleep(1)
            beside = asyncio.run(health_ms(site.url, seconds))
            other.join()
            row = {
                "site": name,
                "messages_per_s": round(answered.value / (seconds + 1)),
                "quiet_ms": round(statistics.median(quiet), 1),
                "beside_ms": round(statistics.median(beside), 1),
                "ratio": round(statistics.median(beside) / statistics.median(quiet), 1),
                "worst_ms": round(max(beside), 1),
            }
            print(json.dumps(row), flush=True)


def processor_s(pid: int) -> float:
    """Return the processor time that a process has used so far, in seconds."""
    # After the name in brackets: state is field 3, user and system time are fields 14 and 15.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * TICK_S


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=1000)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 32])
    parser.add_argument("--turns", type=int, default=10, help="of each server")
    parser.add_argument("--again", type=int, default=0, metavar="GAMES")
    parser.add_argument("--flood", type=float, default=0, metavar="SECONDS")
    asked = parser.parse_args()
    if asked.flood:
        beside_a_flood(asked.flood)
        return
    if asked.again:
        spent_ms = play_again(asked.again)
        print(f"played again: {spent_ms:.3f} ms of processor time a step, resets included")
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        Site(Path(folder), catalogue=False) as site,
        PackageServer() as package,
    ):
        assert site.process is not None
        assert package.process is not None
        ours = Server("ours", site.url + PREFIX, site.process.pid)
        theirs = Server("package", package.url, package.process.pid)
        for clients in asked.clients:
            asyncio.run(compare((ours, theirs), asked.episodes, clients, asked.turns))


if __name__ == "__main__":
    main()
