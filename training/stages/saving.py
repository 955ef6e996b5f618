"""A stage's model on disk: half-precision weights, tokenizer, and the card to speak with it."""

import copy
import shutil
from pathlib import Path
from typing import Any

import msgspec
import torch

from agents.checkpoints import Card
from agents.speech.box import VoiceCard
from arena.gpu_market.trained.cards import LabCard
from training.runs.code_version import code_version
from training.stages.work import Work, write_whole

ADAPTER = "default"
"""PEFT's name for the adapter that is trained."""


def save_model(
    work: Work,
    model: Any,
    tokenizer: Any,
    card: Card | LabCard | VoiceCard,
    folder: Path | None = None,
) -> Path:
    """Write the model of a run in one piece: it is whole, or it is not there.

    Args:
        work: the run.
        model: weights, or weights with an adapter, of which only the adapter is kept.
        tokenizer: its tokenizer.
        card: what is known of it; run, stage and commit are filled in.
        folder: where to, instead of the run's model.
    """
    there = work.model if folder is None else folder
    beside = there.with_name(f".{there.name}")
    shutil.rmtree(beside, ignore_errors=True)
    if card.base:
        # Beside the one that is trained, TRL keeps the adapter that it began with.
        model.save_pretrained(beside, selected_adapters=[ADAPTER])
    else:
        _halved(model).save_pretrained(beside)
    tokenizer.save_pretrained(beside)
    full = msgspec.structs.replace(
        card, stage=work.config.stage, made_by=work.run.pk, commit=code_version()
    )
    write_whole(beside / card.file, msgspec.json.format(msgspec.json.encode(full), indent=2))
    shutil.rmtree(there, ignore_errors=True)
    beside.replace(there)
    return there


def _halved(model: Any) -> Any:
    """Copy a model in half precision; training goes on with the full one."""
    return copy.deepcopy(model).to(torch.float16)
