"""A policy that draws lots among actions that are likely to be valid."""

from random import Random

from arena.gpu_market.engine.actions import WAIT, MarketAction
from arena.gpu_market.engine.observe import Observation
from arena.gpu_market.engine.quantities import Cents
from arena.gpu_market.policies.views import (
    Policy,
    allocate,
    own_plan,
    tradeable_blocks,
)

MOST_PAID = 2000
"""Hundredths of a credit."""


def random_valid(seed: int) -> Policy:
    """Make a player that draws one of the actions that the rules allow it now."""
    rng = Random(seed)

    def act(seen: Observation) -> MarketAction:
        choices = [WAIT, *_answers(seen), *_uses(seen, rng), *_approaches(seen, rng)]
        return choices[int(rng.random() * len(choices))]

    return act


def _answers(seen: Observation) -> list[MarketAction]:
    found = [MarketAction("reject_offer", offer_id=offer.id) for offer in seen.offers_to_me]
    mine = {block.id for block in tradeable_blocks(seen, seen.lab)}
    for offer in seen.offers_to_me:
        theirs = {block.id for block in tradeable_blocks(seen, offer.sender)}
        if mine.issuperset(offer.requested) and theirs.issuperset(offer.offered):
            found.append(MarketAction("accept_offer", offer_id=offer.id))
    for coalition in seen.coalitions:
        if coalition.open and seen.lab in coalition.invited:
            found.append(MarketAction("accept_offer", coalition_id=coalition.id))
            found.append(MarketAction("reject_offer", coalition_id=coalition.id))
    return found


def _uses(seen: Observation, rng: Random) -> list[MarketAction]:
    found = [allocate(fill) for fill in own_plan(seen)]
    free = tradeable_blocks(seen, seen.lab)
    if free:
        one = (free[int(rng.random() * len(free))].id,)
        found.append(MarketAction("reserve_capacity", block_ids=one))
        found += [
            MarketAction("commit_to_coalition", coalition_id=coalition.id, block_ids=one)
            for coalition in seen.coalitions
            if coalition.open and seen.lab in coalition.members
        ]
    found += [
        MarketAction("release_capacity", block_ids=(block.id,))
        for block in seen.own_blocks
        if block.status in ("reserved", "committed")
    ]
    return found


def _approaches(seen: Observation, rng: Random) -> list[MarketAction]:
    others = [lab.id for lab in seen.labs if lab.id != seen.lab]
    other = others[int(rng.random() * len(others))]
    found = [
        MarketAction("send_message", target_lab_id=other, message="What would you take?"),
        MarketAction("make_pitch", message="We can use these hours at once."),
    ]
    if seen.coalitions_enabled:
        found.append(MarketAction("form_coalition", target_lab_id=other, message="Pool with us."))
    mine, theirs = tradeable_blocks(seen, seen.lab), tradeable_blocks(seen, other)
    if mine and theirs:
        payment = Cents(min(int(rng.random() * MOST_PAID), seen.budget))
        found.append(
            MarketAction(
                "send_offer",
                target_lab_id=other,
                block_ids=(mine[int(rng.random() * len(mine))].id,),
                requested_block_ids=(theirs[int(rng.random() * len(theirs))].id,),
                payment=payment,
            )
        )
    return found
