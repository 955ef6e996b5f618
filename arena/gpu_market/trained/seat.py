"""A trained lab at many tables at once.

``Seat`` needs torch and is what training, evaluation and live play share; ``TrainedLab`` is the
policy: light to make, the model comes with its first turn.
"""

import functools
import multiprocessing
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from agents.chats import Message
from arena.gpu_market import dialect
from arena.gpu_market.dialect.answer import Answer
from arena.gpu_market.engine.actions import Malformed, MarketAction
from arena.gpu_market.engine.observe import Observation
from arena.gpu_market.policies.views import Policy
from arena.gpu_market.trained.cards import LabCheckpoint

if TYPE_CHECKING:
    from agents.backends.local.player import Sampling


class LabSpoken(msgspec.Struct, frozen=True):
    """One answer: tokens of prompt and answer, the model's own text, and what it says."""

    prompt: list[int]
    answer: list[int]
    text: str
    parsed: Answer

    @property
    def valid(self) -> bool:
        """It is an action, exactly as the protocol writes it."""
        return self.parsed.strict

    @property
    def action(self) -> MarketAction | Malformed:
        """What is played."""
        return self.parsed.action


class Seat:
    """Asks one model what a lab does.

    Args:
        model: of ``AutoModelForCausalLM``.
        tokenizer: its tokenizer.
        sampling: how it is sampled.
    """

    def __init__(self, model: Any, tokenizer: Any, sampling: "Sampling") -> None:
        from agents.backends.local.player import Writer

        self.sampling = sampling
        self._writer = Writer(model, tokenizer)

    def answers(
        self, seen: Sequence[Observation], sampling: "Sampling | None" = None
    ) -> list[LabSpoken]:
        """Answer every position, in order."""
        chats = [(Message("user", dialect.render(one)),) for one in seen]
        made = self._writer.write(chats, sampling or self.sampling)
        return [
            LabSpoken(said.prompt, said.answer, said.text, dialect.read(one, said.text))
            for one, said in zip(seen, made, strict=True)
        ]


class TrainedLab:
    """Plays what a checkpoint says.

    Args:
        checkpoint: the model; loaded once for each process.
        seed: of everything that is drawn.

    Attributes:
        answers: asked for so far.
        invalid: of these, how many were no action.
    """

    def __init__(self, checkpoint: LabCheckpoint, seed: int = 0) -> None:
        self.checkpoint = checkpoint
        self.answers = self.invalid = 0
        self._seed = seed
        self._turn = 0

    def __call__(self, seen: Observation) -> MarketAction | Malformed:
        """Answer one position."""
        return self.act_many([seen])[0]

    def act_many(self, seen: Sequence[Observation]) -> list[MarketAction | Malformed]:
        """Answer many positions in one batch; what cannot be read stays malformed."""
        import torch

        self._turn += 1
        # Same tables, same turns, same draws: whatever else this process has drawn.
        with torch.random.fork_rng():
            torch.manual_seed(self._seed * 1_000_003 + self._turn)
            said = _seat(self.checkpoint).answers(seen)
        self.answers += len(said)
        self.invalid += sum(not one.valid for one in said)
        return [one.action for one in said]


class LiveLab:
    """The same for a table that has to go on: a rule plays what the model gets wrong.

    Args:
        lab: the model.
        stand_in: plays instead of an answer that is no action.
    """

    def __init__(self, lab: TrainedLab, stand_in: Policy) -> None:
        self.lab = lab
        self._stand_in = stand_in

    def __call__(self, seen: Observation) -> MarketAction:
        """Answer one position."""
        said = self.lab(seen)
        return said if isinstance(said, MarketAction) else self._stand_in(seen)


def seat_of(model: Any, tokenizer: Any, card: Any) -> Seat:
    """Seat a model as its card says."""
    from agents.backends.local.player import Sampling

    return Seat(model, tokenizer, Sampling(card.temperature, card.top_p, card.max_new_tokens))


@functools.lru_cache(maxsize=4)
def _seat(checkpoint: LabCheckpoint) -> Seat:
    from agents.backends.local.loading import load
    from agents.backends.local.source import Source

    # Torch's threads wait for each other busily: processes side by side have one each.
    threads = 1 if multiprocessing.parent_process() else 0
    loaded = load(Source(str(checkpoint.folder), threads=threads))
    return seat_of(loaded.model, loaded.tokenizer, checkpoint.card)
