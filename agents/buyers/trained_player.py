"""A trained model as the game rooms seat it: light to make, words that may be said, quick rollouts.

Evaluation asks it for many moves at once and gets the model's own, words and all. A live table that
does not wait gets the model's move with words that may be said. Small talk, and the thousands of
moves that a what-if plays on, are left to the rule buyer: one at a time a model would take minutes.
"""

import functools
from collections.abc import Sequence

import msgspec

from agents.buyers.sauda import Sauda
from agents.buyers.trained import BATCH, TrainedBuyer
from agents.checkpoints import WEIGHTS, Checkpoint
from agents.rounding import as_people_say
from agents.sauda_live import decide
from negotiation.engine.moves import Move, Offer
from negotiation.engine.observe import BuyerObservation

LIGHT_BYTES = 200_000_000
"""Weights up to this may exist in several processes at once."""


class TrainedPlayer:
    """The plain form of a trained policy; nothing is loaded before its first move.

    Args:
        checkpoint: the model.
        seed: the game's.
        steer: bend moves by the tells; as the checkpoint says when None.
        tells: show the tells; as the checkpoint says when None.
    """

    batch = BATCH

    def __init__(
        self,
        checkpoint: Checkpoint,
        seed: int,
        *,
        steer: bool | None = None,
        tells: bool | None = None,
    ) -> None:
        self.checkpoint = checkpoint
        self.seed = seed
        self._steer = steer
        self._tells = tells

    @property
    def apart(self) -> bool:
        """It is light enough to be played in several processes at once."""
        if self.checkpoint.is_adapter:
            return False
        return (self.checkpoint.folder / WEIGHTS[0]).stat().st_size <= LIGHT_BYTES

    @functools.cached_property
    def model(self) -> TrainedBuyer:
        """The model at this table; it counts its answers."""
        return TrainedBuyer(self.checkpoint, self.seed, steer=self._steer, tells=self._tells)

    def act_many(self, observations: Sequence[BuyerObservation]) -> list[Move]:
        """Choose one move per position, as the model says it."""
        return self.model.act_many(observations)

    def act(self, observation: BuyerObservation) -> Move:
        """Choose a move as people price it, with words that may be said."""
        move = self.model.act(observation)
        if isinstance(move, Offer):
            price = as_people_say(observation, move.price)
            move = msgspec.structs.replace(move, price=price)
        return decide(observation, move, self.seed, steer=False)

    def decide(self, observation: BuyerObservation) -> Move:
        """Choose a move by rule, for rollouts."""
        return Sauda(self.seed).decide(observation)

    def reply(self, observation: BuyerObservation) -> str:
        """Answer words that named no price, by rule."""
        return Sauda(self.seed).reply(observation)
