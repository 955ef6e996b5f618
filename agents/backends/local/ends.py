"""Which tokens end a turn."""

from typing import Any

END_MARKS = (
    "<|end_of_text|>",
    "<|eot_id|>",
    "<end_of_turn>",
    "<|im_end|>",
    "</s>",
    "<|endoftext|>",
)
"""A chat model closes its turn with one of them, whatever its tokenizer calls end of sequence."""


def end_ids(tokenizer: Any, generation_config: Any) -> frozenset[int]:
    """Collect every end of turn that this tokenizer has as a single token.

    Returns:
        Token numbers.
    """
    vocabulary = tokenizer.get_vocab()
    ids = {vocabulary[mark] for mark in END_MARKS if mark in vocabulary}
    for own in (tokenizer.eos_token_id, getattr(generation_config, "eos_token_id", None)):
        ids.update([own] if isinstance(own, int) else own or [])
    return frozenset(ids)
