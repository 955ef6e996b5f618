"""The ablation: one trained buyer with its switches on and off, on the same games."""

import msgspec

from agents.buyers.trained_players import ARMS, Arm, split_arm
from negotiation.policies import Entry, UnknownPolicy, policy
from training.evaluation.errors import BadPlan
from training.evaluation.published import ABLATION, newest
from training.pages.public.board import FINE, Board, Gap, board_of, gaps


class Switch(msgspec.Struct, frozen=True):
    """One switch, and the words for where the other one stands (off, on)."""

    name: str
    title: str
    words: tuple[str, str]

    def arm(self, on: bool, other: bool) -> Arm:
        """Return the arm with this switch on or off, and the other one."""
        return Arm(tells=on, steer=other) if self.name == "tells" else Arm(tells=other, steer=on)

    def beside(self, other: bool) -> str:
        """Return where the other switch stands."""
        return self.words[other]


SWITCHES: tuple[Switch, ...] = (
    Switch("tells", "Reading tells", ("not steered", "steered")),
    Switch("steer", "Steering", ("blind to tells", "reading tells")),
)


class Switched(msgspec.Struct, frozen=True):
    """What one switch changes: on minus off, with the other switch as ``beside`` says."""

    name: str
    title: str
    beside: str
    gap: Gap


class Ablation(msgspec.Struct, frozen=True):
    """The newest published ablation."""

    board: Board
    switched: tuple[Switched, ...]


def ablation() -> Ablation | None:
    """Return the newest published ablation, None while there is none."""
    published = newest(ABLATION)
    board = board_of(published)
    if published is None or board is None:
        return None
    arms = {split_arm(row.policy)[1]: row.policy for row in board.rows}
    places, wanted = [], []
    for switch in SWITCHES:
        for beside in (False, True):
            on, off = arms.get(switch.arm(True, beside)), arms.get(switch.arm(False, beside))
            if on is not None and off is not None:
                places.append((switch.name, switch.title, switch.beside(beside)))
                wanted.append((on, off))
    measured = gaps(published, wanted, FINE)
    if len(measured) < len(places):
        # Where no game was winnable there is nothing to compare.
        return Ablation(board, ())
    found = (Switched(*place, gap) for place, gap in zip(places, measured, strict=True))
    return Ablation(board, tuple(found))


def arms_of(name: str) -> list[Entry]:
    """Look up the four arms of a buyer; ``BadPlan`` where it has none."""
    buyer, _ = split_arm(name)
    try:
        return [policy(f"{buyer}{arm.ending}") for arm in ARMS]
    except UnknownPolicy:
        raise BadPlan(
            f"{name[:60]!r} has no switches; trained buyers have them, for example sauda-mini."
        ) from None
