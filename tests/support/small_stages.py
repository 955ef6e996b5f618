"""Stages of training in a test's own process: tiny models, a few steps, stopped at will."""

import io
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.conf import settings
from django.db import transaction

from agents.buyers.network_buyer import FOLDER, shipped_network
from tests.support.tiny_sauda import Stages, make_sauda
from training.models import Run
from training.runs import lifecycle
from training.stages.config import BUYER_STAGES, LARGE_STAGES, Stage, StageConfig
from training.stages.registry import make_config
from training.stages.running import open_stage, run_stage

HAGGLING: Stages = (
    ('{"action": "offer", ',),
    ('"price": 450, ', '"price": 650, ', '"price": 850, '),
    ('"message": "',),
    ("<price> lijiye", "theek hai"),
    ('"}',),
)
"""Three bids: games of one deal end differently, and there is something to learn."""

QUICK: dict[Stage, dict[str, object]] = {
    "league": {"sellers": 200, "games": 64, "check_games": 64},
    "base": {"bargains": 4, "epochs": 0.1, "vocabulary": 400, "hidden": 32, "heads": 2,
             "layers": 1},
    "sft": {"bargains": 4, "epochs": 0.4, "batch": 8, "rows_at_once": 8, "learning_rate": 5e-3},
    "grpo": {"steps": 4, "deals": 2, "group": 4, "parts": 4, "updates": 2, "select_every": 4,
             "learning_rate": 1e-3},
    "dpo": {"pairs": 12, "batch": 4, "rows_at_once": 4, "learning_rate": 1e-3},
    "large-sft": {"steps": 3, "games": 8, "batch": 2, "lora_rank": 4, "learning_rate": 1e-2},
    "large-grpo": {"steps": 2, "games": 4, "batch": 4, "accumulate": 1, "group": 4, "turns": 2,
                   "tokens": 64, "lora_rank": 4, "task": "single_deal"},
    "large-dpo": {"steps": 2, "games": 8, "batch": 2, "lora_rank": 4},
    "market-sft": {"episodes": 6, "epochs": 8.0, "batch": 16, "rows_at_once": 16, "hidden": 48,
                   "heads": 2, "layers": 2, "check_episodes": 3},
    "market-grpo": {"steps": 4, "worlds": 3, "group": 4, "parts": 4, "updates": 2,
                    "select_every": 4, "check_episodes": 3, "learning_rate": 1e-3},
}  # fmt: skip
"""Settings of a stage that takes a second or two."""


class Left(msgspec.Struct, frozen=True):
    """What a finished stage leaves."""

    folder: Path
    metrics: list[dict[str, float]]
    weights: bytes
    card: dict[str, Any]
    summary: dict[str, Any]
    said: str


def make_haggler(folder: Path, stages: Stages = HAGGLING, **card: Any) -> Path:
    """Write a model that bids one of a few prices; which one depends on all that it reads."""
    make_sauda(folder, stages=stages, **{"prompt_version": "compact-2", **card})
    _let_read(folder, [piece for stage in stages for piece in stage], len(stages))
    return folder


def quick(stage: Stage, size: str = "toy", **changes: object) -> StageConfig:
    """Settings of a stage that takes a second or two, in whole numbers of 32 bits."""
    told = {"precision": "float32", "threads": 1, "save_every": 1}
    if stage in LARGE_STAGES:
        told, size = {"threads": 1, "save_every": 1}, "large"
    if stage in BUYER_STAGES:
        told["check_games"] = 4
    return make_config(stage, size, **{**told, **QUICK[stage], **changes})  # type: ignore[arg-type]


@contextmanager
def runs_in(folder: Path, corpora: Path) -> Iterator[None]:
    """Let stages leave their files in a folder; the rows of their runs are gone afterwards."""
    told = {
        "RUNS_DIR": folder / "runs",
        "MODELS_DIR": folder / "models",
        "SHIPPED_MODELS_DIR": folder / "shipped",
        "LABS_DIR": folder / "labs",
        "SHIPPED_LABS_DIR": folder / "shipped-labs",
        "CORPORA_DIR": corpora,
    }
    # SFT learns from the network that came with the code.
    if not (folder / "shipped" / FOLDER).is_dir():
        shutil.copytree(shipped_network(), folder / "shipped" / FOLDER)
    with pytest.MonkeyPatch.context() as patch, transaction.atomic():
        for name, value in told.items():
            patch.setattr(settings, name, value)
        yield
        transaction.set_rollback(True)


def play(config: StageConfig, source: Path | str = "") -> Left:
    """Play a stage to its end."""
    return play_on(open_stage(config, config.stage, source=str(source)))


def play_on(run: Run) -> Left:
    """Play a run to its end."""
    out = io.StringIO()
    summary = run_stage(run, out)
    folder = lifecycle.folder_of(run)
    lines = (folder / "metrics.jsonl").read_text().splitlines()
    model = folder / "model"
    return Left(
        folder,
        [json.loads(line) for line in lines],
        (model / "model.safetensors").read_bytes(),
        json.loads(next(path for path in _cards(model) if path.is_file()).read_text()),
        json.loads(json.dumps(summary)),
        out.getvalue(),
    )


def _cards(model: Path) -> Iterator[Path]:
    yield from (model / name for name in ("sauda.json", "lab.json"))


class Reader(io.StringIO):
    """Reads a stage's lines as they come, and does something at the first that begins so."""

    def __init__(self, line: str, then: Callable[[], None]) -> None:
        super().__init__()
        self._line, self._then = line, then
        self.heard = False

    def write(self, text: str) -> int:
        """Take a line."""
        written = super().write(text)
        if not self.heard and text.startswith(self._line):
            self.heard = True
            self._then()
        return written


def ctrl_c() -> None:
    """Press it."""
    raise KeyboardInterrupt


def _let_read(folder: Path, pieces: list[str], stages: int) -> None:
    """Return a scripted model noise that attention carries, too weak to leave the script.

    The pieces of a stage get likelier or less by what stands in the prompt, and where.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model: Any = AutoModelForCausalLM.from_pretrained(folder)
    ids = [tokenizer.convert_tokens_to_ids(piece) for piece in pieces]
    dice = torch.Generator().manual_seed(0)
    with torch.no_grad():
        embeddings, head = model.model.embed_tokens.weight, model.lm_head.weight
        free = slice(stages + 2, None)
        embeddings[:, free] = 0.1 * torch.randn(embeddings[:, free].shape, generator=dice)
        embeddings[ids, free] = 0.0
        head[ids, free] = 0.5 * torch.randn(head[ids, free].shape, generator=dice)
        for block in model.model.layers:
            own = block.self_attn.o_proj.weight
            own[free] = 0.02 * torch.randn(own[free].shape, generator=dice)
    model.save_pretrained(folder)
