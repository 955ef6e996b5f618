"""What reading tells and being steered by them change: one buyer, four arms, the same games."""

import msgspec

from agents.buyers.trained_players import ARMS, Arm, split_arm
from negotiation.policies import Entry, UnknownPolicy, policy
from training.evaluation.errors import BadPlan


class Switch(msgspec.Struct, frozen=True):
    """One switch, and the words for where the other one stands (off, on)."""

    name: str
    title: str
    words: tuple[str, str]

    def arm(self, on: bool, other: bool) -> Arm:
        """Give the arm with this switch on or off, and the other one."""
        return Arm(tells=on, steer=other) if self.name == "tells" else Arm(tells=other, steer=on)

    def beside(self, other: bool) -> str:
        """Say where the other switch stands."""
        return self.words[other]


SWITCHES: tuple[Switch, ...] = (
    Switch("tells", "Reading tells", ("not steered", "steered")),
    Switch("steer", "Steering", ("blind to tells", "reading tells")),
)


def arms_of(name: str) -> list[Entry]:
    """Look up the four arms of a buyer.

    Args:
        name: of a trained buyer; an ending is ignored.

    Raises:
        BadPlan: it has none.
    """
    buyer, _ = split_arm(name)
    try:
        return [policy(f"{buyer}{arm.ending}") for arm in ARMS]
    except UnknownPolicy:
        raise BadPlan(
            f"{name[:60]!r} has no switches; trained buyers have them, for example sauda-mini."
        ) from None
