"""What the stages of the market can be told: a lab learns from traces, then from its own play."""

from pydantic import Field

from arena.gpu_market.engine import TASK_NAMES
from arena.gpu_market.policies.registry import POLICIES
from training.stages import round_config as shared
from training.stages.settings import BadConfig, BatchConfig, StageConfig


class MarketSftConfig(BatchConfig):
    """Traces of a teacher, from nothing: a lab learns the protocol and what the teacher does."""

    stage = "market-sft"

    teacher: str = Field("rule_expert", max_length=60, description="The policy that is copied.")
    episodes: int = Field(
        3000, ge=2, le=20_000, description="Episodes of the teacher in every task."
    )
    wander: float = Field(
        0.15, ge=0, lt=1, description="Turns of a trace in which something else is done, 0..1."
    )
    deeds: int = Field(2, ge=1, le=20, description="Times a lesson counts that is no waiting.")
    epochs: float = Field(1.0, gt=0, le=100, description="Times that all lessons are read.")
    vocabulary: int = Field(640, ge=420, le=65_536, description="Tokens of the own tokenizer.")
    hidden: int = Field(128, ge=16, le=4096, multiple_of=8, description="Width of the model.")
    layers: int = Field(3, ge=1, le=64, description="Layers.")
    heads: int = Field(4, ge=1, le=64, description="Heads of attention; divide the width.")
    context: int = Field(448, ge=128, le=8192, description="Tokens that are read at once.")
    check_episodes: int = Field(
        180, ge=3, le=10_000, description="Episodes on unseen seeds at the end."
    )

    @property
    def seeds(self) -> int:
        """One for each episode of a task."""
        return self.episodes


class MarketGrpoConfig(shared.RoundsConfig):
    """Group-relative policy optimisation on the return of whole episodes of the market."""

    stage = "market-grpo"
    different = "worlds"

    steps: shared.Steps = 60
    worlds: shared.Different = Field(18, description="Different markets played in each round.")
    group: shared.Group = Field(8, description="Episodes of every market, compared.")
    updates: shared.Updates = Field(
        2, description="Steps of the optimizer for one round of episodes."
    )
    parts: shared.Parts = 8
    beta: shared.KlWeight = 0.04
    temperature: shared.Temperature = Field(1.0, description="Of the episodes.")
    top_p: shared.TopP = Field(0.98, description="Mass of what may be done in the episodes.")
    format_weight: shared.FormatWeight = 0.5
    select_every: shared.Every = Field(10, description="Steps between episodes on unseen seeds.")
    check_episodes: int = Field(180, ge=3, le=10_000, description="Unseen episodes each time.")


def check_market(config: StageConfig) -> None:
    """Check what belongs together in the settings of the market's stages.

    Raises:
        BadConfig: with what is allowed.
    """
    if isinstance(config, MarketSftConfig) and config.teacher not in POLICIES:
        raise BadConfig(
            f"There is no teacher {config.teacher[:60]!r}. Known: {', '.join(POLICIES)}."
        )
    if isinstance(config, MarketGrpoConfig) and config.worlds % len(TASK_NAMES):
        raise BadConfig(
            f"worlds ({config.worlds}) has to be a multiple of {len(TASK_NAMES)}: one of each task."
        )
