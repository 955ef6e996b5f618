"""The sizes of a Llama as GGUF names them, and its rotary frequencies."""

import math
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from training.gguf.errors import NotExportable


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


def shape_of(config: Any) -> Shape:
    """Read a ``LlamaConfig``.

    Raises:
        NotExportable: it turns heads in a way that llama.cpp does not know for a Llama.
    """
    if getattr(config, "hidden_act", "silu") != "silu":
        raise NotExportable(f"The activation is {config.hidden_act}; llama.cpp computes silu.")
    head_size = getattr(config, "head_dim", None) or (
        config.hidden_size // config.num_attention_heads
    )
    rope: Mapping[str, Any] = config.rope_parameters
    kind = rope.get("rope_type", "default")
    if kind not in ("default", "linear", "llama3"):
        raise NotExportable(f"Rotary positions of type {kind!r} cannot be exported.")
    base = float(rope["rope_theta"])
    return Shape(
        blocks=config.num_hidden_layers,
        width=config.hidden_size,
        inner=config.intermediate_size,
        heads=config.num_attention_heads,
        kv_heads=config.num_key_value_heads,
        head_size=head_size,
        context=config.max_position_embeddings,
        rows=config.vocab_size,
        epsilon=config.rms_norm_eps,
        rope_base=base,
        tied=bool(config.tie_word_embeddings),
        rope_scale=float(rope["factor"]) if kind == "linear" else 1.0,
        rope_factors=_factors(rope, base, head_size) if kind == "llama3" else None,
    )


def _factors(rope: Mapping[str, Any], base: float, head_size: int) -> NDArray[np.float32]:
    """Say by how much Llama 3.1 slows each pair: long waves by ``factor``, short ones not at all.

    Source: "The Llama 3 Herd of Models" (2024), section 3.4.2, and Meta's reference code.
    """
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
