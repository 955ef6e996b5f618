"""A trained model as a buyer that plays many games in step.

Nobody stands in for it: an answer that cannot be read leaves the table, so that what a table says
of a model is the model's own doing.
"""

import functools
import multiprocessing
from collections.abc import Sequence
from typing import Any

import msgspec

from agents.backends.local.source import Source, import_libraries
from agents.buyers import steering
from agents.checkpoints import Checkpoint
from agents.dialects.compact import dialect
from agents.dialects.parsing import Parsed
from bazaarbatna.bargain.moves import Move, Walk
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.players.guard import guard

BATCH = 256


class TrainedBuyer:
    """Plays what a checkpoint says, guarded; settings that are None are the checkpoint's.

    ``answers`` were asked for so far, ``invalid`` of them were not exactly the protocol's JSON.
    """

    batch = BATCH

    def __init__(
        self,
        checkpoint: Checkpoint,
        seed: int = 0,
        *,
        steer: bool | None = None,
        tells: bool | None = None,
        temperature: float | None = None,
    ) -> None:
        from agents.backends.local.player import Sampling

        card = checkpoint.card
        self.answers = self.invalid = 0
        self._steer = card.steer if steer is None else steer
        self._tells = card.tells if tells is None else tells
        heat = card.temperature if temperature is None else temperature
        self._sampling = Sampling(heat, card.top_p, card.max_new_tokens)
        self._checkpoint = checkpoint
        self._seed = seed
        self._turn = 0

    def act(self, observation: BuyerObservation) -> Move:
        """Choose one move."""
        return self.act_many([observation])[0]

    def act_many(self, observations: Sequence[BuyerObservation]) -> list[Move]:
        """Choose one move per position."""
        import torch

        seen = [one if self._tells else blind(one) for one in observations]
        self._turn += 1
        # Same games, same turns, same words: whatever else this process has drawn.
        with torch.random.fork_rng():
            torch.manual_seed(self._seed * 1_000_003 + self._turn)
            spoken = _player(self._checkpoint).answers(seen, self._sampling)
        self.answers += len(spoken)
        self.invalid += sum(not one.valid for one in spoken)
        return [
            played(one, said.parsed, steer=self._steer)
            for one, said in zip(observations, spoken, strict=True)
        ]


def played(seen: BuyerObservation, said: Parsed | None, *, steer: bool = False) -> Move:
    """Turn what a model said into a legal move; what cannot be read walks away."""
    move = None if said is None else said.to_move()
    if move is None:
        return Walk()
    return guard(seen, steering.steer(seen, move) if steer else move)


def blind(seen: BuyerObservation) -> BuyerObservation:
    """Take the tells out of a position."""
    return msgspec.structs.replace(seen, tells=None)


@functools.lru_cache(maxsize=4)
def _player(checkpoint: Checkpoint) -> Any:
    import_libraries()
    from agents.backends.local.loading import load
    from agents.backends.local.player import Player

    # Torch's threads wait for each other busily: processes side by side have one each.
    threads = 1 if multiprocessing.parent_process() else 0
    loaded = load(Source("", threads=threads).of(checkpoint))
    return Player(loaded.model, loaded.tokenizer, dialect(checkpoint.card.dialect))
