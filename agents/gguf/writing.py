"""A whole checkpoint, read from its files, and the GGUF file that says the same."""

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gguf
import msgspec
import numpy as np
import safetensors
from numpy.typing import NDArray

from agents.gguf import NotExportable
from agents.gguf.vocabulary import Vocabulary, vocabulary_of
from agents.gguf.weights import FILE_TYPES, Numbers, Shape, Tensor, shape_of, tensors_of

logging.getLogger("gguf").setLevel(logging.WARNING)  # it tells of every file that it writes

TOKENIZER = "tokenizer.json"
PLAIN = (
    "{% for message in messages %}{{ message['role'] | capitalize }}: {{ message['content'] }}"
    "{{ '\\n\\n' }}{% endfor %}Assistant:"
)
"""Frames a chat for a model that has no template of its own."""


class Whole(msgspec.Struct, frozen=True):
    """Everything of a Llama that a GGUF file holds."""

    shape: Shape
    words: Vocabulary
    template: str
    weights: dict[str, NDArray[Any]]


def read_whole(folder: Path) -> Whole:
    """Read a folder; NotExportable when it is not whole, no Llama, or quantised."""
    if not folder.is_dir():
        raise NotExportable(f"There is no folder {folder}.")
    if not (folder / TOKENIZER).is_file():
        raise NotExportable(f"{folder} has no {TOKENIZER}; export needs the fast tokenizer's file.")
    config = read_json(folder / "config.json")
    _check(folder, config)
    try:
        shape = shape_of(config)
        weights = _weights(folder)
    except (OSError, KeyError, ValueError, TypeError, safetensors.SafetensorError) as wrong:
        if isinstance(wrong, NotExportable):
            raise
        raise NotExportable(f"{folder} cannot be loaded: {short(wrong)}") from wrong
    generation = folder / "generation_config.json"
    own = (read_json(generation) if generation.is_file() else config).get("eos_token_id")
    told = read_json(folder / "tokenizer_config.json")
    words = vocabulary_of(
        read_json(folder / TOKENIZER),
        told,
        [own] if isinstance(own, int) else list(own or ()),
        shape.rows,
    )
    return Whole(shape, words, _template(folder, told), weights)


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object; NotExportable."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as wrong:
        raise NotExportable(f"{path} cannot be loaded: {short(wrong)}") from wrong
    if not isinstance(found, dict):
        raise NotExportable(f"{path} is no JSON object.")
    return found


def short(wrong: Exception) -> str:
    """Write an error of a library in one line."""
    return " ".join(str(wrong).split())[:300]


def _check(folder: Path, config: dict[str, Any]) -> None:
    kind = config.get("model_type")
    if kind != "llama":
        raise NotExportable(f"{folder} is a {kind} model; only Llama can be exported.")
    if config.get("quantization_config"):
        raise NotExportable(
            f"{folder} has quantised weights, which cannot be exported exactly; "
            "name the model with full weights (an adapter's with --base)."
        )


def _template(folder: Path, told: dict[str, Any]) -> str:
    beside = folder / "chat_template.jinja"
    if beside.is_file():
        return beside.read_text(encoding="utf-8")
    inside = told.get("chat_template")
    return inside if isinstance(inside, str) else PLAIN


def _weights(folder: Path) -> dict[str, NDArray[Any]]:
    found: dict[str, NDArray[Any]] = {}
    for part in sorted(folder.glob("model*.safetensors")):
        for name, told in safetensors.deserialize(part.read_bytes()):  # type: ignore[no-untyped-call]
            found[name] = _numbers(told["dtype"], told["data"]).reshape(told["shape"])
    if not found:
        raise NotExportable(f"{folder} cannot be loaded: it has no weights.")
    return found


def _numbers(kind: str, data: bytes) -> NDArray[Any]:
    if kind == "BF16":
        # The upper half of a float32; numpy has no such numbers.
        return (np.frombuffer(data, np.uint16).astype(np.uint32) << 16).view(np.float32)
    kinds = {"F32": np.float32, "F16": np.float16, "F64": np.float64}
    if kind not in kinds:
        raise NotExportable(f"Weights in {kind} cannot be exported.")
    return np.frombuffer(data, kinds[kind])


def write_whole(whole: Whole, path: Path, *, name: str, numbers: Numbers) -> int:
    """Write a model to a file; return how many tensors it has."""
    tensors = list(tensors_of(whole.weights, whole.shape, numbers))
    _write(path, whole, tensors, name, numbers)
    return len(tensors)


def _write(
    path: Path, whole: Whole, tensors: Sequence[Tensor], name: str, numbers: Numbers
) -> None:
    # One tensor at a time is in memory besides the model.
    writer = gguf.GGUFWriter(str(path), "llama")
    try:
        _describe(writer, name, whole.shape, numbers)
        _list_words(writer, whole.words)
        writer.add_chat_template(whole.template)
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
    # In numbers, or in bytes where they are packed.
    if tensor.kind is not gguf.GGMLQuantizationType.Q8_0:
        return tensor.shape
    return gguf.quant_shape_to_byte_shape(tensor.shape, tensor.kind)


def _dtype(tensor: Tensor) -> np.dtype[Any]:
    kinds = gguf.GGMLQuantizationType
    return np.dtype({kinds.F32: np.float32, kinds.F16: np.float16}.get(tensor.kind, np.uint8))
