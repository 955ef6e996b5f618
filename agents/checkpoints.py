"""A trained model on disk, and what has to be known to speak with it.

A checkpoint is a folder of transformers (weights, tokenizer) or of a PEFT adapter, with a file
``sauda.json`` beside the weights. Reading one imports nothing heavy.
"""

import functools
import hashlib
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Literal

import msgspec
from django.conf import settings

from agents.dialects.table import dialect

log = logging.getLogger(__name__)

CARD = "sauda.json"
VOICE = "shipped.json"
WEIGHTS = ("model.safetensors", "adapter_model.safetensors")


class NoCheckpoint(ValueError):
    """There is no checkpoint, or none that can be used; the message says what is wrong."""


class Card(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What ``sauda.json`` holds.

    Attributes:
        name: of the policy, as tables show it.
        title: for people.
        dialect: how it is spoken to.
        prompt_version: of the dialect it was trained on.
        base: the model an adapter belongs to; "" for whole weights.
        temperature: at which it is sampled; 0 takes the likeliest token.
        top_p: 0..1, the mass that is drawn from.
        max_new_tokens: of an answer.
        steer: its moves are bent by what the seller lets notice (``agents.steering``).
        tells: it is told what the seller lets notice.
        stage: of training that made it.
        made_by: the run.
        commit: version of the code.
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


def read_checkpoint(folder: Path) -> Checkpoint:
    """Read a folder.

    Raises:
        NoCheckpoint: it holds none.
    """
    path = folder / CARD
    try:
        card = msgspec.json.decode(path.read_bytes(), type=Card)
    except OSError:
        raise NoCheckpoint(f"{folder} holds no model: there is no {CARD}.") from None
    except msgspec.DecodeError as wrong:
        raise NoCheckpoint(f"{path} cannot be read: {wrong}.") from wrong
    _check_dialect(folder, card)
    return Checkpoint(folder, card, digest_of(folder))


def digest_of(folder: Path) -> str:
    """Give the first 8 hexadecimal digits of the SHA-256 of the weights in a folder.

    Raises:
        NoCheckpoint: there are none, or they cannot be read.
    """
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
    """Give the checkpoint that speaks for the site by default; None when none was shipped."""
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
    """Make sure that the code still speaks as it did when the model was trained."""
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
