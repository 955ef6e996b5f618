"""Which model the local backend loads, and how it runs."""

from typing import Literal

import msgspec

Device = Literal["auto", "cpu", "cuda"]
Precision = Literal["auto", "float32", "bfloat16", "4bit"]


class Source(msgspec.Struct, frozen=True):
    """Where a model comes from.

    ``model`` and ``adapter`` are folders or hub names ("": none); ``threads`` 0 takes half of the
    cores: torch's threads wait for each other busily, and the site itself needs a core as well.
    """

    model: str
    adapter: str = ""
    device: Device = "auto"
    precision: Precision = "auto"
    threads: int = 0

    @property
    def label(self) -> str:
        """Name the model for logs and pages, without the folders around it."""
        names = (_short(name) for name in (self.model, self.adapter) if name)
        return " + ".join(names)


class CannotLoad(Exception):
    """The model cannot be loaded as asked; the message says what to change."""


def _short(name: str) -> str:
    parts = [part for part in name.replace("\\", "/").split("/") if part]
    is_hub_name = len(parts) == 2 and not name.startswith((".", "/"))
    return "/".join(parts) if is_hub_name else parts[-1] if parts else name
