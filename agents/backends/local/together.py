"""Answers of one model to many prompts at once, each row as long as it needs."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from agents.backends.local.drawing import COLD, nucleus
from agents.backends.local.ends import end_ids
from agents.backends.local.in_step import answer_in_step
from agents.backends.local.loading import can_share

ROWS = 512
"""Prompts in one pass; more are cut into several."""


@torch.inference_mode()
def generate(
    model: Any,
    tokenizer: Any,
    prompts: Sequence[Sequence[int]],
    *,
    temperature: float,
    top_p: float = 1.0,
    max_new_tokens: int = 64,
    rows: int = ROWS,
) -> list[list[int]]:
    """Make an answer to every prompt; drawn with torch's own random numbers.

    Models that keep more than a column of keys and values per token are left to transformers.

    Args:
        model: of ``AutoModelForCausalLM``; training mode is put off meanwhile.
        tokenizer: its tokenizer; every end of turn it has ends an answer.
        prompts: token numbers.
        temperature: 0 takes the likeliest token.
        top_p: 0..1, the mass that is drawn from.
        max_new_tokens: of an answer, its end included.
        rows: prompts in one pass.

    Returns:
        The tokens of each answer, the end included where it came, in the order of the prompts.
    """
    was_training, cached = model.training, model.config.use_cache
    model.eval()
    model.config.use_cache = True
    try:
        answers: list[list[int]] = []
        for start in range(0, len(prompts), rows):
            answers += _pass(
                model, tokenizer, prompts[start : start + rows], temperature, top_p, max_new_tokens
            )
        return answers
    finally:
        model.config.use_cache = cached
        model.train(was_training)


def _pass(
    model: Any,
    tokenizer: Any,
    prompts: Sequence[Sequence[int]],
    temperature: float,
    top_p: float,
    max_new_tokens: int,
) -> list[list[int]]:
    ends, pad = end_ids(tokenizer, model.generation_config), int(tokenizer.pad_token_id)
    if can_share(model):

        def draw(logits: Tensor) -> Tensor:
            return _drawn(logits, temperature, top_p)

        return answer_in_step(
            model, prompts, draw, ends=ends, pad=pad, max_new_tokens=max_new_tokens
        )
    width = max(map(len, prompts))
    device = model.device
    ids = torch.full((len(prompts), width), pad, dtype=torch.long)
    mask = torch.zeros_like(ids)
    for row, prompt in enumerate(prompts):
        # Padded on the left: all answers begin in the same column.
        ids[row, width - len(prompt) :] = torch.tensor(list(prompt))
        mask[row, width - len(prompt) :] = 1
    drawn = {"do_sample": True, "temperature": temperature, "top_p": top_p, "top_k": 0}
    made = model.generate(
        input_ids=ids.to(device),
        attention_mask=mask.to(device),
        max_new_tokens=max_new_tokens,
        pad_token_id=pad,
        eos_token_id=sorted(ends),
        use_cache=True,
        **(drawn if temperature > 0 else {"do_sample": False}),
    )
    return [_cut(answer, ends) for answer in made[:, width:].tolist()]


def _drawn(logits: Tensor, temperature: float, top_p: float) -> Tensor:
    if temperature <= COLD:
        return logits.argmax(dim=-1)
    wanted = logits.new_full((len(logits), 1), min(max(top_p, 0.0), 1.0), dtype=torch.float32)
    return nucleus(logits.float() / temperature, wanted, torch.rand_like(wanted))


def _cut(answer: list[int], ends: frozenset[int]) -> list[int]:
    end = next((place for place, token in enumerate(answer) if token in ends), len(answer))
    return answer[: end + 1]
