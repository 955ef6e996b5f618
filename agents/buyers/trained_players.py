"""Trained models as policies: whatever checkpoint lies on the disk can be played at once."""

import functools
import multiprocessing
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from agents.backends.local.source import Source, import_libraries
from agents.buyers import steering
from agents.buyers.live import LiveSauda, decide
from agents.buyers.sauda import Sauda
from agents.checkpoints import WEIGHTS, Checkpoint, Known, find_checkpoint, known
from agents.dialects.compact import dialect
from agents.dialects.parsing import Parsed
from agents.text.rounding import as_people_say
from bazaarbatna.bargain.moves import Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.players.guard import guard
from negotiation.policies import Entry

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
        self._made: dict[tuple[Checkpoint, str], Entry] = {}

    def entries(self) -> tuple[Entry, ...]:
        """List a policy for every checkpoint that is here."""
        here = known()
        self._forget_all_but(here)
        return tuple(self._entry(one, one.name) for one in here.checkpoints)

    def find(self, name: str) -> Entry | None:
        """Look a policy up; the name of a family, as ``sauda-mini``, is its shipped voice."""
        found = known().find(name)
        return None if found is None else self._entry(found, name)

    def _entry(self, checkpoint: Checkpoint, name: str) -> Entry:
        key = (checkpoint, name)
        if key not in self._made:
            self._made[key] = Entry(
                name=name,
                version=checkpoint.version.replace(checkpoint.name, name, 1),
                kind="model",
                title=checkpoint.card.title,
                backend=BACKEND,
                make=functools.partial(TrainedPlayer, checkpoint),
                live=LiveSauda(self._stand_in, (BACKEND,), name),
                voice=checkpoint.card.stage != UNTAUGHT,
            )
        return self._made[key]

    def _forget_all_but(self, here: Known) -> None:
        for key in list(self._made):
            if key[0] not in here.checkpoints:
                self._made.pop(key, None)


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
        return _entry(checkpoint, name, arm)


@functools.lru_cache(maxsize=32)
def _entry(checkpoint: Checkpoint, name: str, arm: Arm) -> Entry:
    return Entry(
        name=name,
        version=checkpoint.version.replace(checkpoint.name, name, 1),
        kind="model",
        title=f"{checkpoint.card.title}, {arm.words}",
        backend=BACKEND,
        make=functools.partial(TrainedPlayer, checkpoint, tells=arm.tells, steer=arm.steer),
    )
