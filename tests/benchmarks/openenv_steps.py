"""Steps per second over OpenEnv's socket, beside the same environment on the package's server.

Both servers get the same episodes from the package's own client, in turns, in the same run: a
client that plays one episode after the other, then 32 of them at once. Servers and clients share
the machine, so look at the ratios; the processor time per step is each server's own.

    python -m tests.benchmarks.openenv_steps
    python -m tests.benchmarks.openenv_steps --episodes 20 --clients 4 --rounds 1
"""

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec
from openenv.core import GenericEnvClient

from negotiation.openenv.paths import PREFIX
from tests.support.openenv_package import PackageServer
from tests.support.servers import Site

TICK_S = 1 / os.sysconf("SC_CLK_TCK")


class Server(msgspec.Struct):
    """Who is measured."""

    name: str
    url: str
    pid: int


class Measured(msgspec.Struct):
    """One measurement; ``server_us`` is processor time of the server in microseconds a step."""

    steps: int
    steps_per_s: float
    server_us: float


async def play(url: str, seeds: range) -> tuple[int, float]:
    """Play episodes over one socket.

    Returns:
        Steps, and the sum of their rewards: both servers must pay the same.
    """
    steps, paid = 0, 0.0
    async with GenericEnvClient(base_url=url) as env:
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


async def measure(server: Server, episodes: int, clients: int) -> tuple[Measured, float]:
    """Share the episodes out among clients that play at the same time."""
    shares = [range(first, episodes, clients) for first in range(clients)]
    busy, started = _processor_s(server.pid), time.perf_counter()
    played = await asyncio.gather(*(play(server.url, seeds) for seeds in shares))
    wall_s = time.perf_counter() - started
    busy = _processor_s(server.pid) - busy
    steps = sum(one for one, _ in played)
    told = Measured(steps, round(steps / wall_s, 1), round(1e6 * busy / steps, 1))
    return told, sum(paid for _, paid in played)


def compare(ours: Server, theirs: Server, episodes: int, clients: int, rounds: int) -> None:
    """Measure both in turns and print the medians."""
    told: dict[str, list[Measured]] = {ours.name: [], theirs.name: []}
    for _ in range(rounds):
        paid = []
        for server in (ours, theirs):
            measured, reward = asyncio.run(measure(server, episodes, clients))
            told[server.name].append(measured)
            paid.append(round(reward, 6))
        assert paid[0] == paid[1], f"the two played different games: {paid}"
    fast = {name: statistics.median(one.steps_per_s for one in each) for name, each in told.items()}
    busy = {name: statistics.median(one.server_us for one in each) for name, each in told.items()}
    pairs = zip(told[ours.name], told[theirs.name], strict=True)
    ratios = [one.steps_per_s / other.steps_per_s for one, other in pairs]
    row = {
        "episodes": episodes,
        "clients": clients,
        "steps": told[ours.name][0].steps,
        **{f"{name}_steps_per_s": value for name, value in fast.items()},
        "ratio": round(statistics.median(ratios), 2),
        **{f"{name}_server_us_per_step": value for name, value in busy.items()},
    }
    print(json.dumps(row))


def _processor_s(pid: int) -> float:
    # After the name in brackets: state is field 3, user and system time are fields 14 and 15.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * TICK_S


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=1000)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 32])
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
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
            compare(ours, theirs, asked.episodes, clients, asked.rounds)


if __name__ == "__main__":
    main()
