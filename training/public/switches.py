"""The ablation: one trained buyer with its switches on and off, on the same games."""

import msgspec

from agents.buyers.trained_players import split_arm
from training.ablations import SWITCHES
from training.evaluation.published import ABLATION, newest
from training.public.board import FINE, Board, Gap, board_of, gaps


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
    """Give the newest published ablation, None while there is none."""
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
