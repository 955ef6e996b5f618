"""What a planner reckons with: the jobs and blocks of every round that is still to come.

A lab that plays knows only the present, and reckons that it lasts. Whoever has the scenario knows
what will strike, and when.
"""

from collections.abc import Sequence

import msgspec

from bazaarbatna.market.blocks import Block, Job
from bazaarbatna.market.episode import start
from bazaarbatna.market.rounds import strike
from bazaarbatna.market.scenario import MarketScenario
from bazaarbatna.market.state import thaw


class Ahead(msgspec.Struct, frozen=True, gc=False):
    """One round: the jobs of each lab that plans (``lab -> jobs``), and the blocks they may use."""

    round: int
    jobs: dict[int, Sequence[Job]]
    blocks: Sequence[Block]


class Outlook(msgspec.Struct, frozen=True, gc=False):
    """The rounds to come, in order; ``windows``: start and duration of blocks count."""

    rounds: tuple[Ahead, ...]
    windows: bool = True


def lasting(
    jobs: Sequence[Job],
    blocks: Sequence[Block],
    round_: int,
    rounds: int,
    *,
    lab: int = 0,
    windows: bool = True,
) -> Outlook:
    """Reckon that everything stays as it is from ``round_`` on."""
    ahead = tuple(Ahead(number, {lab: jobs}, blocks) for number in range(round_, rounds))
    return Outlook(ahead, windows)


def in_hindsight(scenario: MarketScenario, labs: Sequence[int]) -> Outlook:
    """Reckon with every shock that will strike, and with all blocks of the market.

    A capacity failure is left out: which block it hits depends on what has been used up by then,
    and a lab that knew could see to it that it hits one that nobody needs.
    """
    sealed = scenario.sealed
    known = tuple(shock for shock in sealed.shocks if shock.kind != "capacity_failure")
    draft = thaw(
        start(
            msgspec.structs.replace(scenario, sealed=msgspec.structs.replace(sealed, shocks=known))
        )[0]
    )
    ahead = []
    for number in range(scenario.rounds):
        draft.round = number
        if number:
            strike(draft)
        ahead.append(Ahead(number, {lab: draft.jobs[lab] for lab in labs}, tuple(draft.blocks)))
    return Outlook(tuple(ahead), draft.windows)


def owned_by(outlook: Outlook, labs: frozenset[str]) -> Outlook:
    """Leave only the blocks that belong to some labs."""
    return Outlook(
        tuple(
            msgspec.structs.replace(
                ahead, blocks=tuple(block for block in ahead.blocks if block.owner in labs)
            )
            for ahead in outlook.rounds
        ),
        outlook.windows,
    )
