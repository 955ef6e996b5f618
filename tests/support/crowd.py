"""One process of a site and its many callers at the gates: ``python -m tests.support.crowd``.

Reads a ``Rush`` per line and answers each with a ``Result`` per line.
"""

import asyncio
import os
import random
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import msgspec

from agents.gates.contract import Call, GateClosed, Settlement, Ticket
from agents.gates.rules import NO_COUNTERS

MOST_KEPT_AWAY = 50
"""How often one caller asks again whom the counters did not answer in time; beyond it is refused
like anybody, which a test sees."""


class Rush(msgspec.Struct):
    """What the callers of one process do, all at once.

    ``hold`` never settles, ``work`` works for some milliseconds and settles with a random cost,
    ``break`` settles with a failure, ``crash`` is killed with its calls under way.
    """

    gates: dict[str, float]
    now: float
    client: str = "mallory"
    mode: Literal["hold", "work", "break", "crash"] = "hold"
    callers: int = 50
    tries: int = 1
    reserve_microusd: int = 700
    metered: bool = True
    backend: str = "hf"


class Result(msgspec.Struct):
    """How many calls passed, what stopped the others, and when each call was under way (ns)."""

    passed: int = 0
    refused: dict[str, int] = {}
    spans: list[tuple[int, int]] = []
    cost_microusd: int = 0


class Crowd:
    """The callers of this process."""

    def __init__(self, threads: int) -> None:
        from agents.gates.keeper import gatekeeper

        self.keeper = gatekeeper()
        self.pool = ThreadPoolExecutor(threads)

    async def rush(self, rush: Rush) -> Result:
        from django.conf import settings

        settings.SAUDA_GATES = rush.gates
        result = Result(refused={}, spans=[])
        await asyncio.gather(*(self._caller(rush, result) for _ in range(rush.callers)))
        if rush.mode == "crash":
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    async def _caller(self, rush: Rush, result: Result) -> None:
        loop = asyncio.get_running_loop()
        call = Call(rush.backend, rush.client, 100, rush.metered, rush.reserve_microusd)
        tries = kept_away = 0
        while tries < rush.tries:
            try:
                ticket = await loop.run_in_executor(self.pool, self.keeper.admit, call, rush.now)
            except GateClosed as closed:
                # On a busy machine a crowd may keep somebody from the counters for too long: that
                # is no answer of the gate, so ask again, but not for ever.
                if str(closed) == NO_COUNTERS and kept_away < MOST_KEPT_AWAY:
                    kept_away += 1
                    continue
                result.refused[closed.gate] = result.refused.get(closed.gate, 0) + 1
                tries += 1
                continue
            tries += 1
            result.passed += 1
            if rush.mode in ("work", "break"):
                await self._work(ticket, rush, result)

    async def _work(self, ticket: Ticket, rush: Rush, result: Result) -> None:
        began = time.monotonic_ns()
        await asyncio.sleep(random.uniform(0, 0.05))
        cost = random.randrange(rush.reserve_microusd + 1)
        result.cost_microusd += cost
        result.spans.append((began, time.monotonic_ns()))
        is_broken = rush.mode == "break"
        end = Settlement("ok", broken=is_broken, latency_ms=1, cost_microusd=cost)
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self.pool, self.keeper.settle, ticket, end, rush.now)


def main() -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    django.setup()
    crowd = Crowd(threads=int(sys.argv[1]))
    print("ready", flush=True)
    for line in sys.stdin:
        result = asyncio.run(crowd.rush(msgspec.json.decode(line, type=Rush)))
        print(msgspec.json.encode(result).decode(), flush=True)


if __name__ == "__main__":
    main()
