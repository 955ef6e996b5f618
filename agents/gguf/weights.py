"""A Llama's sizes and tensors in GGUF's names, order and numbers."""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import gguf
import msgspec
import numpy as np
from numpy.typing import NDArray

from agents.gguf import NotExportable

Numbers = Literal["f32", "f16", "q8_0"]

FILE_TYPES = {
    "f32": gguf.LlamaFileType.ALL_F32,
    "f16": gguf.LlamaFileType.MOSTLY_F16,
    "q8_0": gguf.LlamaFileType.MOSTLY_Q8_0,
}

_OUTSIDE = {
    "model.embed_tokens.weight": "token_embd.weight",
    "model.norm.weight": "output_norm.weight",
    "lm_head.weight": "output.weight",
}
INSIDE = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
_BLOCK = re.compile(r"model\.layers\.(\d+)\.(.+)\.(weight|bias)")


class Shape(msgspec.Struct, frozen=True):
    """Everything about the network that is not weights.

    ``rope_factors`` divide the frequencies of the pairs of a head: (head_size / 2,), or None.
    """

    blocks: int
    width: int
    inner: int
    heads: int
    kv_heads: int
    head_size: int
    context: int
    rows: int
    epsilon: float
    rope_base: float
    tied: bool
    rope_scale: float
    rope_factors: NDArray[np.float32] | None


def shape_of(config: Mapping[str, Any]) -> Shape:
    """Read a ``config.json``; NotExportable when llama.cpp does not know how it turns heads."""
    if (activation := config.get("hidden_act", "silu")) != "silu":
        raise NotExportable(f"The activation is {activation}; llama.cpp computes silu.")
    heads = config["num_attention_heads"]
    head_size = config.get("head_dim") or config["hidden_size"] // heads
    rope = _rope(config)
    kind = rope.get("rope_type", "default")
    if kind not in ("default", "linear", "llama3"):
        raise NotExportable(f"Rotary positions of type {kind!r} cannot be exported.")
    base = float(rope["rope_theta"])
    return Shape(
        blocks=config["num_hidden_layers"],
        width=config["hidden_size"],
        inner=config["intermediate_size"],
        heads=heads,
        kv_heads=config.get("num_key_value_heads") or heads,
        head_size=head_size,
        context=config["max_position_embeddings"],
        rows=config["vocab_size"],
        epsilon=config["rms_norm_eps"],
        rope_base=base,
        tied=bool(config.get("tie_word_embeddings", False)),
        rope_scale=float(rope["factor"]) if kind == "linear" else 1.0,
        rope_factors=_factors(rope, base, head_size) if kind == "llama3" else None,
    )


def _rope(config: Mapping[str, Any]) -> Mapping[str, Any]:
    # Checkpoints of before 2026 have its parts in two places.
    scaling = config.get("rope_scaling") or {}
    return config.get("rope_parameters") or {
        "rope_theta": config.get("rope_theta", 10_000.0),
        **scaling,
    }


def _factors(rope: Mapping[str, Any], base: float, head_size: int) -> NDArray[np.float32]:
    # "The Llama 3 Herd of Models" (2024), section 3.4.2: long waves slow by ``factor``.
    factor, low, high = (
        float(rope[name]) for name in ("factor", "low_freq_factor", "high_freq_factor")
    )
    trained = float(rope["original_max_position_embeddings"])
    found = []
    for pair in range(head_size // 2):
        wave = 2 * math.pi * base ** (2 * pair / head_size)
        if wave < trained / high:
            found.append(1.0)
        elif wave > trained / low:
            found.append(factor)
        else:
            kept = (trained / wave - low) / (high - low)
            found.append(1 / ((1 - kept) / factor + kept))
    return np.array(found, dtype=np.float32)


class Tensor(msgspec.Struct, frozen=True):
    """A tensor of the file; ``kind`` are the numbers it is written in."""

    name: str
    kind: gguf.GGMLQuantizationType
    source: NDArray[Any]
    heads: int = 0

    @property
    def shape(self) -> tuple[int, ...]:
        """As numpy has it."""
        return tuple(self.source.shape)

    @property
    def bytes(self) -> int:
        """Size in the file."""
        block, size = gguf.GGML_QUANT_SIZES[self.kind]
        return int(np.prod(self.shape)) // block * size

    def data(self) -> NDArray[Any]:
        """Compute what is written; NotExportable when a number does not fit 16 bits."""
        values = self.source.astype(np.float32)
        if self.heads:
            values = paired(values, self.heads)
        # What does not fit becomes infinite, and is refused below.
        with np.errstate(over="ignore"):
            written = gguf.quants.quantize(values, self.kind)
        if not np.isfinite(written if written.dtype != np.uint8 else values).all():
            raise NotExportable(f"{self.name} holds numbers that {self.kind.name} cannot.")
        return written


def tensors_of(
    state: Mapping[str, NDArray[Any]], shape: Shape, numbers: Numbers
) -> Iterator[Tensor]:
    """Name every tensor of a checkpoint; NotExportable when one is amiss."""
    missing = _wanted(shape) - {_name(key) for key in state}
    if missing:
        raise NotExportable(f"The checkpoint lacks {', '.join(sorted(missing)[:3])}.")
    if shape.rope_factors is not None:
        yield Tensor("rope_freqs.weight", gguf.GGMLQuantizationType.F32, shape.rope_factors)
    for key, values in state.items():
        name = _name(key)
        if shape.tied and name == "output.weight":
            continue
        turned = {"attn_q": shape.heads, "attn_k": shape.kv_heads}
        heads = next((n for part, n in turned.items() if f".{part}." in name), 0)
        yield Tensor(name, _kind(tuple(values.shape), numbers), values, heads)


def paired(values: NDArray[Any], heads: int) -> NDArray[Any]:
    """Put the two halves of each head side by side; ``values`` are (heads * size, ...).

    transformers turns dimension i of a head with i + half, llama.cpp turns neighbours.

    >>> paired(np.arange(8), 2).tolist()
    [0, 2, 1, 3, 4, 6, 5, 7]
    """
    halves = values.reshape(heads, 2, values.shape[0] // heads // 2, *values.shape[1:])
    return np.ascontiguousarray(halves.swapaxes(1, 2)).reshape(values.shape)


def _name(key: str) -> str:
    if key in _OUTSIDE:
        return _OUTSIDE[key]
    found = _BLOCK.fullmatch(key)
    if found is None or found[2] not in INSIDE:
        raise NotExportable(f"The checkpoint has {key}, which no Llama has.")
    return f"blk.{found[1]}.{INSIDE[found[2]]}.{found[3]}"


def _wanted(shape: Shape) -> set[str]:
    outside = {"token_embd.weight", "output_norm.weight"} | (
        set() if shape.tied else {"output.weight"}
    )
    return outside | {
        f"blk.{n}.{part}.weight" for n in range(shape.blocks) for part in INSIDE.values()
    }


def _kind(shape: tuple[int, ...], numbers: Numbers) -> gguf.GGMLQuantizationType:
    kinds = gguf.GGMLQuantizationType
    if numbers == "f32" or len(shape) == 1:
        return kinds.F32
    block, _ = gguf.GGML_QUANT_SIZES[kinds.Q8_0]
    return kinds.Q8_0 if numbers == "q8_0" and shape[-1] % block == 0 else kinds.F16
