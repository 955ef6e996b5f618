"""Steps per second on the GPU market: by the engine alone, in each environment, and when served.

The rule expert plays the same seeds everywhere, so every column pays the same return (checked).
Served steps come from the openenv package's own client, one episode after the other and then
several clients at once; the processor time per step is the server's own. Clients and server share
the machine: look at the ratios.

    python -m tests.benchmarks.market_steps
    python -m tests.benchmarks.market_steps --episodes 4 --clients 1 2
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
from openenv.core import GenericEnvClient

from bazaarbatna.envs.market.actions import write_action
from bazaarbatna.envs.market.gymnasium_env import GpuMarketEnv
from bazaarbatna.envs.market.labs import env
from bazaarbatna.envs.market.views import read_view
from bazaarbatna.envs.openenv.market import MARKET, PREFIX
from bazaarbatna.market import TASK_NAMES, make_market
from bazaarbatna.market.planner import play_scored
from bazaarbatna.market.policies.expert import rule_expert
from tests.benchmarks.openenv_steps import processor_s
from tests.support.servers import Site

NEARLY = 1e-9


def by_engine(task: str, seed: int) -> tuple[int, float]:
    """Play an episode; give its steps and its return."""
    scored = play_scored(make_market(task, seed), rule_expert)
    return len(scored.rewards), scored.total


def by_seat(task: str, seed: int) -> tuple[int, float]:
    """The same on a seat, with JSON both ways and no wire."""
    seat = MARKET.seat()
    answer = seat.reset(MARKET.wanted(task=task, seed=seed), seed=0, episode_id="bench")
    steps = 0
    while not answer.done:
        seen = read_view(json.loads(msgspec.json.encode(answer.observation)))
        answer = seat.step(MARKET.read(write_action(rule_expert(seen))))
        steps += 1
    return steps, answer.metadata.score or 0.0


def by_gymnasium(words: bool) -> Callable[[str, int], tuple[int, float]]:
    """The same in ``GpuMarket-v0``, with and without words."""

    def play(task: str, seed: int) -> tuple[int, float]:
        table = GpuMarketEnv(task, words=words)
        table.reset(seed=seed)
        steps, total, done = 0, 0.0, False
        while not done:
            assert table._table is not None
            _, reward, done, _, _ = table.step(rule_expert(table._table.seen_by(0)))
            steps, total = steps + 1, total + reward
        return steps, total

    return play


def by_labs(task: str, seed: int) -> tuple[int, float]:
    """The same by PettingZoo, one agent."""
    table = env(task, labs=(0,), words=False)
    table.reset(seed=seed)
    steps, total = 0, 0.0
    for agent in table.agent_iter():
        _, reward, done, _, _ = table.last(observe=False)
        total += reward
        assert table._table is not None
        table.step(None if done else rule_expert(table._table.seen_by(int(agent[-1]))))
        steps += not done
    return steps, total


async def served(market: GenericEnvClient, task: str, seeds: range) -> tuple[int, float]:
    """Play episodes over one socket."""
    steps, total = 0, 0.0
    for seed in seeds:
        result = await market.reset(task=task, seed=seed)
        while not result.done:
            result = await market.step(write_action(rule_expert(read_view(result.observation))))
            steps += 1
            total += result.reward or 0.0
    return steps, total


async def over_the_wire(site: Site, task: str, episodes: int, clients: int) -> None:
    """Let some clients play at once and print what that took."""
    assert site.process is not None
    async with AsyncExitStack() as sockets:
        lines = [
            await sockets.enter_async_context(GenericEnvClient(base_url=site.url + PREFIX))
            for _ in range(clients)
        ]
        shares = [range(first, episodes, clients) for first in range(clients)]
        busy, started = processor_s(site.process.pid), time.perf_counter()
        played = await asyncio.gather(
            *(served(line, task, share) for line, share in zip(lines, shares, strict=True))
        )
        wall_s = time.perf_counter() - started
        busy_s = processor_s(site.process.pid) - busy
    steps, total = (sum(column) for column in zip(*played, strict=True))
    expected = sum(by_engine(task, seed)[1] for seed in range(episodes))
    assert abs(total - expected) < NEARLY * episodes, "the server paid something else"
    told = {"task": task, "how": "served", "clients": clients, "steps": steps}
    told |= {"steps_per_s": round(steps / wall_s), "us_per_step": round(1e6 * busy_s / steps)}
    print(json.dumps(told))


def in_process(task: str, episodes: int) -> None:
    """Play in each environment and print what that took, in processor time of this process."""
    ways: dict[str, Callable[[str, int], tuple[int, float]]] = {
        "engine": by_engine,
        "gymnasium": by_gymnasium(words=True),
        "gymnasium, no words": by_gymnasium(words=False),
        "pettingzoo, no words": by_labs,
        "seat and JSON": by_seat,
    }
    returns = set()
    for name, play in ways.items():
        started = time.process_time()
        played = [play(task, seed) for seed in range(episodes)]
        took_s = time.process_time() - started
        steps = sum(one for one, _ in played)
        returns.add(round(sum(total for _, total in played), 6))
        told = {"task": task, "how": name, "steps": steps, "steps_per_s": round(steps / took_s)}
        print(json.dumps(told))
    assert len(returns) == 1, f"the environments paid different returns: {returns}"


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=300)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 16])
    asked = parser.parse_args()
    for task in TASK_NAMES:
        in_process(task, asked.episodes)
    with tempfile.TemporaryDirectory() as folder, Site(Path(folder), catalogue=False) as site:
        for task in TASK_NAMES:
            for clients in asked.clients:
                asyncio.run(over_the_wire(site, task, asked.episodes, clients))


if __name__ == "__main__":
    main()
