"""Trained models as policies: whatever checkpoint lies on the disk can be played at once."""

import functools
from collections.abc import Callable, Sequence

import msgspec

from agents.buyers.live import LiveSauda, decide
from agents.buyers.sauda import Sauda
from agents.buyers.trained import BATCH, TrainedBuyer
from agents.checkpoints import WEIGHTS, Checkpoint, find_checkpoint, known
from agents.text.rounding import as_people_say
from bazaarbatna.bargain.moves import Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation
from negotiation.policies import Entry

LIGHT_BYTES = 200_000_000


class TrainedPlayer:
    """The plain form of a trained policy; nothing is loaded before its first move."""

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


BACKEND = "local"

UNTAUGHT = "base"
"""Stage of a model that only learned to write; no company for a seller."""


class TrainedPolicies:
    """The source of these policies."""

    def __init__(self, stand_in: Callable[[], Entry]) -> None:
        self._stand_in = stand_in

    def entries(self) -> tuple[Entry, ...]:
        """List a policy for every checkpoint that is here."""
        return tuple(_entry(one, one.name, self._stand_in) for one in known().checkpoints)

    def find(self, name: str) -> Entry | None:
        """Look a policy up; the name of a family, as ``sauda-mini``, is its shipped voice."""
        found = known().find(name)
        return None if found is None else _entry(found, name, self._stand_in)


@functools.lru_cache(maxsize=64)
def _entry(checkpoint: Checkpoint, name: str, stand_in: Callable[[], Entry]) -> Entry:
    return Entry(
        name=name,
        version=checkpoint.version.replace(checkpoint.name, name, 1),
        kind="model",
        title=checkpoint.card.title,
        backend=BACKEND,
        make=functools.partial(TrainedPlayer, checkpoint),
        live=LiveSauda(stand_in, (BACKEND,), name),
        voice=checkpoint.card.stage != UNTAUGHT,
    )


TELLS, STEER = {True: "+tells", False: "-tells"}, {True: "+steer", False: "-steer"}
WORDS = {True: "told of tells", False: "blind"}, {True: "steered", False: "unsteered"}


class Arm(msgspec.Struct, frozen=True):
    """Both switches."""

    tells: bool
    steer: bool

    @property
    def ending(self) -> str:
        """What an arm's name has behind the buyer's.

        >>> Arm(tells=False, steer=True).ending
        '-tells+steer'
        """
        return TELLS[self.tells] + STEER[self.steer]

    @property
    def words(self) -> str:
        """Say how it plays.

        >>> Arm(tells=False, steer=True).words
        'blind, steered'
        """
        return f"{WORDS[0][self.tells]}, {WORDS[1][self.steer]}"


ARMS = tuple(Arm(tells, steer) for tells in (True, False) for steer in (False, True))


def split_arm(name: str) -> tuple[str, Arm | None]:
    """Take an arm's ending off a policy's name.

    >>> split_arm("sauda-mini+tells-steer")
    ('sauda-mini', Arm(tells=True, steer=False))
    >>> split_arm("sauda-mini:grpo")
    ('sauda-mini:grpo', None)
    """
    for arm in ARMS:
        if name.endswith(arm.ending):
            return name.removesuffix(arm.ending), arm
    return name, None


class ArmPolicies:
    """The source of these policies."""

    def entries(self) -> tuple[Entry, ...]:
        """List none: nobody but an ablation asks for them."""
        return ()

    def find(self, name: str) -> Entry | None:
        """Look an arm up by the name of a checkpoint or its family, and the ending."""
        buyer, arm = split_arm(name)
        checkpoint = None if arm is None else find_checkpoint(buyer)
        if arm is None or checkpoint is None:
            return None
        return Entry(
            name=name,
            version=checkpoint.version.replace(checkpoint.name, name, 1),
            kind="model",
            title=f"{checkpoint.card.title}, {arm.words}",
            backend=BACKEND,
            make=functools.partial(TrainedPlayer, checkpoint, tells=arm.tells, steer=arm.steer),
        )
