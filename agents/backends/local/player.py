"""A model at many tables at once: positions in, answers out, a whole batch in step."""

from collections.abc import Sequence
from typing import Any

import msgspec

from agents.backends.base import Chat
from agents.backends.local.prompting import Prompter
from agents.backends.local.together import generate
from agents.dialects.base import Dialect
from agents.dialects.parsing import Parsed
from agents.prompts.chats import Message
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


class Written(msgspec.Struct, frozen=True):
    """Tokens of a prompt and of its answer, and the answer as text."""

    prompt: list[int]
    answer: list[int]
    text: str


class Writer:
    """Lets one model answer many chats at once; what they are about is not its business."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self._model = model
        self._tokenizer = tokenizer
        context = model.config.get_text_config(decoder=True).max_position_embeddings
        self._prompter = Prompter(tokenizer, context)

    def write(self, chats: Sequence[tuple[Message, ...]], how: Sampling) -> list[Written]:
        """Answer every chat, in order."""
        prompts = [
            self._prompter.tokens(Chat(chat, max_new_tokens=how.max_new_tokens)) for chat in chats
        ]
        made = generate(
            self._model,
            self._tokenizer,
            prompts,
            temperature=how.temperature,
            top_p=how.top_p,
            max_new_tokens=how.max_new_tokens,
        )
        texts = self._tokenizer.batch_decode(made, skip_special_tokens=True)
        return [Written(*one) for one in zip(prompts, made, texts, strict=True)]


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
