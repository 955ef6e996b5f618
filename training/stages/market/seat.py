"""A lab's model in training: positions in, answers out, a whole batch in step."""

from collections.abc import Sequence
from typing import Any

from agents.prompts.chats import Message
from arena.gpu_market import dialect
from arena.gpu_market.trained.cards import LabCard
from bazaarbatna.market.observe import Observation
from training.stages.generation import Sampling, Writer
from training.stages.market.episodes import LabSpoken


class Seat:
    """Asks one model (of ``AutoModelForCausalLM``) what a lab does."""

    def __init__(self, model: Any, tokenizer: Any, sampling: Sampling) -> None:
        self.sampling = sampling
        self._writer = Writer(model, tokenizer)

    def answers(
        self, seen: Sequence[Observation], sampling: Sampling | None = None
    ) -> list[LabSpoken]:
        """Answer every position, in order."""
        chats = [(Message("user", dialect.render(one)),) for one in seen]
        made = self._writer.write(chats, sampling or self.sampling)
        return [
            LabSpoken(said.prompt, said.answer, said.text, dialect.read(one, said.text))
            for one, said in zip(seen, made, strict=True)
        ]


def seat_of(model: Any, tokenizer: Any, card: LabCard) -> Seat:
    """Seat a model as its card says."""
    return Seat(model, tokenizer, Sampling(card.temperature, card.top_p, card.max_new_tokens))
