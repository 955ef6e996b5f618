"""Ready-made studies: a design as a file for each."""

import functools
from pathlib import Path

from rooms.study.design import Design
from rooms.study.files import from_file

FOLDER = Path(__file__).with_name("ready")

KEYS = ("chat", "told", "trained")


def text_of(key: str) -> str:
    """Return the file of a ready-made study."""
    return (FOLDER / f"{key}.toml").read_text(encoding="utf-8")


@functools.cache
def ready_studies() -> dict[str, Design]:
    """Return the ready-made studies by key."""
    return {key: from_file(text_of(key)) for key in KEYS}
