"""What the models of the stages are called."""

from training.stages.config import Stage, StageConfig

TITLES: dict[Stage, str] = {
    "base": "pretrained only",
    "sft": "SFT",
    "grpo": "SFT + GRPO",
    "dpo": "SFT + GRPO + DPO",
}


def title_of(config: StageConfig) -> str:
    """Name a stage's model for people."""
    return f"Sauda {config.size}, {TITLES[config.stage]}"


def name_of(config: StageConfig) -> str:
    """Name a stage's model as a policy."""
    return f"sauda-{config.size}:{config.stage}"
