"""The export: a checkpoint in, ``<name>.gguf`` and ``Modelfile`` out, or nothing at all."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from training.gguf.chat_template import blocks_of
from training.gguf.errors import BadTarget, ExportError
from training.gguf.loading import load_whole
from training.gguf.modelfile import modelfile
from training.gguf.shape import shape_of
from training.gguf.vocabulary import vocabulary_of
from training.gguf.weights import Numbers, tensors_of
from training.gguf.writing import write

NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
MODELFILE = "Modelfile"


class Exported(msgspec.Struct, frozen=True):
    """What an export wrote; ``speaks`` tells whether the chat template went along to Ollama."""

    weights: Path
    modelfile: Path
    bytes: int
    tensors: int
    speaks: bool


def export(
    checkpoint: Path,
    out: Path,
    *,
    name: str,
    numbers: Numbers = "f16",
    base: str = "",
    force: bool = False,
) -> Exported:
    """Write a checkpoint for llama.cpp and Ollama.

    Args:
        checkpoint: folder of a Llama, or of a LoRA adapter of one.
        out: folder of the two files; made if need be.
        name: of the file and of the model.
        numbers: what weights are written in; norms are always 32 bits.
        base: of an adapter, instead of the one it names.
        force: replace files that are there.

    Raises:
        ExportError: nothing was written; the message says why.
    """
    if not NAME.fullmatch(name):
        raise BadTarget(f"A model's name is of a-z, 0-9, dots and hyphens, not {name[:80]!r}.")
    weights, beside = out / f"{name}.gguf", out / MODELFILE
    _check_target(out, [weights, beside], force=force)
    whole = load_whole(checkpoint, base)
    shape = shape_of(whole.model.config)
    words = vocabulary_of(whole.tokenizer, whole.model.generation_config, shape.rows)
    blocks = blocks_of(whole.tokenizer)
    tensors = list(tensors_of(whole.model.state_dict(), shape, numbers))
    with _whole_or_nothing(weights) as part:
        write(
            part,
            name=whole.card.title if whole.card else name,
            shape=shape,
            words=words,
            template=whole.tokenizer.chat_template,
            tensors=tensors,
            numbers=numbers,
        )
    with _whole_or_nothing(beside) as part:
        part.write_text(modelfile(whole, shape, words, blocks, weights.name), encoding="utf-8")
    return Exported(weights, beside, weights.stat().st_size, len(tensors), blocks is not None)


def _check_target(out: Path, files: list[Path], *, force: bool) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise BadTarget(f"{out} cannot be made: {wrong.strerror}.") from wrong
    there = [str(path) for path in files if path.exists()]
    if there and not force:
        raise BadTarget(f"{' and '.join(there)} exists; --force replaces it.")


@contextmanager
def _whole_or_nothing(path: Path) -> Iterator[Path]:
    """Write beside the place and move there at the end; leave nothing behind on failure."""
    part = path.with_name(f"{path.name}.part")
    try:
        yield part
        part.replace(path)
    except OSError as wrong:
        # numpy tells of a short write without its cause.
        why = wrong.strerror or "the disk is full"
        raise BadTarget(f"{path} cannot be written: {why}.") from wrong
    except ExportError:
        raise
    finally:
        part.unlink(missing_ok=True)
