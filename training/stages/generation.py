"""What a model in training answers, many chats at once, by transformers' own ``generate``."""

from collections.abc import Sequence
from typing import Any

import msgspec
import torch

from agents.backends.local.model import harmless
from agents.dialects.base import Dialect
from agents.dialects.parsing import Parsed
from agents.gguf.vocabulary import END_MARKS
from agents.prompts.chats import Message
from bazaarbatna.bargain.observe import BuyerObservation

ROWS = 512
SHORTLIST = 128
"""Of the likeliest tokens one is drawn: to sort a large vocabulary takes as long as a step."""


class Sampling(msgspec.Struct, frozen=True):
    """How tokens are chosen; at a temperature of 0 the likeliest ones."""

    temperature: float = 1.0
    top_p: float = 0.95
    max_new_tokens: int = 64


class Written(msgspec.Struct, frozen=True):
    """Tokens of a prompt and of its answer, the end included where it came; and its text."""

    prompt: list[int]
    answer: list[int]
    text: str


class Spoken(msgspec.Struct, frozen=True):
    """One answer: tokens of prompt and answer, its text, and what it says (None: unreadable)."""

    prompt: list[int]
    answer: list[int]
    text: str
    parsed: Parsed | None

    @property
    def valid(self) -> bool:
        """It is exactly the JSON of the protocol."""
        return self.parsed is not None and self.parsed.strict


class Writer:
    """Lets one model answer many chats at once; what they are about is not its business."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self._model = model
        self._tokenizer = tokenizer

    def write(self, chats: Sequence[tuple[Message, ...]], how: Sampling) -> list[Written]:
        """Answer every chat, in order."""
        prompts = [self._prompt(chat) for chat in chats]
        made = generate(self._model, self._tokenizer, prompts, how)
        texts = self._tokenizer.batch_decode(made, skip_special_tokens=True)
        return [Written(*one) for one in zip(prompts, made, texts, strict=True)]

    def _prompt(self, chat: Sequence[Message]) -> list[int]:
        turns = [{"role": one.role, "content": harmless(one.content)} for one in chat]
        text = self._tokenizer.apply_chat_template(
            turns, tokenize=False, add_generation_prompt=True
        )
        return list(self._tokenizer(text, add_special_tokens=False).input_ids)


class Player:
    """Asks one model in its dialect."""

    def __init__(
        self, model: Any, tokenizer: Any, dialect: Dialect, sampling: Sampling | None = None
    ) -> None:
        self.dialect = dialect
        self.sampling = sampling or Sampling()
        self._writer = Writer(model, tokenizer)

    def answers(
        self, seen: Sequence[BuyerObservation], sampling: Sampling | None = None
    ) -> list[Spoken]:
        """Answer every position, in order."""
        chats = [self.dialect.messages(one) for one in seen]
        return [
            Spoken(made.prompt, made.answer, made.text, self.dialect.read(one, made.text))
            for one, made in zip(
                seen, self._writer.write(chats, sampling or self.sampling), strict=True
            )
        ]


@torch.inference_mode()
def generate(
    model: Any, tokenizer: Any, prompts: Sequence[Sequence[int]], how: Sampling, rows: int = ROWS
) -> list[list[int]]:
    """Make an answer to every prompt, drawn with torch's own random numbers."""
    was_training, cached = model.training, model.config.use_cache
    model.eval()
    model.config.use_cache = True
    ends = end_ids(tokenizer, model.generation_config)
    try:
        return [
            answer
            for start in range(0, len(prompts), rows)
            for answer in _pass(model, tokenizer, prompts[start : start + rows], how, ends)
        ]
    finally:
        model.config.use_cache = cached
        model.train(was_training)


def end_ids(tokenizer: Any, generation_config: Any) -> frozenset[int]:
    """Collect the numbers of every end of turn that this tokenizer has as a single token."""
    vocabulary = tokenizer.get_vocab()
    ids = {vocabulary[mark] for mark in END_MARKS if mark in vocabulary}
    for own in (tokenizer.eos_token_id, getattr(generation_config, "eos_token_id", None)):
        ids.update([own] if isinstance(own, int) else own or [])
    return frozenset(ids)


def _pass(
    model: Any,
    tokenizer: Any,
    prompts: Sequence[Sequence[int]],
    how: Sampling,
    ends: frozenset[int],
) -> list[list[int]]:
    width = max(map(len, prompts))
    # Padded on the left: all answers begin in the same column.
    ids = torch.full((len(prompts), width), int(tokenizer.pad_token_id), dtype=torch.long)
    mask = torch.zeros_like(ids)
    for row, prompt in enumerate(prompts):
        ids[row, width - len(prompt) :] = torch.tensor(list(prompt))
        mask[row, width - len(prompt) :] = 1
    drawn = {"temperature": how.temperature, "top_p": how.top_p, "top_k": SHORTLIST}
    made = model.generate(
        input_ids=ids.to(model.device),
        attention_mask=mask.to(model.device),
        max_new_tokens=how.max_new_tokens,
        pad_token_id=int(tokenizer.pad_token_id),
        eos_token_id=sorted(ends),
        **({"do_sample": True, **drawn} if how.temperature > 0 else {"do_sample": False}),
    )
    return [_cut(answer, ends) for answer in made[:, width:].tolist()]


def _cut(answer: list[int], ends: frozenset[int]) -> list[int]:
    end = next((place for place, token in enumerate(answer) if token in ends), len(answer))
    return answer[: end + 1]
