"""Coalitions: whom to invite for what it may pool, and when to put in more."""

from arena.gpu_market.engine.actions import MarketAction
from arena.gpu_market.engine.quantities import LAB_NUMBERS
from arena.gpu_market.policies.optimal.dealing import Idea
from arena.gpu_market.policies.optimal.learning import CASTS, WORDS, Belief, join_chance
from arena.gpu_market.policies.optimal.table import Table

SPARED, SMALLEST, OTHER = 0.45, 0.8, 0.05
"""How likely a generous lab pools a block; another one its smallest, and any other."""
WORTH_A_TURN = 200
MOST_GIVEN = 2


def best_invitation(table: Table, belief: Belief) -> Idea | None:
    """Invite the lab from whose pooled blocks most may be expected."""
    seen = table.seen
    if not seen.coalitions_enabled or seen.round + 1 >= seen.rounds:
        return None
    asked = {
        lab
        for one in seen.coalitions
        if one.open and seen.lab in one.members
        for lab in (*one.members, *one.invited)
    }
    running = table.pool if table.pool and table.pool.expires > seen.round + 1 else None
    best: Idea | None = None
    for lab, places in table.foreign.items():
        if lab in asked:
            continue
        promise, wanted = _promise(table, belief, lab, places)
        if promise <= (best.gain if best else WORTH_A_TURN):
            continue
        spare = table.spare(table.best(table.own | wanted))
        gifts = 0 if running and table.credit else sum(spare[:MOST_GIVEN])
        if gifts or (running and table.credit):
            action = MarketAction(
                "form_coalition",
                target_lab_id=lab,
                coalition_id=running.id if running else "",
                block_ids=table.names(gifts),
                message=WORDS,
            )
            best = Idea(promise, action)
    return best


def _promise(table: Table, belief: Belief, lab: str, places: list[int]) -> tuple[float, int]:
    """What a lab's pooled blocks may be expected to add, and the best of them."""
    number = LAB_NUMBERS[lab]
    worth = sorted(((table.gain(1 << place), place) for place in places), reverse=True)
    if not worth or worth[0][0] <= 0:
        return 0.0, 0
    smallest = min(places, key=lambda place: table.blocks[place].hours)
    promise = 0.0
    for weight, cast in zip(belief, CASTS, strict=True):
        manner, none_yet = cast[number], 1.0
        for gain, place in worth:
            if gain <= 0:
                break
            other = SMALLEST if place == smallest else OTHER
            likely = SPARED if manner.generous else other * (1 - manner.betrays)
            promise += weight * none_yet * likely * gain
            none_yet *= 1 - likely
    return promise * join_chance(table.seen, belief, number), 1 << worth[0][1]


def best_commitment(table: Table) -> Idea | None:
    """Put spare blocks into the pool, when what may be taken out for them is worth it."""
    if table.pool is None or not table.pooled:
        return None
    for count in (1, 2):
        plan = table.best(table.own, more_credit=count)
        gain = plan.value - table.later.value
        spare = table.spare(plan)[:count]
        if gain > WORTH_A_TURN and len(spare) == count:
            action = MarketAction(
                "commit_to_coalition",
                coalition_id=table.pool.id,
                block_ids=table.names(sum(spare)),
            )
            return Idea(float(gain), action)
    return None
