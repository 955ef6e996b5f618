"""What one lab may see: the only way from a position to a policy.

Of private numbers everybody may know a band: low, medium or high.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from bazaarbatna.market.blocks import Block, Coalition, Contract, Job, Offer, hours_left
from bazaarbatna.market.events import Said, ShockStruck
from bazaarbatna.market.quantities import LAB_IDS, Cents, LabId
from bazaarbatna.market.scenario import TaskName
from bazaarbatna.market.state import ActionResult, State

Band = Literal["low", "medium", "high"]

BUDGET_BANDS = (6000, 11500)
"""Budgets from here on are medium and high, in hundredths of a credit."""
DEMAND_BANDS = (0.7, 1.4)
"""Open need over own live supply."""
PRESSURE_BANDS = (0.8, 1.5)
"""Open need of all labs over all live supply."""


def budget_band(budget: Cents) -> Band:
    """Name a budget's band.

    >>> budget_band(Cents(11499))
    'medium'
    """
    low, high = BUDGET_BANDS
    return "low" if budget < low else "medium" if budget < high else "high"


def ratio_band(need: int, supply: int, bounds: tuple[float, float]) -> Band:
    """Name the band of need over supply, both in GPU-hours; need without supply is high.

    >>> ratio_band(7, 10, DEMAND_BANDS)
    'medium'
    """
    if not need:
        return "low"
    low, high = bounds
    return "low" if need < low * supply else "medium" if need < high * supply else "high"


def open_need(jobs: Sequence[Job]) -> int:
    """Add up the GPU-hours of open jobs."""
    return sum([job.hours for job in jobs if not job.done])


def live_supply(
    blocks: Sequence[Block], labs: Sequence[str], round_: int, *, windows: bool
) -> list[int]:
    """Add up the GPU-hours that each lab's blocks can still deliver: one number per lab."""
    hours = dict.fromkeys(labs, 0)
    for block in blocks:
        if block.owner in hours:
            hours[block.owner] += hours_left(block, round_, windows=windows)
    return list(hours.values())


REMEMBERED_MESSAGES = 20


class LabSeen(msgspec.Struct, frozen=True, gc=False):
    """A lab as everybody sees it."""

    id: LabId
    name: str
    reputation: float
    budget: Band
    demand: Band
    finished: bool


class Observation(msgspec.Struct, frozen=True, gc=False):
    """One lab's view. Money in hundredths of a credit.

    ``round`` counts from 0; ``windows`` says that start and duration of blocks count; ``jobs`` are
    the own ones, finished too; ``labs`` stand in the order of turns; ``pressure`` is need of all
    over live supply; ``offers`` are those from and to this lab; contracts have payments where they
    are its own; ``messages`` are the last ones it said or could hear; ``last_result`` is None
    before its first action; ``done``: the episode has ended, or this lab has finished.
    """

    task: TaskName
    lab: LabId
    round: int
    rounds: int
    windows: bool
    coalitions_enabled: bool
    budget: Cents
    jobs: tuple[Job, ...]
    labs: tuple[LabSeen, ...]
    pressure: Band
    blocks: tuple[Block, ...]
    offers: tuple[Offer, ...]
    contracts: tuple[Contract, ...]
    coalitions: tuple[Coalition, ...]
    messages: tuple[Said, ...]
    shocks: tuple[ShockStruck, ...]
    last_result: ActionResult | None
    done: bool

    @property
    def own_blocks(self) -> tuple[Block, ...]:
        """The blocks of this lab."""
        return tuple([block for block in self.blocks if block.owner == self.lab])

    @property
    def offers_to_me(self) -> tuple[Offer, ...]:
        """Open offers that this lab may answer."""
        me = self.lab
        return tuple(
            [offer for offer in self.offers if offer.status == "open" and offer.target == me]
        )


def observe(state: State, lab: int) -> Observation:
    """Show the position to one lab: nobody else's jobs, money, character or private words."""
    scenario, me = state.scenario, LAB_IDS[lab]
    windows = scenario.rules.windows
    names = LAB_IDS[: len(state.budgets)]
    supply = live_supply(state.blocks, names, state.round, windows=windows)
    need = [open_need(jobs) for jobs in state.jobs]
    labs = [
        LabSeen(
            card.id,
            card.name,
            state.reputations[number],
            budget_band(state.budgets[number]),
            ratio_band(need[number], supply[number], DEMAND_BANDS),
            state.left[number],
        )
        for number, card in enumerate(scenario.labs)
    ]
    return Observation(
        scenario.task,
        me,
        state.round,
        scenario.rounds,
        windows,
        scenario.coalitions,
        state.budgets[lab],
        state.jobs[lab],
        tuple(labs),
        ratio_band(sum(need), sum(supply), PRESSURE_BANDS),
        state.blocks,
        tuple([offer for offer in state.offers if me in (offer.sender, offer.target)]),
        tuple([_contract(one, me) for one in state.contracts]),
        state.coalitions,
        _heard(state.said, me),
        state.shocks,
        state.results[lab],
        state.ended is not None or state.left[lab],
    )


def _contract(contract: Contract, me: LabId) -> Contract:
    if me in (contract.sender, contract.target):
        return contract
    return msgspec.structs.replace(contract, payment=None)


def _heard(said: tuple[Said, ...], me: LabId) -> tuple[Said, ...]:
    if not said:
        return ()
    concern = [one for one in said if not one.to or me in (one.to, one.lab)]
    return tuple(concern[-REMEMBERED_MESSAGES:])
