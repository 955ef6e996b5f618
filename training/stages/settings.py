"""What all stages of training share: their names, sizes, and the settings every one has."""

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

Size = Literal["toy", "mini", "large"]
Stage = Literal[
    "league", "base", "sft", "grpo", "dpo", "market-sft", "market-grpo", "voice-sft", "voice-dpo"
]  # fmt: skip
Precision = Literal["auto", "float32", "bfloat16", "4bit"]
BUYER_STAGES: tuple[Stage, ...] = ("base", "sft", "grpo", "dpo")
MARKET_STAGES: tuple[Stage, ...] = ("market-sft", "market-grpo")
VOICE_STAGES: tuple[Stage, ...] = ("voice-sft", "voice-dpo")
STAGES: tuple[Stage, ...] = ("league", *BUYER_STAGES, *MARKET_STAGES, *VOICE_STAGES)
"""Those that make a language model of the bazaar, a lab of the market, Sauda's words, and all."""

FROM_NOTHING: tuple[Stage, ...] = ("league", "base", "market-sft")
"""Stages that make their weights themselves."""

SIZES: tuple[Size, ...] = ("toy", "mini", "large")
MAX_SEED = 999
LARGE_BASE = "unsloth/Meta-Llama-3.1-8B-Instruct"  # What large models begin with
Rate = Annotated[float, Field(gt=0, le=0.1)]
Steps = Annotated[int, Field(ge=1, le=10_000, description="Steps of the optimizer.")]
Different = Annotated[int, Field(ge=1, le=512)]
Group = Annotated[int, Field(ge=2, le=64)]
Updates = Annotated[int, Field(ge=1, le=64)]
Parts = Annotated[int, Field(ge=1, le=512, description="Parts of a round in memory, one by one.")]
Weight = Annotated[float, Field(ge=0, le=10)]
KlWeight = Annotated[Weight, Field(description="Weight of the KL term to the SFT model.")]
FormatWeight = Annotated[Weight, Field(description="Cost of unreadable answers.")]
Temperature = Annotated[float, Field(gt=0, le=2)]
TopP = Annotated[float, Field(gt=0, le=1)]
Every = Annotated[int, Field(ge=1)]


def sizes_of(stage: Stage) -> tuple[Size, ...]:
    """Name the sizes in which a stage can be played: nothing large is made from nothing."""
    small = stage in FROM_NOTHING or stage in MARKET_STAGES
    return SIZES[:-1] if small else SIZES


class BadConfig(ValueError):
    """A stage was told something that cannot be; the message says what to write instead."""


class StageConfig(BaseModel):
    """What all stages share."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    stage: ClassVar[Stage]

    size: Size = Field("mini", description="toy for tests, mini for this machine, large for a GPU")
    seed: int = Field(0, ge=0, le=MAX_SEED, description="Of games, weights and everything drawn.")
    learning_rate: Rate = Field(1e-3, description="Highest rate of AdamW.")
    save_every: int = Field(100, ge=1, description="Steps between checkpoints to resume from.")
    precision: Precision = Field("auto", description="Numbers: auto is bf16 where it is fast.")
    threads: int = Field(0, ge=0, le=256, description="CPU threads; 0 takes all cores.")
    lora_rank: int = Field(0, ge=0, le=256, description="Rank of the adapter; 0 trains all.")
    lora_alpha: int = Field(32, ge=1, le=512, description="Scale of the adapter.")
    lora_dropout: float = Field(0.05, ge=0, lt=1, description="Dropout of the adapter, 0..1.")

    @property
    def seeds(self) -> int:
        """Count the seeds of games that are learned from, at most."""
        raise NotImplementedError


class BatchConfig(StageConfig):
    """What stages share that read rows in batches."""

    batch: int = Field(64, ge=1, le=1024, description="Rows of one step of the optimizer.")
    rows_at_once: int = Field(64, ge=1, le=1024, description="Rows in memory; divides the batch.")

    @property
    def accumulation(self) -> int:
        """Passes that make one step of the optimizer."""
        return self.batch // self.rows_at_once


class RoundsConfig(StageConfig):
    """Settings of a round: so many ``different`` games, each played by a whole group."""

    different: ClassVar[str]

    if TYPE_CHECKING:
        # Every stage declares them itself, where its table has them: forms, pages and receipts
        # keep the order of the fields, and those of a base class would all come first.
        steps: int
        group: int
        updates: int
        parts: int
        beta: float
        temperature: float
        top_p: float
        format_weight: float
        select_every: int

    @property
    def rounds(self) -> int:
        """How often games are played."""
        return -(-self.steps // self.updates)

    @property
    def seeds(self) -> int:
        """One for each different game; where all are of one kind, each has another seed."""
        return self.rounds * self._different

    @property
    def games(self) -> int:
        """Games of a round."""
        return self._different * self.group

    def check_round(self) -> None:
        """Check that a round can be cut into the steps that are made of it; BadConfig."""
        if self.parts % self.updates:
            raise BadConfig(
                f"parts ({self.parts}) has to be a multiple of updates ({self.updates})."
            )
        if self.games % self.parts:
            raise BadConfig(
                f"{self.different} x group ({self.games}) has to be a multiple of parts "
                f"({self.parts})."
            )

    @property
    def _different(self) -> int:
        return int(getattr(self, self.different))
