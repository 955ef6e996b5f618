"""Which model the local backend runs, and how."""

from pathlib import Path
from typing import Self

import msgspec

from agents.checkpoints import CARD, Card, Checkpoint, NoCheckpoint, read_checkpoint


class Source(msgspec.Struct, frozen=True):
    """Where a model comes from.

    ``model`` is a GGUF file or the folder of a Llama checkpoint ("": none). ``card`` says how a
    model that was trained here is spoken to, ``version`` which one it is.
    """

    model: str
    threads: int = 1
    card: Card | None = None
    version: str = ""

    def of(self, checkpoint: Checkpoint) -> Self:
        """Name a checkpoint instead, to be run in the same way."""
        return msgspec.structs.replace(
            self,
            model=str(checkpoint.folder),
            card=checkpoint.card,
            version=checkpoint.version,
        )

    def with_card(self) -> Self:
        """Read the card that lies beside the weights, if any does; raises CannotLoad."""
        folder = Path(self.model)
        if self.card is not None or not (folder / CARD).is_file():
            return self
        try:
            return self.of(read_checkpoint(folder))
        except NoCheckpoint as wrong:
            raise CannotLoad(str(wrong)) from wrong

    @property
    def label(self) -> str:
        """Name the model for logs and pages, without the folders around it."""
        return self.version or _short(self.model)


class CannotLoad(Exception):
    """The model cannot be loaded as asked; the message says what to change."""


def _short(name: str) -> str:
    parts = [part for part in name.replace("\\", "/").split("/") if part]
    # What another server calls its model.
    is_hub_name = len(parts) == 2 and not name.startswith((".", "/"))
    return "/".join(parts) if is_hub_name else parts[-1] if parts else name
