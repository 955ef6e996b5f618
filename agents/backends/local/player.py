"""A model at many tables at once: positions in, answers out, a whole batch in step."""

from collections.abc import Sequence
from typing import Any

import msgspec

from agents.backends.base import Chat
from agents.backends.local.prompting import Prompter
from agents.backends.local.together import generate
from agents.dialects.base import Dialect
from agents.parsing import Parsed
from negotiation.engine.observe import BuyerObservation


class Sampling(msgspec.Struct, frozen=True):
    """How tokens are chosen: see ``generate``."""

    temperature: float = 1.0
    top_p: float = 0.95
    max_new_tokens: int = 64


class Spoken(msgspec.Struct, frozen=True):
    """One answer: tokens of prompt and answer, the model's own text, and what it says.

    ``parsed`` is None for an answer that cannot be read.
    """

    prompt: list[int]
    answer: list[int]
    text: str
    parsed: Parsed | None

    @property
    def valid(self) -> bool:
        """It is exactly the JSON of the protocol."""
        return self.parsed is not None and self.parsed.strict


class Player:
    """Asks one model in its dialect.

    Args:
        model: of ``AutoModelForCausalLM``.
        tokenizer: its tokenizer.
        dialect: how it is spoken to.
        sampling: how it is sampled.
    """

    def __init__(
        self, model: Any, tokenizer: Any, dialect: Dialect, sampling: Sampling | None = None
    ) -> None:
        self.dialect = dialect
        self.sampling = sampling or Sampling()
        self._model = model
        self._tokenizer = tokenizer
        context = model.config.get_text_config(decoder=True).max_position_embeddings
        self._prompter = Prompter(tokenizer, context)

    def answers(
        self, seen: Sequence[BuyerObservation], sampling: Sampling | None = None
    ) -> list[Spoken]:
        """Answer every position, in order."""
        how = sampling or self.sampling
        prompts = [self._prompt(one, how) for one in seen]
        made = generate(
            self._model,
            self._tokenizer,
            prompts,
            temperature=how.temperature,
            top_p=how.top_p,
            max_new_tokens=how.max_new_tokens,
        )
        texts = self._tokenizer.batch_decode(made, skip_special_tokens=True)
        return [
            Spoken(prompt, answer, text, self.dialect.read(one, text))
            for one, prompt, answer, text in zip(seen, prompts, made, texts, strict=True)
        ]

    def _prompt(self, seen: BuyerObservation, how: Sampling) -> list[int]:
        chat = Chat(self.dialect.messages(seen), max_new_tokens=how.max_new_tokens)
        return self._prompter.tokens(chat)
