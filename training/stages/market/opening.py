"""Where a lab that is trained on comes from, and what it says of itself."""

from pathlib import Path
from typing import Any

import msgspec

from agents.checkpoints import NoCheckpoint
from arena.gpu_market.trained.cards import LabCard, read_lab
from training.stages.loading import load_weights
from training.stages.settings import BadConfig, StageConfig


class OpenedLab(msgspec.Struct, frozen=True):
    """A lab ready to be trained."""

    model: Any
    tokenizer: Any
    card: LabCard


def open_lab(source: str, config: StageConfig) -> OpenedLab:
    """Load the lab in a folder.

    Raises:
        BadConfig: there is none, or this machine cannot load it.
    """
    try:
        card = read_lab(Path(source)).card
    except NoCheckpoint as wrong:
        raise BadConfig(
            f"{config.stage} begins with a lab of the stage market-sft. {wrong}"
        ) from wrong
    return OpenedLab(*load_weights(source, source, config), card)
