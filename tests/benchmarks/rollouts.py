"""Whole bargains of one model: all at once, as training plays them, against one after the other.

    python -m tests.benchmarks.rollouts --games 64

The same deals both times, through ``training.stages.games.play_games``, in the numbers that
training takes on this machine. ``--model`` names a checkpoint; without it the shipped voice plays,
or, where none was shipped, a tiny model that makes the same offer in every turn. The games one by
one are cut into parts with all games at once between them, so that whatever else the machine does
hits both.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import django
import msgspec
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
django.setup()

from agents.checkpoints import Checkpoint, read_checkpoint, shipped_voice  # noqa: E402
from agents.dialects.compact import dialect  # noqa: E402
from tests.support.tiny_sauda import make_sauda  # noqa: E402
from training.stages.games import Deal, play_games  # noqa: E402
from training.stages.generation import Player, Sampling  # noqa: E402
from training.stages.model_files import is_half  # noqa: E402
from training.stages.registry import make_config  # noqa: E402

BAR = 10
SUITES = ("single_deal@sampled-1", "asymmetric_pressure@sampled-1", "amazon_realistic@sampled-1")


class Played(msgspec.Struct):
    """Games of one way: how many, their turns and tokens, seconds and CPU seconds."""

    games: int = 0
    turns: int = 0
    tokens: int = 0
    elapsed_s: float = 0.0
    cpu_s: float = 0.0

    def add(self, player: Player, deals: Sequence[Deal]) -> None:
        """Play some games in step."""
        began, cpu = time.perf_counter(), time.process_time()
        games = play_games(player, deals)
        self.elapsed_s += time.perf_counter() - began
        self.cpu_s += time.process_time() - cpu
        self.games += len(games)
        self.turns += sum(len(game.turns) for game in games)
        self.tokens += sum(len(turn.said.answer) for game in games for turn in game.turns)


def compare(player: Player, count: int, lone: int, parts: int) -> None:
    """Play the same games in both ways, so many of them one by one, and print what each took."""
    deals = [Deal(SUITES[seed % len(SUITES)], seed) for seed in range(count)]
    play_games(player, deals[:2])
    together, alone = Played(), Played()
    for part in range(parts):
        for deal in deals[:lone][part::parts]:
            alone.add(player, [deal])
        together.add(player, deals)
    print(f"{'':<12}{'games/s':>9}{'turns/s':>9}{'tokens/s':>10}{'CPU a game':>12}{'turns':>7}")
    for name, one in ((f"{count} at once", together), ("one by one", alone)):
        print(
            f"{name:<12}{one.games / one.elapsed_s:>9.2f}{one.turns / one.elapsed_s:>9.1f}"
            f"{one.tokens / one.elapsed_s:>10.0f}{1000 * one.cpu_s / one.games:>9.0f} ms"
            f"{one.turns / one.games:>7.1f}"
        )
    ratio = (together.games / together.elapsed_s) / (alone.games / alone.elapsed_s)
    per_turn = (together.turns / together.elapsed_s) / (alone.turns / alone.elapsed_s)
    in_cpu = (alone.cpu_s / alone.turns) / (together.cpu_s / together.turns)
    bar = f" (bar: {BAR} at 64 games)" if count == 64 else ""
    print(f"ratio of games {ratio:.1f}{bar}, of turns {per_turn:.1f}, of turns' CPU {in_cpu:.1f}")


def a_player(checkpoint: Checkpoint, threads: int, precision: str) -> Player:
    """Load a model as training does when it plays."""
    if precision == "auto":
        precision = "bfloat16" if is_half(make_config("grpo", "mini")) else "float32"
    print(precision)
    torch.set_num_threads(threads or os.cpu_count() or 1)
    folder, card = checkpoint.folder, checkpoint.card
    model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype=getattr(torch, precision))
    tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="left")
    how = Sampling(card.temperature, card.top_p, card.max_new_tokens)
    return Player(model.eval(), tokenizer, dialect(card.dialect), how)


def main() -> None:
    """Measure, print, judge nothing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--alone", type=int, default=None, help="of these one by one; default all")
    parser.add_argument("--parts", type=int, default=4, help="how often the ways take turns")
    parser.add_argument(
        "--threads", type=int, default=0, help="CPU threads; 0: all, as in training"
    )
    parser.add_argument("--precision", choices=["auto", "float32", "bfloat16"], default="auto")
    parser.add_argument("--model", type=Path, help="a checkpoint's folder")
    parser.add_argument("--tiny", action="store_true", help="the tiny model, whatever was shipped")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = read_checkpoint(given.model) if given.model else shipped_voice()
        if found is None or given.tiny:
            found = read_checkpoint(make_sauda(Path(folder) / "tiny"))
        print(found.version)
        compare(
            a_player(found, given.threads, given.precision),
            given.games,
            given.alone or given.games,
            given.parts,
        )


if __name__ == "__main__":
    main()
