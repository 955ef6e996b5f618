"""A trained lab on disk: a folder of transformers with a card ``lab.json`` beside the weights.

Reading one imports nothing heavy.
"""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Literal

import msgspec
from django.conf import settings

from agents.checkpoints import NoCheckpoint, digest_of, read_card, uses_shipped
from arena.gpu_market.dialect import NAME, VERSION

log = logging.getLogger(__name__)

CARD = "lab.json"


class LabCard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What ``lab.json`` holds.

    ``prompt_version`` is that of the dialect it was trained on; ``temperature`` 0 takes the
    likeliest token; ``top_p`` (0..1) is the mass that is drawn from; ``teacher`` is the policy
    whose play it learned from.
    """

    file: ClassVar[str] = CARD
    base: ClassVar[str] = ""
    """Labs are whole weights, never adapters."""

    format: Literal["lab@1"] = "lab@1"
    name: str
    title: str
    dialect: str = NAME
    prompt_version: str = VERSION
    temperature: float = 0.0
    top_p: float = 1.0
    max_new_tokens: int = 48
    teacher: str = ""
    stage: str = ""
    made_by: str = ""
    commit: str = ""


class LabCheckpoint(msgspec.Struct, frozen=True):
    """A lab that was found; ``digest`` are 8 hexadecimal digits of its weights' SHA-256."""

    folder: Path
    card: LabCard
    digest: str

    @property
    def version(self) -> str:
        """Return the label that results carry."""
        return f"{self.card.name}@1#{self.digest}"


def read_lab(folder: Path) -> LabCheckpoint:
    """Read a folder; ``NoCheckpoint`` where it holds no lab that this code can speak to."""
    card = read_card(folder, LabCard, "lab")
    if (card.dialect, card.prompt_version) != (NAME, VERSION):
        raise NoCheckpoint(
            f"{folder} was trained on the prompt {card.prompt_version[:40]}, and this code speaks "
            f"{VERSION}: train it again, or use the code that made it."
        )
    return LabCheckpoint(folder, card, digest_of(folder))


def labs() -> Iterator[LabCheckpoint]:
    """List the labs that came with the code, then those of this site; broken ones are left out."""
    here = (settings.LABS_DIR,)
    for home in (settings.SHIPPED_LABS_DIR, *here) if uses_shipped() else here:
        for card in sorted(Path(home).glob(f"*/{CARD}")):
            try:
                yield read_lab(card.parent)
            except NoCheckpoint as wrong:
                log.warning("A lab is left out: %s", wrong)
