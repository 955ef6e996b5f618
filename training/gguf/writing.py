"""Writes the file: what the model is, its vocabulary, then tensor after tensor."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gguf
import numpy as np

from training.gguf.shape import Shape
from training.gguf.vocabulary import Vocabulary
from training.gguf.weights import FILE_TYPES, Numbers, Tensor


def write(
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
    """Give the shape in numbers, or in bytes where they are packed."""
    if tensor.kind is not gguf.GGMLQuantizationType.Q8_0:
        return tensor.shape
    return gguf.quant_shape_to_byte_shape(tensor.shape, tensor.kind)


def _dtype(tensor: Tensor) -> np.dtype[Any]:
    kinds = gguf.GGMLQuantizationType
    return np.dtype({kinds.F32: np.float32, kinds.F16: np.float16}.get(tensor.kind, np.uint8))
