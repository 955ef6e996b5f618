"""A network from nothing, Llama-shaped, as wide and deep as a stage says."""

from typing import Any, Protocol

from transformers import LlamaConfig, LlamaForCausalLM


class Shape(Protocol):
    """What decides a network: its width, layers, heads of attention, and tokens read at once."""

    @property
    def hidden(self) -> int: ...  # noqa: D102  see the class

    @property
    def layers(self) -> int: ...  # noqa: D102

    @property
    def heads(self) -> int: ...  # noqa: D102

    @property
    def context(self) -> int: ...  # noqa: D102


def new_llama(shape: Shape, tokenizer: Any) -> Any:
    """Make a Llama for a tokenizer, with weights drawn from torch's random numbers."""
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=shape.hidden,
        # A third of eight times the width, as in LLaMA, in whole 32s.
        intermediate_size=max(32, 32 * round(8 * shape.hidden / 3 / 32)),
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.heads,
        max_position_embeddings=shape.context,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return LlamaForCausalLM(config)
