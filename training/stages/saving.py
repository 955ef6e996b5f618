"""A stage's model on disk: what it is called, half-precision weights, tokenizer, and card."""

import copy
import shutil
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import torch

from agents.checkpoints import Card
from agents.speech.box import VoiceCard
from arena.gpu_market.trained.cards import LabCard
from training.data.files import write_whole
from training.runs.code_version import code_version
from training.stages.settings import MARKET_STAGES, VOICE_STAGES, Stage, StageConfig
from training.stages.work import Work

AnyCard = TypeVar("AnyCard", Card, LabCard)

TITLES: dict[Stage, str] = {
    "league": "policy search and a league",
    "base": "pretrained only",
    "sft": "SFT",
    "grpo": "SFT + GRPO",
    "dpo": "SFT + GRPO + DPO",
    "market-sft": "SFT",
    "market-grpo": "SFT + GRPO",
    "voice-sft": "SFT",
    "voice-dpo": "SFT + DPO",
}

PEOPLE_NAMES: dict[Stage, str] = {"sft": "people-sft", "grpo": "people"}
"""What stages that met people call their models; those before them keep their own names."""

ADAPTER = "default"
"""PEFT's name for the adapter that is trained."""


def title_of(config: StageConfig) -> str:
    """Name a stage's model for people."""
    who = "Lab" if config.stage in MARKET_STAGES else "Sauda"
    who = "Sauda's voice" if config.stage in VOICE_STAGES else who
    return f"{who} {config.size}, {TITLES[config.stage]}{' with people' * _met_people(config)}"


def name_of(config: StageConfig) -> str:
    """Name a stage's model as a policy; a lab that learned by play is the lab itself."""
    if config.stage in MARKET_STAGES:
        name = f"lab-{config.size}"
        return name if config.stage == MARKET_STAGES[-1] else f"{name}:sft"
    if config.stage in VOICE_STAGES:
        return f"sauda-voice:{config.stage.removeprefix('voice-')}"
    stage = PEOPLE_NAMES[config.stage] if _met_people(config) else config.stage
    return f"sauda-{config.size}:{stage}"


def _met_people(config: StageConfig) -> bool:
    """Whether a stage's games are with sellers who answer, too."""
    return config.stage in PEOPLE_NAMES and bool(getattr(config, "people", 0.0))


def renamed(card: AnyCard, config: StageConfig) -> AnyCard:
    """Write the card of what comes out of a stage that goes on with a model."""
    return msgspec.structs.replace(card, name=name_of(config), title=title_of(config))


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
