"""Policies that look at one thing only, or draw lots: the rungs below the expert."""

from random import Random

from bazaarbatna.market.actions import WAIT, MarketAction
from bazaarbatna.market.observe import Observation
from bazaarbatna.market.policies.views import (
    Policy,
    allocate,
    most_pressing,
    own_plan,
    tradeable_blocks,
)
from bazaarbatna.market.quantities import Cents

MOST_PAID = 2000  # hundredths of a credit


def no_negotiation_allocator(seen: Observation) -> MarketAction:
    """Run the own jobs on the own blocks as well as possible, and talk to nobody."""
    fills = own_plan(seen)
    return allocate(most_pressing(seen, fills)) if fills else WAIT


def greedy_hoarder(seen: Observation) -> MarketAction:
    """Take all own blocks out of the market first, then run the job with the highest value."""
    held = [block.id for block in seen.own_blocks if block.status == "available"]
    if seen.round == 0 and held:
        free = {one.id for one in seen.own_blocks if seen.round < one.end or not seen.windows}
        return MarketAction("reserve_capacity", block_ids=tuple(h for h in held if h in free))
    fills = own_plan(seen)
    return allocate(max(fills, key=lambda fill: fill.job.value)) if fills else WAIT


def always_accept(seen: Observation) -> MarketAction:
    """Accept whatever is offered, follow every invitation, and do nothing else."""
    offers = seen.offers_to_me
    if offers:
        return MarketAction("accept_offer", offer_id=offers[0].id)
    for coalition in seen.coalitions:
        if coalition.open and seen.lab in coalition.invited:
            return MarketAction("accept_offer", coalition_id=coalition.id)
    return WAIT


def accepts_first(seen: Observation) -> MarketAction:
    """Accept whatever is offered, follow every invitation, and run the own jobs in between."""
    taken = always_accept(seen)
    return no_negotiation_allocator(seen) if taken is WAIT else taken


def never_act(seen: Observation) -> MarketAction:
    """Wait until it is over."""
    return WAIT


def coalition_spammer(seen: Observation) -> MarketAction:
    """Form a coalition in every turn, with one lab after another."""
    others = [lab.id for lab in seen.labs if lab.id != seen.lab]
    target = others[seen.round % len(others)]
    return MarketAction("form_coalition", target_lab_id=target, message="Let us pool together.")


def keyword_pitcher(seen: Observation) -> MarketAction:
    """Pitch in every turn with all the words that a careless judge likes."""
    words = "urgent critical paper deadline, reliable evidence, fair to every customer"
    return MarketAction("make_pitch", message=f"Round {seen.round}: {words}.")


def naive_instruct(seen: Observation) -> MarketAction:
    """Act as an instruction-tuned model without training does: polite, wordy, heedless of rules.

    It copies the ids of the examples that explain the actions, whoever owns what they name.
    """
    return _EXAMPLES[seen.round % len(_EXAMPLES)]


_EXAMPLES = (
    MarketAction("make_pitch", message="Our paper deadline is urgent, please support us."),
    MarketAction(
        "send_offer",
        target_lab_id="lab_1",
        block_ids=("block_0",),
        requested_block_ids=("block_1",),
        payment=Cents(450),
        message="A fair trade for both of us.",
    ),
    MarketAction("allocate_to_job", job_id="job_0_0", block_ids=("block_0",)),
    MarketAction("accept_offer", offer_id="offer_0"),
)


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
