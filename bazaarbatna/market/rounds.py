"""What happens between two rounds and at the end: auction, shocks, settling.

In the emergency auction bids are sealed for one round; the highest wins and pays the second
highest. The schedule of shocks is sealed; what struck is public.
"""

from collections.abc import Callable

import msgspec

from bazaarbatna.market.blocks import Block, Coalition, Contract, Offer, hours_left
from bazaarbatna.market.events import (
    Ended,
    JobsChanged,
    PromiseBroken,
    RoundBegan,
    Settled,
    ShockStruck,
    TradeMade,
)
from bazaarbatna.market.quantities import (
    BLOCK_IDS,
    COALITION_NUMBERS,
    LAB_IDS,
    LAB_NUMBERS,
    Cents,
)
from bazaarbatna.market.running import break_promise, end_coalition, store
from bazaarbatna.market.scenario import HOUSE, Shock, ShockKind
from bazaarbatna.market.state import Draft, put
from bazaarbatna.market.trading import close_offer, mark_offer

LEAST_PRICE = Cents(500)


def close_auction(draft: Draft) -> None:
    """Sell what the house has to the best bid; unsold it stays for sale. Ties go to the earlier."""
    for block in draft.blocks[-2:]:
        if block.owner != HOUSE:
            continue
        bids = [
            offer
            for offer in draft.offers
            if offer.status == "open" and offer.target == HOUSE and block.id in offer.requested
        ]
        good = [bid for bid in bids if LEAST_PRICE <= bid.payment <= _budget(draft, bid)]
        good.sort(key=lambda bid: -bid.payment)
        for bid in bids:
            if not good or bid is not good[0]:
                close_offer(draft, bid, "rejected")
        if good:
            _sell(draft, good[0], good[1].payment if len(good) > 1 else LEAST_PRICE)


def _budget(draft: Draft, bid: Offer) -> Cents:
    return draft.budgets[LAB_NUMBERS[bid.sender]]


def _sell(draft: Draft, bid: Offer, price: Cents) -> None:
    winner = LAB_NUMBERS[bid.sender]
    block = next(one for one in draft.blocks if one.id == bid.requested[0])
    put(draft, msgspec.structs.replace(block, owner=bid.sender))
    draft.budgets[winner] = Cents(draft.budgets[winner] - price)
    draft.house = Cents(draft.house + price)
    draft.count(winner, paid=price, trades=1)
    mark_offer(draft, bid, "accepted")
    contract = Contract(bid.id, draft.round, bid.sender, HOUSE, (), (block.id,), (), price)
    draft.contracts.append(contract)
    draft.events.append(TradeMade(contract))


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
    # A promise that a failure made impossible is no breach.
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


def close_round(draft: Draft) -> None:
    """End a round: the next begins, offers expire, shocks strike, commitments are checked."""
    close_auction(draft)
    draft.round += 1
    for offer in draft.offers:
        if offer.status == "open" and draft.round > offer.expires:
            close_offer(draft, offer, "expired")
    if draft.round == draft.scenario.rounds:
        _settle(draft)
        return
    if draft.scenario.sealed.shocks:
        strike(draft)
    for coalition in draft.coalitions:
        if coalition.open and draft.round >= coalition.expires:
            end_coalition(draft, coalition)
    draft.events.append(RoundBegan(draft.round, tuple(draft.reputations)))


def _settle(draft: Draft) -> None:
    for coalition in draft.coalitions:
        if coalition.open:
            end_coalition(draft, coalition)
    for block in draft.blocks:
        if block.terms and "must_allocate_to_job" in block.terms and block.is_live:
            break_promise(draft, LAB_NUMBERS[block.owner], (block.id,))
    for block in draft.blocks:
        if block.status == "reserved" and block.owner != HOUSE:
            draft.count(LAB_NUMBERS[block.owner], idle=1)
    scenario = draft.scenario
    results = tuple(
        Settled(
            LAB_IDS[lab],
            tally.utility,
            tally.finished,
            len(draft.jobs[lab]),
            draft.budgets[lab],
            tally.idle,
        )
        for lab, tally in enumerate(draft.tallies)
    )
    draft.ended = Ended(draft.round, results, scenario.sealed, scenario.salt)
    draft.events.append(draft.ended)
