"""What the models of the stages are called."""

from typing import TypeVar

import msgspec

from agents.checkpoints import Card
from arena.gpu_market.trained.cards import LabCard
from training.stages.settings import MARKET_STAGES, VOICE_STAGES, Stage, StageConfig

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
