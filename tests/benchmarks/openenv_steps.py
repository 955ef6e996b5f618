"""Steps per second over OpenEnv's socket, beside the same environment on the package's server.

Both servers get the same episodes from the package's own client: one client that plays one episode
after the other over one socket, then 32 at once. They take turns, so many episodes at a time and
either first, because whatever else runs on the machine comes and goes. Servers and clients share
it, so look at the ratios; the processor time per step is each server's own.

    python -m tests.benchmarks.openenv_steps
    python -m tests.benchmarks.openenv_steps --episodes 20 --clients 1 4 --turns 1
    python -m tests.benchmarks.openenv_steps --again 2000

The last one plays kept HTTP sessions again, as every request does where there is Redis.
"""

import argparse
import asyncio
import json
import os
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec
from openenv.core import GenericEnvClient

from negotiation.environment.actions import Action
from negotiation.environment.resets import Reset
from negotiation.openenv.bazaar import BAZAAR, PREFIX
from negotiation.openenv.kinds import Record, seat_of
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
    asked = parser.parse_args()
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
