"""The arms of the ablation: a trained buyer told of tells or not, steered by them or not.

An arm is a policy of its own, named after the buyer: ``sauda-mini-tells+steer`` is not told what
the seller lets notice, and its moves are bent all the same. A buyer without an ending plays as its
checkpoint says. Arms can be asked for by name and are listed nowhere.
"""

import functools

import msgspec

from agents.buyers.trained_player import TrainedPlayer
from agents.checkpoints import Checkpoint
from agents.known_checkpoints import find_checkpoint
from negotiation.policies import Entry

TELLS, STEER = {True: "+tells", False: "-tells"}, {True: "+steer", False: "-steer"}
WORDS = {True: "told of tells", False: "blind"}, {True: "steered", False: "unsteered"}
BACKEND = "local"


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
