"""Turns of the small model in llama.cpp, against the same turns in the site's own way.

    make llama && python -m tests.benchmarks.llama_cpp_turns --turns 64

The checkpoint is exported to GGUF. Every turn reads its whole prompt and makes an answer at the
checkpoint's own temperature, one thread each; llama.cpp, as its Python package offers it, answers
one after the other. The site's way answers eight at once, and one alone. The ways take turns, so
that whatever else the machine does hits all of them.
"""

import argparse
import asyncio
import itertools
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django
import msgspec

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
django.setup()

from agents.backends.local.backend import LocalBackend  # noqa: E402
from agents.backends.local.loading import end_ids  # noqa: E402
from agents.backends.local.prompting import Prompter  # noqa: E402
from agents.checkpoints import Card, read_checkpoint, shipped_voice  # noqa: E402
from agents.dialects.compact import dialect  # noqa: E402
from agents.prompts.chats import Chat  # noqa: E402
from bazaarbatna.bargain.observe import BuyerObservation  # noqa: E402
from tests.benchmarks.positions import positions  # noqa: E402
from tests.support.local_models import when_ready  # noqa: E402
from tests.support.tiny_sauda import make_sauda  # noqa: E402
from training.gguf.exporting import export, load_whole  # noqa: E402
from training.gguf.weights import Numbers  # noqa: E402

CONTEXT = 512
NUMBERS: tuple[Numbers, ...] = ("f32", "f16", "q8_0")


class Elsewhere:
    """The model in llama.cpp."""

    def __init__(self, folder: Path, card: Card, out: Path, numbers: Numbers) -> None:
        from llama_cpp import Llama

        made = export(folder, out, name="model", numbers=numbers)
        whole = load_whole(folder)
        self._card = card
        self._prompter = Prompter(whole.tokenizer, CONTEXT)
        self._ends = end_ids(whole.tokenizer, whole.model.generation_config)
        self._model = Llama(str(made.weights), n_ctx=CONTEXT, n_threads=1, verbose=False)

    def answer(self, seen: BuyerObservation) -> int:
        """Answer; give the number of tokens made."""
        card = self._card
        chat = Chat(dialect(card.dialect).messages(seen), max_new_tokens=card.max_new_tokens)
        self._model.reset()
        how: dict[str, Any] = {"temp": card.temperature, "top_p": card.top_p, "top_k": 0}
        made = self._model.generate(self._prompter.tokens(chat), **how, repeat_penalty=1.0)
        told = itertools.takewhile(lambda token: token not in self._ends, made)
        return sum(1 for _ in itertools.islice(told, card.max_new_tokens))


class Measured(msgspec.Struct):
    """Turns of one way: process seconds of each and of all, and their tokens.

    Its own seconds are what it would take on a machine with nothing else to do.
    """

    turns_s: list[float] = []
    cpu_s: float = 0.0
    tokens: int = 0

    def tell(self, name: str) -> None:
        """Print a line."""
        turns = sorted(self.turns_s)
        late = turns[int(0.95 * (len(turns) - 1))]
        print(
            f"{name:<16}{1000 * statistics.median(turns):>7.0f} ms{1000 * late:>7.0f} ms"
            f"{1000 * self.cpu_s / len(turns):>7.1f} ms{self.tokens / len(turns):>8.0f}"
        )


def measure_there(into: Measured, model: Elsewhere, seen: Iterator[BuyerObservation]) -> None:
    """Answer one after the other."""
    cpu = time.process_time()
    for one in seen:
        began = time.process_time()
        into.tokens += model.answer(one)
        into.turns_s.append(time.process_time() - began)
    into.cpu_s += time.process_time() - cpu


async def measure_here(
    into: Measured, backend: LocalBackend, seen: Iterator[BuyerObservation], at_once: int
) -> None:
    """Answer so many at once."""
    cpu = time.process_time()

    async def play() -> None:
        for one in seen:
            began = time.process_time()
            completion = await backend.complete(Chat((), seen=one))
            into.tokens += completion.completion_tokens or 0
            into.turns_s.append(time.process_time() - began)

    await asyncio.gather(*(play() for _ in range(at_once)))
    into.cpu_s += time.process_time() - cpu


async def compare(folder: Path, scratch: Path, turns: int, rounds: int) -> None:
    """Measure both ways and print a line each."""
    card = read_checkpoint(folder).card
    there = {one: Elsewhere(folder, card, scratch / one, one) for one in NUMBERS}
    here = await when_ready(LocalBackend(str(folder), threads=1, timeout_s=120))
    found: dict[str, Measured] = {}
    for part in range(rounds):
        seen = list(itertools.islice(positions(part), turns // rounds))
        for name, model in there.items():
            measure_there(found.setdefault(f"llama.cpp {name}", Measured()), model, iter(seen))
        for at_once in (1, 8):
            one = found.setdefault(f"here, {at_once} at once", Measured())
            await measure_here(one, here, iter(seen), at_once)
    print(f"{'way':<16}{'p50':>10}{'p95':>10}{'CPU':>10}{'tokens':>8}")
    for name, one in found.items():
        one.tell(name)
    await here.close()


def main() -> None:
    """Measure, print, judge nothing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=64, help="of each way")
    parser.add_argument("--rounds", type=int, default=4, help="how often the ways take turns")
    parser.add_argument("--model", type=Path, help="a checkpoint's folder")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        scratch, voice = Path(name), shipped_voice()
        folder = given.model or (voice.folder if voice else make_sauda(scratch / "tiny"))
        asyncio.run(compare(folder, scratch, given.turns, given.rounds))


if __name__ == "__main__":
    main()
