"""Which trained models are here: those that came with the code, and those that runs have made.

Asked in every turn and on every page that lists policies, so the answer is kept in memory and the
disk is looked at every few seconds at most.
"""

import threading
import time
from pathlib import Path

import msgspec
from django.conf import settings

from agents.checkpoints import (
    CARD,
    VOICE,
    WEIGHTS,
    Checkpoint,
    checkpoints_in,
    shipped,
    shipped_voice,
)

NONE = "none"
"""``SAUDA_LOCAL_MODEL`` when no model that came with the code is to be used."""

LOOK_EVERY_S = 2.0

Print = tuple[object, ...]
"""The folders, then names, times and sizes of files: while all stay, so do the models."""


class Known(msgspec.Struct, frozen=True):
    """What is here; ``voice`` is the one that speaks for the site by default."""

    checkpoints: tuple[Checkpoint, ...] = ()
    voice: Checkpoint | None = None

    def find(self, name: str) -> Checkpoint | None:
        """Look a checkpoint up by its policy's name or its family's, as ``sauda-mini``."""
        named = (one for one in self.checkpoints if one.name == name)
        return next(named, self._family(name))

    def _family(self, name: str) -> Checkpoint | None:
        voice = self.voice
        return voice if voice is not None and family_of(voice) == name else None


def known() -> Known:
    """List what is here now."""
    return _memory.known()


def find_checkpoint(name: str) -> Checkpoint | None:
    """Look a checkpoint up by its policy's name."""
    return known().find(name) if name else None


def family_of(checkpoint: Checkpoint) -> str:
    """Give the name that all stages of a model share.

    ``sauda-mini`` of ``sauda-mini:grpo``: it stands for the one that was shipped as the voice.
    """
    return checkpoint.name.partition(":")[0]


def uses_shipped() -> bool:
    """Tell whether models that came with the code are used here."""
    return str(settings.SAUDA_LOCAL["model"]).strip().lower() != NONE


class Memory:
    """What was found when the disk was last looked at; any thread may ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._looked_at = 0.0
        self._print: Print | None = None
        self._known = Known()

    def known(self) -> Known:
        """Give it, looking again when it is time."""
        with self._lock:
            now, folders = time.monotonic(), _folders()
            if self._print and self._print[0] == folders and now - self._looked_at < LOOK_EVERY_S:
                return self._known
            self._looked_at = now
            found = _print_of(folders)
            if found != self._print:
                self._known = _read()
                self._print = found
            return self._known

    def forget(self) -> None:
        """Look again at the next question."""
        with self._lock:
            self._print = None


def forget() -> None:
    """Look at the disk again at the next question."""
    _memory.forget()


def _folders() -> tuple[Path, ...]:
    made = Path(settings.MODELS_DIR)
    return (Path(settings.SHIPPED_MODELS_DIR), made) if uses_shipped() else (made,)


def _read() -> Known:
    came = list(shipped()) if uses_shipped() else []
    voice = shipped_voice() if uses_shipped() else None
    # What was shipped keeps its names, that of the family too, whatever runs call theirs.
    taken = {one.name for one in came} | ({family_of(voice)} if voice is not None else set())
    made = [one for one in checkpoints_in(Path(settings.MODELS_DIR)) if one.name not in taken]
    return Known((*came, *made), voice)


def _print_of(folders: tuple[Path, ...]) -> Print:
    files = [folder / VOICE for folder in folders]
    for folder in folders:
        for card in sorted(folder.glob(f"*/{CARD}")):
            files += [card, *(card.with_name(name) for name in WEIGHTS)]
    return (folders, *(_seen(file) for file in files))


def _seen(file: Path) -> tuple[str, int, int]:
    try:
        stat = file.stat()
    except OSError:
        return (str(file), 0, 0)
    return (str(file), stat.st_mtime_ns, stat.st_size)


_memory = Memory()
