"""What some labs could make together from a position on, if they shared blocks as one."""

from collections.abc import Collection
from math import inf

from arena.gpu_market.engine.quantities import LAB_NUMBERS
from arena.gpu_market.engine.state import State
from arena.gpu_market.planner.model import best_plan
from arena.gpu_market.planner.outlook import Ahead, Outlook


def group_value(state: State, members: Collection[str], within_s: float = inf) -> int:
    """Return the value of the best joint plan of some labs, in hundredths of a credit.

    Any member may run its jobs on any block of the others, one job in each of its own turns that
    are left; nobody outside gives or takes anything, and the present lasts. So two groups that
    have no lab in common never make more apart than together.

    Args:
        state: the position.
        members: ids of the labs.
        within_s: seconds that the solver may take, above 0.

    Raises:
        NoPlan: the solver failed.
        TooLong: it has not proved its answer in that time.
    """
    return best_plan(_standing(state, members), within_s).value


def _standing(state: State, members: Collection[str]) -> Outlook:
    labs = sorted(LAB_NUMBERS[member] for member in members)
    blocks = tuple(block for block in state.blocks if block.owner in members)
    return Outlook(
        tuple(
            Ahead(
                number,
                # In this round some have had their turn already.
                {lab: state.jobs[lab] for lab in labs if number > state.round or lab >= state.turn},
                blocks,
            )
            for number in range(state.round, state.scenario.rounds)
        ),
        state.scenario.rules.windows,
    )
