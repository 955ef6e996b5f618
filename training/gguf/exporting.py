"""The export: a checkpoint in, ``<name>.gguf`` and ``Modelfile`` out, or nothing at all."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gguf
import msgspec
import numpy as np

from training.gguf.errors import BadTarget, ExportError
from training.gguf.loading import load_whole
from training.gguf.modelfile import modelfile, template_of
from training.gguf.vocabulary import Vocabulary, vocabulary_of
from training.gguf.weights import FILE_TYPES, Numbers, Shape, Tensor, shape_of, tensors_of

NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
MODELFILE = "Modelfile"


class Exported(msgspec.Struct, frozen=True):
    """What an export wrote."""

    weights: Path
    modelfile: Path
    bytes: int
    tensors: int


def export(
    checkpoint: Path,
    out: Path,
    *,
    name: str,
    numbers: Numbers = "f16",
    base: str = "",
    template: str = "",
    force: bool = False,
) -> Exported:
    """Write a checkpoint for llama.cpp and Ollama.

    Args:
        checkpoint: folder of a Llama, or of a LoRA adapter of one.
        out: folder of the two files; made if need be.
        name: of the file and of the model.
        numbers: what weights are written in; norms are always 32 bits.
        base: of an adapter, instead of the one it names.
        template: for Ollama, of a checkpoint that none of ours fits.
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
    template = template or template_of(whole, words)
    tensors = list(tensors_of(whole.model.state_dict(), shape, numbers))
    with _whole_or_nothing(weights) as part:
        _write(
            part,
            name=whole.card.title if whole.card else name,
            shape=shape,
            words=words,
            template=whole.tokenizer.chat_template,
            tensors=tensors,
            numbers=numbers,
        )
    with _whole_or_nothing(beside) as part:
        part.write_text(modelfile(whole, shape, words, template, weights.name), encoding="utf-8")
    return Exported(weights, beside, weights.stat().st_size, len(tensors))


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


def _write(
    path: Path,
    *,
    name: str,
    shape: Shape,
    words: Vocabulary,
    template: str | None,
    tensors: Sequence[Tensor],
    numbers: Numbers,
) -> None:
    """Write a GGUF file; one tensor at a time is in memory besides the model.

    Raises:
        OSError: the disk is full, or closed.
        NotExportable: a weight cannot be said in these numbers.
    """
    writer = gguf.GGUFWriter(str(path), "llama")
    try:
        _describe(writer, name, shape, numbers)
        _list_words(writer, words)
        if template:
            writer.add_chat_template(template)
        for tensor in tensors:
            writer.add_tensor_info(
                tensor.name, _written_shape(tensor), _dtype(tensor), tensor.bytes, tensor.kind
            )
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_ti_data_to_file()
        for tensor in tensors:
            writer.write_tensor_data(tensor.data())
    finally:
        writer.close()


def _describe(writer: gguf.GGUFWriter, name: str, shape: Shape, numbers: Numbers) -> None:
    writer.add_type("model")
    writer.add_name(name)
    writer.add_file_type(FILE_TYPES[numbers])
    if numbers == "q8_0":
        writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
    writer.add_block_count(shape.blocks)
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.width)
    writer.add_feed_forward_length(shape.inner)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.kv_heads)
    writer.add_key_length(shape.head_size)
    writer.add_value_length(shape.head_size)
    writer.add_vocab_size(shape.rows)
    writer.add_layer_norm_rms_eps(shape.epsilon)
    writer.add_rope_dimension_count(shape.head_size)
    writer.add_rope_freq_base(shape.rope_base)
    if shape.rope_scale != 1.0:
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(shape.rope_scale)


def _list_words(writer: gguf.GGUFWriter, words: Vocabulary) -> None:
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(words.cut)
    writer.add_token_list(words.tokens)
    writer.add_token_types(words.kinds)
    writer.add_token_merges(words.merges)
    writer.add_add_bos_token(words.adds_begin)
    writer.add_add_eos_token(False)
    writer.add_add_space_prefix(False)
    named = (writer.add_eos_token_id, writer.add_eot_token_id, writer.add_eom_token_id)
    for add, end in zip(named, words.ends, strict=False):
        add(end)
    if words.begins is not None:
        writer.add_bos_token_id(words.begins)
    if words.pads is not None:
        writer.add_pad_token_id(words.pads)


def _written_shape(tensor: Tensor) -> tuple[int, ...]:
    """Return the shape in numbers, or in bytes where they are packed."""
    if tensor.kind is not gguf.GGMLQuantizationType.Q8_0:
        return tensor.shape
    return gguf.quant_shape_to_byte_shape(tensor.shape, tensor.kind)


def _dtype(tensor: Tensor) -> np.dtype[Any]:
    kinds = gguf.GGMLQuantizationType
    return np.dtype({kinds.F32: np.float32, kinds.F16: np.float16}.get(tensor.kind, np.uint8))
