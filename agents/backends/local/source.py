"""Which model the local backend loads, and how it runs."""

import gc
import importlib
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, Self

import msgspec

from agents.checkpoints import CARD, Card, Checkpoint, NoCheckpoint, read_checkpoint

Device = Literal["auto", "cpu", "cuda"]
Precision = Literal["auto", "float32", "bfloat16", "4bit"]


class Source(msgspec.Struct, frozen=True):
    """Where a model comes from.

    ``model`` and ``adapter`` are folders or hub names ("": none); ``threads`` 0 takes half of the
    cores: torch's threads wait for each other busily, and the site itself needs a core as well.
    ``card`` says how a model that was trained here is spoken to, ``version`` which one it is.
    """

    model: str
    adapter: str = ""
    device: Device = "auto"
    precision: Precision = "auto"
    threads: int = 0
    card: Card | None = None
    version: str = ""

    def of(self, checkpoint: Checkpoint) -> Self:
        """Name a checkpoint instead, to be run in the same way."""
        folder, card = str(checkpoint.folder), checkpoint.card
        model, adapter = (card.base, folder) if checkpoint.is_adapter else (folder, "")
        return msgspec.structs.replace(
            self, model=model, adapter=adapter, card=card, version=checkpoint.version
        )

    def with_card(self) -> Self:
        """Read the card that lies beside the weights, if any does; raises CannotLoad."""
        folder = Path(self.adapter or self.model)
        if self.card is not None or not (folder / CARD).is_file():
            return self
        try:
            found = read_checkpoint(folder)
        except NoCheckpoint as wrong:
            raise CannotLoad(str(wrong)) from wrong
        own = msgspec.structs.replace(self, card=found.card, version=found.version)
        return own if self.model and self.model != str(folder) else own.of(found)

    @property
    def label(self) -> str:
        """Name the model for logs and pages, without the folders around it."""
        if self.version:
            return self.version
        names = (_short(name) for name in (self.model, self.adapter) if name)
        return " + ".join(names)


class CannotLoad(Exception):
    """The model cannot be loaded as asked; the message says what to change."""


def _short(name: str) -> str:
    parts = [part for part in name.replace("\\", "/").split("/") if part]
    is_hub_name = len(parts) == 2 and not name.startswith((".", "/"))
    return "/".join(parts) if is_hub_name else parts[-1] if parts else name


_importing = threading.Lock()


def import_libraries() -> None:
    """Import what models need, or wait until another thread has."""
    with _importing, imported_for_good():
        for module in ("loading", "decoder", "player"):
            importlib.import_module(f"agents.backends.local.{module}")


@contextmanager
def imported_for_good() -> Iterator[None]:
    """Import much, of which nothing is garbage: the collector looks neither now nor later."""
    before = len(sys.modules)
    gc.disable()
    try:
        yield
    finally:
        if len(sys.modules) > before:
            gc.freeze()
        gc.enable()
