"""The rule expert: runs what would be lost, takes trades that pay, and gets what its jobs lack."""

from bazaarbatna.market.actions import WAIT, MarketAction
from bazaarbatna.market.archetypes import (
    MONEY,
    PRICE_OF_BLOCK,
    WORTH_OF_BLOCK,
    perceived_value,
)
from bazaarbatna.market.blocks import Block, Offer
from bazaarbatna.market.judging.hearing import pitch_when_idle
from bazaarbatna.market.observe import Observation
from bazaarbatna.market.planning import Fill, plan, plan_value
from bazaarbatna.market.policies.views import (
    allocate,
    blocks_named,
    has_worth,
    helps,
    memberships,
    most_pressing,
    open_jobs,
    own_plan,
    pool_credit,
    spare_blocks,
    tradeable_blocks,
    usable_blocks,
)
from bazaarbatna.market.quantities import Cents

FIRST_BID, STEP, LAST_BID = 0.36, 0.15, 0.8
"""How an offer must look to the other side: first try, raise after a refusal, and the most."""

MOST_GIVEN = 2

WORTH_A_TURN = 300
"""A trade or a pooled block must bring more than this, in hundredths of a credit."""

FAIR_WORDS = "A fair trade for both of us; together we waste fewer hours."

WORTH_ASKING = 1000
"""What a block must promise before its lab is invited: many labs decline, or keep it."""

PURPOSE = "Pool what we would waste: together no block stands idle."


def rule_expert(seen: Observation) -> MarketAction:
    """Decide by the own plan, the offers on the table and what the others could spare.

    In this order: run what the last turns are needed for, or what loses hours by waiting; take
    the offer that adds most; use a pool; ask others for what is missing; run the rest; wait.
    """
    fills = own_plan(seen)
    turns = seen.rounds - seen.round
    if fills and (turns <= len(fills) or _loses_by_waiting(seen, fills)):
        return allocate(most_pressing(seen, fills))
    return (
        best_answer(seen, fills)
        or use_of_pool(seen, fills)
        or best_invitation(seen, fills)
        or best_purchase(seen, fills)
        or (allocate(most_pressing(seen, fills)) if fills else WAIT)
    )


def _loses_by_waiting(seen: Observation, fills: tuple[Fill, ...]) -> bool:
    return any(block.start <= seen.round for fill in fills for block in fill.blocks)


def best_answer(seen: Observation, fills: tuple[Fill, ...]) -> MarketAction | None:
    """Accept the offer that adds most to the plan, if one adds enough."""
    now, best, most = plan_value(fills), None, WORTH_A_TURN
    for offer in seen.offers_to_me:
        gain = _value_after(seen, offer) - now + offer.payment
        if gain > most:
            best, most = offer, gain
    return MarketAction("accept_offer", offer_id=best.id) if best else None


def _value_after(seen: Observation, offer: Offer) -> int:
    coming = blocks_named(seen, offer.offered)
    going = blocks_named(seen, offer.requested)
    known = len(coming) + len(going) == len(offer.offered) + len(offer.requested)
    kept = all(one.owner == offer.sender and has_worth(seen, one) for one in coming)
    if offer.conditions or not (
        known and kept and all(one.owner == seen.lab and has_worth(seen, one) for one in going)
    ):
        return -MONEY
    stays = [block for block in usable_blocks(seen) if block.id not in offer.requested]
    return plan_value(plan(open_jobs(seen), [*stays, *coming], seen.round, windows=seen.windows))


def best_purchase(seen: Observation, fills: tuple[Fill, ...]) -> MarketAction | None:
    """Offer spare blocks and money for the one block that helps a job most."""
    waiting = any(one.sender == seen.lab and one.status == "open" for one in seen.offers)
    if waiting or seen.round + 1 >= seen.rounds:
        return None
    spare = spare_blocks(seen, fills)
    best, most = None, WORTH_A_TURN
    for lab in seen.labs:
        bar = _bar_of(seen, lab.id)
        if lab.id == seen.lab or lab.finished or bar > LAST_BID:
            continue
        # The job must still be possible in the next turn, when the block has come.
        for found in helps(seen, fills, spare, tradeable_blocks(seen, lab.id), seen.round + 1):
            given = [block.id for block in spare if block not in found.cover][:MOST_GIVEN]
            payment = _payment(bar, len(given))
            if payment <= seen.budget and found.gain - payment > most:
                best, most = _offer(lab.id, found.block, given, payment), found.gain - payment
    return best


def _payment(bar: float, given: int) -> int:
    return max(int((bar + PRICE_OF_BLOCK - WORTH_OF_BLOCK * given) * MONEY + 1), 0)


def _offer(lab: str, wanted: Block, given: list[str], payment: int) -> MarketAction:
    return MarketAction(
        "send_offer",
        target_lab_id=lab,
        block_ids=tuple(given),
        requested_block_ids=(wanted.id,),
        payment=Cents(payment),
        message=FAIR_WORDS,
    )


def _bar_of(seen: Observation, lab: str) -> float:
    refused = [
        perceived_value(offer)
        for offer in seen.offers
        if offer.target == lab and offer.sender == seen.lab and offer.status == "rejected"
    ]
    return max([FIRST_BID, *(value + STEP for value in refused)])


def use_of_pool(seen: Observation, fills: tuple[Fill, ...]) -> MarketAction | None:
    """Run a job with the help of a pooled block; put a spare one in first."""
    for coalition in memberships(seen):
        pooled = [
            block
            for block in seen.blocks
            if block.pool == coalition.id and block.status == "committed"
            if block.owner != seen.lab
        ]
        if not pooled:
            continue
        own = spare_blocks(seen, fills)
        found = [
            one for one in helps(seen, fills, own, pooled, seen.round) if one.gain > WORTH_A_TURN
        ]
        for best in sorted(found, key=lambda one: -one.gain):
            if pool_credit(seen, coalition) > 0:
                return allocate(Fill(best.job, best.cover, best.gain))
            spare = [block for block in own if block not in best.cover]
            if spare:
                return MarketAction(
                    "commit_to_coalition", coalition_id=coalition.id, block_ids=(spare[0].id,)
                )
    return None


def best_invitation(seen: Observation, fills: tuple[Fill, ...]) -> MarketAction | None:
    """Invite the lab whose free blocks would help most, once each."""
    use = seen.round + 1
    if not seen.coalitions_enabled or use >= seen.rounds:
        return None
    spare = spare_blocks(seen, fills)
    if not spare:
        return None
    asked = {offer for one in seen.coalitions for offer in (*one.members, *one.invited)}
    tried = sum(one.founder == seen.lab for one in seen.coalitions)
    best, gift, most = "", "", WORTH_ASKING
    for lab in seen.labs:
        if lab.id == seen.lab or lab.finished or lab.id in asked:
            continue
        for found in helps(seen, fills, spare, tradeable_blocks(seen, lab.id), use):
            gifts = [block.id for block in spare if block not in found.cover]
            if gifts and found.gain > most:
                best, gift, most = lab.id, gifts[0], found.gain
    if not best or tried >= len(seen.labs):
        return None
    running = next((one for one in memberships(seen) if one.expires > use), None)
    has_credit = running is not None and pool_credit(seen, running) > 0
    return MarketAction(
        "form_coalition",
        target_lab_id=best,
        coalition_id=running.id if running else "",
        block_ids=() if has_credit else (gift,),
        message=PURPOSE,
    )


def pitching_expert(seen: Observation) -> MarketAction:
    """Pitch the first job as the market opens, and what is new in idle turns; else work."""
    work = rule_expert(seen)
    return pitch_when_idle(seen) if seen.round == 0 or work.action == "wait" else work
