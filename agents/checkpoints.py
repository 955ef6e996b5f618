"""A trained model on disk, whole or a PEFT adapter, with a ``sauda.json`` beside its weights."""

import functools
import hashlib
import logging
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Literal, Protocol, TypeVar

import msgspec
from django.conf import settings

from agents.dialects.compact import dialect

log = logging.getLogger(__name__)

CARD = "sauda.json"
VOICE = "shipped.json"
WEIGHTS = ("model.safetensors", "adapter_model.safetensors")


class NoCheckpoint(ValueError):
    """There is no checkpoint, or none that can be used; the message says what is wrong."""


class Card(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What ``sauda.json`` holds.

    ``base`` is the model an adapter belongs to ("" for whole weights); ``steer``: moves are bent by
    what the seller lets notice, ``tells``: the model is told of it; ``stage`` and ``made_by`` name
    the training and the run that made it.
    """

    file: ClassVar[str] = CARD

    format: Literal["sauda@1"] = "sauda@1"
    name: str
    title: str
    dialect: str
    prompt_version: str
    base: str = ""
    temperature: float = 1.0
    top_p: float = 0.95
    max_new_tokens: int = 64
    steer: bool = False
    tells: bool = True
    stage: str = ""
    made_by: str = ""
    commit: str = ""


class Checkpoint(msgspec.Struct, frozen=True):
    """A checkpoint that was found; ``digest`` are 8 hexadecimal digits of its weights' SHA-256."""

    folder: Path
    card: Card
    digest: str

    @property
    def name(self) -> str:
        """The policy's name."""
        return self.card.name

    @property
    def version(self) -> str:
        """The label that results carry."""
        return f"{self.card.name}@1#{self.digest}"

    @property
    def is_adapter(self) -> bool:
        """Only an adapter is here; its base model is elsewhere."""
        return not (self.folder / WEIGHTS[0]).is_file()


class OnFile(Protocol):
    """The card of something trained; ``file`` is its name in the folder."""

    file: ClassVar[str]


AnyCard = TypeVar("AnyCard", bound=OnFile)


def read_card(folder: Path, kind: type[AnyCard], what: str) -> AnyCard:
    """Read the card in a folder that should hold ``what``; raises NoCheckpoint."""
    path = folder / kind.file
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except OSError:
        raise NoCheckpoint(f"{folder} holds no {what}: there is no {kind.file}.") from None
    except msgspec.DecodeError as wrong:
        raise NoCheckpoint(f"{path} cannot be read: {wrong}.") from wrong


def read_checkpoint(folder: Path) -> Checkpoint:
    """Read a folder; raises NoCheckpoint."""
    card = read_card(folder, Card, "model")
    _check_dialect(folder, card)
    return Checkpoint(folder, card, digest_of(folder))


def digest_of(folder: Path) -> str:
    """Return 8 hexadecimal digits of the SHA-256 of a folder's weights, or raise NoCheckpoint."""
    weights = next((folder / name for name in WEIGHTS if (folder / name).is_file()), None)
    if weights is None:
        raise NoCheckpoint(f"{folder} has no weights; one of {', '.join(WEIGHTS)} is needed.")
    try:
        stat = weights.stat()
        return _digest(weights, stat.st_mtime_ns, stat.st_size)
    except OSError as wrong:  # the folder is just being removed, or is not ours to read
        raise NoCheckpoint(f"{weights} cannot be read: {wrong.strerror}.") from wrong


def shipped() -> Iterator[Checkpoint]:
    """List the checkpoints that came with the code."""
    return checkpoints_in(Path(settings.SHIPPED_MODELS_DIR))


def checkpoints_in(folder: Path) -> Iterator[Checkpoint]:
    """List the checkpoints in a folder of folders by name; what is broken is left out, and said."""
    for card in sorted(folder.glob(f"*/{CARD}")):
        try:
            yield read_checkpoint(card.parent)
        except NoCheckpoint as wrong:
            log.warning("A model is left out: %s", wrong)


def shipped_voice() -> Checkpoint | None:
    """Return the checkpoint that speaks for the site by default; None when none was shipped."""
    folder = Path(settings.SHIPPED_MODELS_DIR)
    try:
        name = msgspec.json.decode((folder / VOICE).read_bytes(), type=dict[str, str])["voice"]
        return read_checkpoint(folder / name)
    except FileNotFoundError:
        return None
    except (OSError, KeyError, msgspec.DecodeError, NoCheckpoint) as wrong:
        log.warning("The shipped model cannot speak: %s", wrong)
        return None


def _check_dialect(folder: Path, card: Card) -> None:
    try:
        spoken = dialect(card.dialect).version
    except ValueError as wrong:
        raise NoCheckpoint(f"{folder / CARD} cannot be used: {wrong}") from None
    if card.prompt_version != spoken:
        raise NoCheckpoint(
            f"{folder} was trained on the prompt {card.prompt_version[:40]}, and this code speaks "
            f"{spoken}: train it again, or use the code that made it."
        )


@functools.lru_cache(maxsize=64)
def _digest(weights: Path, _changed: int, _size: int) -> str:
    with weights.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:8]


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
    """Return the name that all stages share: ``sauda-mini`` of ``sauda-mini:grpo``."""
    return checkpoint.name.partition(":")[0]


def uses_shipped() -> bool:
    """Whether models that came with the code are used here."""
    return str(settings.SAUDA_LOCAL["model"]).strip().lower() != NONE


class _Memory:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._looked_at = 0.0
        self._print: Print | None = None
        self._known = Known()

    def known(self) -> Known:
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


_memory = _Memory()
