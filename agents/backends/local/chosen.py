"""The model that the settings choose: the shipped one, one by name, a folder, a hub name, none."""

import logging
from pathlib import Path

import msgspec
from django.conf import settings

from agents.backends.local.source import CannotLoad, Source
from agents.checkpoints import Checkpoint, NoCheckpoint, read_checkpoint
from agents.known_checkpoints import NONE, known

log = logging.getLogger(__name__)


def how() -> Source:
    """Say on which device, in which numbers and on how many threads models are run."""
    given = settings.SAUDA_LOCAL
    return Source("", "", given["device"], given["precision"], given["threads"])


def chosen() -> Source | None:
    """Give the model of ``SAUDA_LOCAL_MODEL`` and ``SAUDA_LOCAL_ADAPTER``; None for none.

    Without either it is the one that was shipped, if any was.
    """
    given = settings.SAUDA_LOCAL
    model, adapter = str(given["model"]).strip(), str(given["adapter"]).strip()
    if model.lower() == NONE:
        return None
    try:
        if not adapter:
            named = known().voice if not model else _named(model)
            if named is not None or not model:
                return how().of(named) if named is not None else None
        source = msgspec.structs.replace(how(), model=model, adapter=adapter).with_card()
    except (CannotLoad, NoCheckpoint):
        log.exception("The local model cannot be used")
        return None
    return source if source.model else None


def _named(model: str) -> Checkpoint | None:
    """Find a checkpoint by its folder among the shipped ones, or by its policy's name.

    Raises:
        NoCheckpoint: the folder is there, and cannot be used.
    """
    if "/" in model:
        return None
    folder = Path(settings.SHIPPED_MODELS_DIR) / model
    return read_checkpoint(folder) if folder.is_dir() else known().find(model)
