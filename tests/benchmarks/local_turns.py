"""How many turns a second the local model makes, answered together or one at a time.

    python -m tests.benchmarks.local_turns --games 1 8 32 --seconds 20

Every game asks for one turn after the other without a pause: the site's own prompts, taken from
games that the rule buyer played, and answers of 48 to 96 tokens. The model has random weights, so
that answers never end early and both ways make the same number of tokens; its size is realistic.
The two ways take turns, so that whatever else the machine does hits both; CPU seconds say what a
turn costs on a machine that is not ours alone.
"""

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import django
import msgspec

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
django.setup()

from agents.backends.base import Chat  # noqa: E402
from agents.backends.local.backend import LocalBackend  # noqa: E402
from agents.prompts.buyer import render  # noqa: E402
from tests.benchmarks.positions import positions  # noqa: E402
from tests.support.local_models import when_ready  # noqa: E402
from tests.support.tiny_llama import make_tiny_llama  # noqa: E402

BAR = 4.0
SHAPE = {"hidden": 256, "layers": 6, "heads": 8, "kv_heads": 4, "vocabulary": 6000}
TINY = {"hidden": 64, "layers": 2, "heads": 4, "kv_heads": 2, "vocabulary": 1000}
FEWEST, MOST = 48, 96
QUEUED = 3
"""Questions under way when one is answered at a time, so that the model never waits for us."""


class Measured(msgspec.Struct):
    """Turns of one way: how long each took in seconds, and how many tokens were read and made."""

    turns_s: list[float] = []
    tokens: int = 0
    prompt_tokens: int = 0
    elapsed_s: float = 0.0
    cpu_s: float = 0.0

    @property
    def rate(self) -> float:
        """Turns a second."""
        return len(self.turns_s) / self.elapsed_s

    @property
    def cost(self) -> float:
        """CPU seconds a turn."""
        return self.cpu_s / len(self.turns_s)


async def measure(
    into: Measured, backend: LocalBackend, seed: int, games: int, seconds: float, at_once: int
) -> None:
    """Let games ask until the time is over; the answers under way then are waited for."""
    gate = asyncio.Semaphore(at_once)
    began, cpu = time.perf_counter(), time.process_time()

    async def play(number: int) -> None:
        dice = Random(number)
        for seen in positions(number):
            async with gate:
                if time.perf_counter() - began > seconds:
                    return
                asked = time.perf_counter()
                chat = Chat(render(seen), max_new_tokens=dice.randint(FEWEST, MOST), seed=number)
                completion = await backend.complete(chat)
                into.turns_s.append(time.perf_counter() - asked)
                into.tokens += completion.completion_tokens or 0
                into.prompt_tokens += completion.prompt_tokens or 0

    await asyncio.gather(*(play(100 * seed + number) for number in range(games)))
    into.elapsed_s += time.perf_counter() - began
    into.cpu_s += time.process_time() - cpu


async def loaded(model: Path, batch: int, threads: int) -> LocalBackend:
    """Load the model and read one prompt, so that nothing is measured cold."""
    backend = LocalBackend(
        str(model), batch=batch, threads=threads, timeout_s=120, stop_at_object=False
    )
    await when_ready(backend)
    await backend.complete(Chat(render(next(positions(999))), max_new_tokens=8))
    return backend


def report(way: str, games: int, measured: Measured) -> None:
    """Print one line."""
    turns = sorted(measured.turns_s)
    late = turns[int(0.95 * (len(turns) - 1))]
    print(
        f"{way:<16}{games:>6}{measured.rate:>10.2f}{1000 * measured.cost:>10.0f}"
        f"{statistics.median(turns):>9.2f} s{late:>9.2f} s{len(turns):>8}"
        f"{measured.prompt_tokens / len(turns):>9.0f}{measured.tokens / len(turns):>8.0f}",
        flush=True,
    )


async def compare(
    model: Path, counts: Sequence[int], seconds: float, rounds: int, threads: int
) -> None:
    """Measure both ways and print the ratios."""
    print(
        f"{'way':<16}{'games':>6}{'turns/s':>10}{'CPU ms':>10}{'median':>11}{'95 %':>11}"
        f"{'turns':>8}{'prompt':>9}{'answer':>8}"
    )
    many = await loaded(model, max(counts), threads)
    one = await loaded(model, 1, threads)
    for games in counts:
        together, alone = Measured(), Measured()
        for number in range(rounds):
            await measure(together, many, number, games, seconds / rounds, games)
            await measure(alone, one, number, games, seconds / rounds, min(games, QUEUED))
        report("together", games, together)
        report("one at a time", games, alone)
        bar = f"   (bar: {BAR:.0f})" if games == 32 else ""
        print(
            f"ratio of turns a second {together.rate / alone.rate:5.2f}{bar}, "
            f"of CPU time {alone.cost / together.cost:5.2f}",
            flush=True,
        )
    await many.close()
    await one.close()


def main() -> None:
    """Measure, print, judge nothing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--seconds", type=float, default=20, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=4, help="how often the ways take turns")
    parser.add_argument("--threads", type=int, default=0, help="CPU threads; 0: half the cores")
    parser.add_argument("--smoke", action="store_true", help="small and short")
    given = parser.parse_args()
    shape = TINY if given.smoke else SHAPE
    seconds, rounds = (1.0, 1) if given.smoke else (given.seconds, given.rounds)
    print(", ".join(f"{name} {size}" for name, size in shape.items()))
    with tempfile.TemporaryDirectory() as folder:
        model = make_tiny_llama(Path(folder) / "llama", endless=True, **shape)
        asyncio.run(compare(model, given.games, seconds, rounds, given.threads))


if __name__ == "__main__":
    main()
