"""How the voice in the box answers: how soon, with how many games at once, and how often rightly.

    python -m tests.benchmarks.voice --games 1 8 --turns 24
    python -m tests.benchmarks.voice --site --games 1 8 30 --think 3

Positions are made of the exchanges that are held out. Every game asks for one turn after the other
without a pause. A line counts as late when the bank would have spoken instead. Without ``--model``,
the folder of a voice, the shipped one is measured, in every language, whether it speaks it or not.
``--texts`` prints what voice and bank say to each held-out line. ``--site`` plays whole games over
sockets against a served site instead, in English, with the voice speaking whatever its card says.
"""

import argparse
import asyncio
import json
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import django
import msgspec

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
django.setup()

from agents.backends.local.model import has_program  # noqa: E402
from agents.speech.box import ADAPTER, CARD, box, read_voice, shipped_voice_folder  # noqa: E402
from agents.speech.cues import planned  # noqa: E402
from agents.speech.model import Engine, chosen  # noqa: E402
from agents.speech.speaker import Speaker  # noqa: E402
from agents.text.languages import Register  # noqa: E402
from tests.benchmarks import live_games  # noqa: E402
from tests.support.servers import Site  # noqa: E402
from training.stages.voice.lessons import answers, exchanges, figures, position_of  # noqa: E402  # noqa: E402

LOADING_S = 5.0
WORDS = "ok, {} for you, it is in good shape"


def loaded(folder: Path) -> Engine | None:
    weights = box()
    if weights is None or not has_program():
        return None
    engine = Engine(weights, folder / ADAPTER, read_voice(folder))
    began = time.perf_counter()
    engine.load()
    print(f"loaded in {time.perf_counter() - began:.2f} s, {engine.state}")
    return engine if engine.state == "ready" else None


async def latencies(engine: Engine, games: int, turns: int) -> list[tuple[float, bool]]:
    """Return the seconds of every turn, and whether the voice had words for it."""
    held_out = exchanges(("english",), held_out=True)
    found: list[tuple[float, bool]] = []

    async def play(number: int) -> None:
        for turn in range(turns):
            at = position_of(held_out[(number + games * turn) % len(held_out)], number)
            asked = time.perf_counter()
            words = await chosen(engine, planned(at.seen, at.move, number), number)
            found.append((time.perf_counter() - asked, bool(words)))

    await asyncio.gather(*(play(number) for number in range(games)))
    return found


def bank_latency(turns: int) -> float:
    """Return the median seconds of the bank."""
    took = []
    for number, one in enumerate(exchanges(("english",), held_out=True)[:turns]):
        at = position_of(one, number)
        asked = time.perf_counter()
        speaker = Speaker(number)
        _ = speaker.reply(at.seen) if at.move is None else speaker.line(at.seen, at.move)
        took.append(time.perf_counter() - asked)
    return statistics.median(took)


def against_a_site(folder: Path, counts: Sequence[int], think_s: float) -> None:
    """Sell over sockets to a served site whose voice speaks English."""
    with tempfile.TemporaryDirectory() as made, tempfile.TemporaryDirectory() as data:
        shutil.copytree(shipped_voice_folder().parent, made, dirs_exist_ok=True)
        voice = Path(made) / shipped_voice_folder().name
        shutil.copytree(folder, voice, dirs_exist_ok=True)
        card = msgspec.structs.replace(read_voice(folder), languages=("english",))
        (voice / CARD).write_bytes(msgspec.json.encode(card))
        environment = {
            "VOICE_MODELS": made, "DJANGO_SETTINGS_MODULE": "tests.benchmarks.speaking_site",
        }  # fmt: skip
        with Site(Path(data), catalogue=False, **environment) as site:
            # The first game has it loaded.
            asyncio.run(live_games.measure(site, 1, 2, LOADING_S, html=False, words=WORDS))
            for games in counts:
                by = (
                    "select instr(policy_version, 'voice') > 0, count(*) from negotiation_eventrow "
                    "where backend <> '' group by 1"
                )
                before = dict(site.query(by))
                found = asyncio.run(
                    live_games.measure(site, games, 8, think_s, html=False, words=WORDS)
                )
                voiced, banked = (
                    dict(site.query(by)).get(key, 0) - before.get(key, 0) for key in (1, 0)
                )
                print(json.dumps(found | {"by_voice": voiced, "by_bank": banked}), flush=True)


def quantile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, default=shipped_voice_folder())
    parser.add_argument("--games", type=int, nargs="+", default=[1, 8])
    parser.add_argument("--turns", type=int, default=24)
    parser.add_argument("--languages", nargs="*", default=["english"], choices=get_args(Register))
    parser.add_argument("--texts", action="store_true")
    parser.add_argument("--site", action="store_true", help="over sockets, against a served site")
    parser.add_argument("--think", type=float, default=3.0, help="seconds between moves there")
    told = parser.parse_args()
    if told.site:
        against_a_site(told.model, told.games, told.think)
        return
    print(f"bank: median {bank_latency(told.turns) * 1000:.2f} ms")
    engine = loaded(told.model) if (told.model / ADAPTER).is_file() else None
    if engine is None:
        print("No voice in the box here: the bank speaks.")
        return
    for games in told.games:
        found = asyncio.run(latencies(engine, games, told.turns))
        took = [seconds for seconds, _ in found]
        spoke = sum(said for _, said in found) / len(found)
        print(
            f"{games} games: p50 {quantile(took, 0.5):.2f} s, p95 {quantile(took, 0.95):.2f} s, "
            f"voice {spoke:.0%}, bank {1 - spoke:.0%} of {len(found)} turns"
        )
    if not told.languages:
        return
    made = answers(engine, told.languages)
    for language, one in figures(made).items():
        print(language, *(f"{name} {value}" for name, value in one.items()), sep="\n  ")
    for one in made if told.texts else ():
        print(f"## {one.thing} | {one.said} | {one.move}", f"   voice: {one.chosen}", sep="\n")
        print(f"   bank:  {one.bank}")


if __name__ == "__main__":
    main()
