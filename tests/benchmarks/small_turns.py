"""How long a turn of the small model takes with several games at once.

    python -m tests.benchmarks.small_turns --games 1 8 --seconds 20
    python -m tests.benchmarks.small_turns --site --games 8

Every game asks for one turn after the other without a pause, through the real backend: positions
taken from games that the rule buyer played, the prompt of the compact dialect, the answer in
rupees. ``--model`` names a checkpoint; without it the shipped voice is measured, or, where none
was shipped, random weights of its shape that make 32 tokens each time. ``--site`` plays over
sockets against a served site instead.
"""

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import django
import msgspec

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
django.setup()

from agents.backends.local.backend import LocalBackend  # noqa: E402
from agents.checkpoints import shipped_voice  # noqa: E402
from agents.dialects.compact import VERSION  # noqa: E402
from agents.prompts.chats import Chat  # noqa: E402
from tests.benchmarks import live_games  # noqa: E402
from tests.benchmarks.positions import positions  # noqa: E402
from tests.support.local_models import when_ready  # noqa: E402
from tests.support.servers import Site  # noqa: E402
from tests.support.tiny_llama import make_tiny_llama  # noqa: E402

BAR_S = 1.0
SHAPE = {"hidden": 192, "layers": 4, "heads": 6, "kv_heads": 6, "vocabulary": 2048}
TINY = {"hidden": 64, "layers": 2, "heads": 4, "kv_heads": 2, "vocabulary": 700}
TOKENS = 32


class Measured(msgspec.Struct):
    """Turns: seconds and process seconds of each and of all, and their tokens.

    The process computes without a pause, so that its own seconds during a turn are what the turn
    would take on a machine with nothing else to do.
    """

    turns_s: list[float] = []
    own_s: list[float] = []
    elapsed_s: float = 0.0
    cpu_s: float = 0.0
    tokens: int = 0
    prompt: int = 0


async def measure(into: Measured, backend: LocalBackend, games: int, seconds: float) -> None:
    """Let games ask until the time is over."""
    began, cpu = time.perf_counter(), time.process_time()

    async def play(number: int) -> None:
        for seen in positions(number):
            if time.perf_counter() - began > seconds:
                return
            asked, asked_own = time.perf_counter(), time.process_time()
            completion = await backend.complete(Chat((), seen=seen))
            into.turns_s.append(time.perf_counter() - asked)
            into.own_s.append(time.process_time() - asked_own)
            into.tokens += completion.completion_tokens or 0
            into.prompt += completion.prompt_tokens or 0

    await asyncio.gather(*(play(number) for number in range(games)))
    into.elapsed_s += time.perf_counter() - began
    into.cpu_s += time.process_time() - cpu


async def measured(model: Path, counts: Sequence[int], seconds: float, threads: int) -> None:
    """Measure and print a line for each number of games."""
    backend = await when_ready(LocalBackend(str(model), threads=threads, timeout_s=120))
    await backend.complete(Chat((), seen=next(positions(999))))
    print(
        f"{'games':>6}{'p50':>9}{'p95':>9}{'own p50':>9}{'own p95':>9}{'CPU':>9}"
        f"{'prompt':>8}{'answer':>8}"
    )
    for games in counts:
        found = Measured()
        await measure(found, backend, games, seconds)
        _report(games, found)
    await backend.close()


def _report(games: int, one: Measured) -> None:
    turns, own = sorted(one.turns_s), sorted(one.own_s)
    late = int(0.95 * (len(turns) - 1))
    times = (statistics.median(turns), turns[late], statistics.median(own), own[late])
    bar = f"   (bar: p95 {BAR_S:.0f} s)" if games == 8 else ""
    print(
        f"{games:>6}{''.join(f'{1000 * seconds:>6.0f} ms' for seconds in times)}"
        f"{1000 * one.cpu_s / len(turns):>6.0f} ms"
        f"{one.prompt / len(turns):>8.0f}{one.tokens / len(turns):>8.0f}{bar}",
        flush=True,
    )


def against_a_site(model: Path, counts: Sequence[int], port: int | None) -> None:
    """Sell over sockets to a served site, without a pause between moves."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {"SAUDA_LOCAL_MODEL": str(model.resolve()), "SAUDA_BACKENDS": "local,rules"}
        with Site(Path(folder), catalogue=False, port=port, **environment) as site:
            _wait_for_the_model(site)
            for games in counts:
                result = asyncio.run(live_games.measure(site, games, 8, 0.0, html=False))
                print(json.dumps(result), flush=True)
            served = site.query(
                "select backend, count(*) from negotiation_eventrow where backend <> '' "
                "group by backend order by backend"
            )
            print("turns served by", dict(served), flush=True)


def _wait_for_the_model(site: Site) -> None:
    import httpx

    deadline = time.monotonic() + 120
    while httpx.get(f"{site.url}/sauda/health").json()["speaking"] != "local":
        assert time.monotonic() < deadline, site.log
        time.sleep(0.5)


def _a_model(folder: Path, smoke: bool) -> Path:
    """Return the shipped voice, or random weights of its shape."""
    voice = shipped_voice()
    if voice is not None and not smoke:
        print(f"{voice.version}, the shipped voice")
        return voice.folder
    made = make_tiny_llama(folder / "random", endless=True, **(TINY if smoke else SHAPE))
    card = {
        "name": "random:weights",
        "title": "Random weights",
        "dialect": "compact",
        "prompt_version": VERSION,
        "max_new_tokens": TOKENS,
    }
    (made / "sauda.json").write_text(json.dumps(card), encoding="utf-8")
    print(f"random weights, {TOKENS} tokens an answer")
    return made


def main() -> None:
    """Measure, print, judge nothing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, nargs="+", default=[1, 8])
    parser.add_argument("--seconds", type=float, default=20, help="of each number of games")
    parser.add_argument("--threads", type=int, default=1, help="CPU threads")
    parser.add_argument("--model", type=Path, help="a checkpoint's folder")
    parser.add_argument("--site", action="store_true", help="over sockets, against a served site")
    parser.add_argument("--port", type=int, default=None)
    parser.add_argument("--smoke", action="store_true", help="small and short")
    given = parser.parse_args()
    seconds = 1.0 if given.smoke else given.seconds
    with tempfile.TemporaryDirectory() as folder:
        model = given.model or _a_model(Path(folder), given.smoke)
        if given.site:
            against_a_site(model, given.games, given.port)
        else:
            asyncio.run(measured(model, given.games, seconds, given.threads))


if __name__ == "__main__":
    main()
