"""A trained model as a buyer that plays many games in step.

Nobody stands in for it: an answer that cannot be read leaves the table, so that what a table says
of a model is the model's own doing.
"""

from collections.abc import Sequence

import msgspec

from agents.backends.local.model import kept_model
from agents.backends.local.source import Source
from agents.buyers import steering
from agents.checkpoints import Checkpoint
from agents.dialects.compact import dialect
from agents.dialects.parsing import Parsed
from agents.prompts.chats import Chat
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
        card = checkpoint.card
        self.answers = self.invalid = 0
        self._steer = card.steer if steer is None else steer
        self._tells = card.tells if tells is None else tells
        self._heat = card.temperature if temperature is None else temperature
        self._dialect = dialect(card.dialect)
        self._checkpoint = checkpoint
        self._seed = seed
        self._turn = 0

    def act(self, observation: BuyerObservation) -> Move:
        """Choose one move."""
        return self.act_many([observation])[0]

    def act_many(self, observations: Sequence[BuyerObservation]) -> list[Move]:
        """Choose one move per position."""
        seen = [one if self._tells else blind(one) for one in observations]
        self._turn += 1
        model = kept_model(Source("").of(self._checkpoint))
        texts = model.write([self._chat(place, one) for place, one in enumerate(seen)])
        spoken = [self._dialect.read(one, text) for one, text in zip(seen, texts, strict=True)]
        self.answers += len(spoken)
        self.invalid += sum(said is None or not said.strict for said in spoken)
        return [
            played(one, said, steer=self._steer)
            for one, said in zip(observations, spoken, strict=True)
        ]

    def _chat(self, place: int, seen: BuyerObservation) -> Chat:
        card = self._checkpoint.card
        return Chat(
            self._dialect.messages(seen),
            max_new_tokens=card.max_new_tokens,
            temperature=self._heat,
            top_p=card.top_p,
            # Same games, same turns, same words: whatever else this process has drawn.
            seed=self._seed * 1_000_003 + self._turn * 1_009 + place,
        )


def played(seen: BuyerObservation, said: Parsed | None, *, steer: bool = False) -> Move:
    """Turn what a model said into a legal move; what cannot be read walks away."""
    move = None if said is None else said.to_move()
    if move is None:
        return Walk()
    return guard(seen, steering.steer(seen, move) if steer else move)


def blind(seen: BuyerObservation) -> BuyerObservation:
    """Take the tells out of a position."""
    return msgspec.structs.replace(seen, tells=None)
