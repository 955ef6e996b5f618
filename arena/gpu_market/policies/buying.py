"""How the expert answers offers and buys the one block that helps most."""

from arena.gpu_market.engine.actions import MarketAction
from arena.gpu_market.engine.agreements import Offer
from arena.gpu_market.engine.archetypes import (
    MONEY,
    PRICE_OF_BLOCK,
    WORTH_OF_BLOCK,
    perceived_value,
)
from arena.gpu_market.engine.blocks import Block
from arena.gpu_market.engine.observe import Observation
from arena.gpu_market.engine.planning import Fill, plan, plan_value
from arena.gpu_market.engine.quantities import Cents
from arena.gpu_market.policies.helping import helps, spare_blocks
from arena.gpu_market.policies.views import (
    blocks_named,
    has_worth,
    open_jobs,
    tradeable_blocks,
    usable_blocks,
)

FIRST_BID, STEP, LAST_BID = 0.36, 0.15, 0.8
"""How an offer must look to the other side: first try, raise after a refusal, and the most."""
MOST_GIVEN = 2
WORTH_A_TURN = 300
"""A trade must bring more than this, in hundredths of a credit."""
FAIR_WORDS = "A fair trade for both of us; together we waste fewer hours."


def best_answer(seen: Observation, fills: tuple[Fill, ...]) -> MarketAction | None:
    """Accept the offer that adds most to the plan, if one adds enough."""
    now, best, most = plan_value(fills), None, WORTH_A_TURN
    for offer in seen.offers_to_me:
        gain = _value_after(seen, offer) - now + offer.payment
        if gain > most:
            best, most = offer, gain
    return MarketAction("accept_offer", offer_id=best.id) if best else None


def _value_after(seen: Observation, offer: Offer) -> int:
    """What the plan would be worth after an offer; very little if it can no longer be kept."""
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
    """What must be paid on top of ``given`` blocks for one block, in hundredths of a credit."""
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
    """Guess what a lab asks for: a step more than what it has refused."""
    refused = [
        perceived_value(offer)
        for offer in seen.offers
        if offer.target == lab and offer.sender == seen.lab and offer.status == "rejected"
    ]
    return max([FIRST_BID, *(value + STEP for value in refused)])
