"""What strikes the market between two rounds. The schedule is sealed; what struck is public."""

from collections.abc import Callable

import msgspec

from arena.gpu_market.engine.blocks import Block, hours_left
from arena.gpu_market.engine.coalitions import Coalition
from arena.gpu_market.engine.events import JobsChanged, PromiseBroken, ShockStruck
from arena.gpu_market.engine.having import put
from arena.gpu_market.engine.pooling import store
from arena.gpu_market.engine.quantities import (
    BLOCK_IDS,
    COALITION_NUMBERS,
    LAB_IDS,
    LAB_NUMBERS,
    Cents,
)
from arena.gpu_market.engine.scenario import HOUSE, Shock
from arena.gpu_market.engine.state import Draft
from arena.gpu_market.engine.tasks import ShockKind

SPIKE = 1.25
"""Energy of live blocks costs so many times as much."""
DEGRADATION, LEAST_RELIABILITY = 0.12, 0.5


def strike(draft: Draft) -> None:
    """Let everything strike that is due in the round that begins."""
    for shock in draft.scenario.sealed.shocks:
        if shock.round == draft.round:
            # Announced before what follows from it, with the blocks as they are afterwards.
            at = len(draft.events)
            touched = EFFECTS[shock.kind](draft, shock)
            event = ShockStruck(draft.round, shock.kind, tuple(touched))
            draft.shocks.append(event)
            draft.events.insert(at, event)


def _capacity_failure(draft: Draft, shock: Shock) -> list[Block]:
    live = _live(draft)
    if not live:
        return []
    hit = live[int(shock.pick * len(live))]
    failed = msgspec.structs.replace(hit, status="failed")
    put(draft, failed)
    if hit.pool:
        _excuse(draft, hit, draft.coalitions[COALITION_NUMBERS[hit.pool]])
    return [failed]


def _excuse(draft: Draft, block: Block, coalition: Coalition) -> None:
    """A promise that a failure made impossible is no breach."""
    if coalition.breach == "none":
        store(draft, msgspec.structs.replace(coalition, breach="excused"))
    draft.count(LAB_NUMBERS[block.owner], excused=1)
    draft.events.append(
        PromiseBroken(block.owner, draft.round, (block.id,), coalition.id, excused=True)
    )


def _energy_spike(draft: Draft, shock: Shock) -> list[Block]:
    return _change_live(
        draft,
        lambda block: msgspec.structs.replace(block, energy=Cents(int(block.energy * SPIKE + 0.5))),
    )


def _reliability_degradation(draft: Draft, shock: Shock) -> list[Block]:
    return _change_live(
        draft,
        lambda block: msgspec.structs.replace(
            block, reliability=round(max(block.reliability - DEGRADATION, LEAST_RELIABILITY), 2)
        ),
    )


def _change_live(draft: Draft, change: Callable[[Block], Block]) -> list[Block]:
    changed = [change(block) for block in _live(draft)]
    for block in changed:
        put(draft, block)
    return changed


def _demand_surge(draft: Draft, shock: Shock) -> list[Block]:
    for lab, job in enumerate(draft.scenario.sealed.surge):
        draft.jobs[lab] = (*draft.jobs[lab], job)
        draft.events.append(JobsChanged(LAB_IDS[lab], draft.round, (job,)))
    return []


def _deadline_acceleration(draft: Draft, shock: Shock) -> list[Block]:
    """Open jobs are due a round earlier, though never before the next one."""
    for lab, jobs in enumerate(draft.jobs):
        moved = tuple(
            job
            if job.done or job.deadline <= draft.round + 1
            else msgspec.structs.replace(job, deadline=job.deadline - 1)
            for job in jobs
        )
        if moved != jobs:
            draft.jobs[lab] = moved
            changed = tuple(job for job, old in zip(moved, jobs, strict=True) if job != old)
            draft.events.append(JobsChanged(LAB_IDS[lab], draft.round, changed))
    return []


def _sudden_supply(draft: Draft, shock: Shock) -> list[Block]:
    """A new block goes to the lab that has the fewest GPU-hours left."""
    supply = [0] * len(draft.budgets)
    for block in draft.blocks:
        if block.owner != HOUSE:
            supply[LAB_NUMBERS[block.owner]] += hours_left(
                block, draft.round, windows=draft.windows
            )
    return _bring(draft, shock, LAB_IDS[supply.index(min(supply))])


def _emergency_auction(draft: Draft, shock: Shock) -> list[Block]:
    """A new block is for sale in this round, to whoever bids most."""
    return _bring(draft, shock, HOUSE)


def _bring(draft: Draft, shock: Shock, owner: str) -> list[Block]:
    sealed = draft.scenario.sealed
    arrivals = [one for one in sealed.shocks if one.kind in ("sudden_supply", "emergency_auction")]
    block = sealed.spare[arrivals.index(shock)]
    arrived = msgspec.structs.replace(block, id=BLOCK_IDS[len(draft.blocks)], owner=owner)
    draft.blocks.append(arrived)
    return [arrived]


def _live(draft: Draft) -> list[Block]:
    """Blocks that can still deliver something."""
    return [
        block for block in draft.blocks if hours_left(block, draft.round, windows=draft.windows)
    ]


EFFECTS: dict[ShockKind, Callable[[Draft, Shock], list[Block]]] = {
    "capacity_failure": _capacity_failure,
    "energy_spike": _energy_spike,
    "reliability_degradation": _reliability_degradation,
    "demand_surge": _demand_surge,
    "sudden_supply": _sudden_supply,
    "deadline_acceleration": _deadline_acceleration,
    "emergency_auction": _emergency_auction,
}
