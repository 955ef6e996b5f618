"""What happens between two rounds, and at the end."""

from arena.gpu_market.engine.auction import close_auction
from arena.gpu_market.engine.events import Ended, RoundBegan, Settled
from arena.gpu_market.engine.pooling import end_coalition
from arena.gpu_market.engine.quantities import LAB_IDS, LAB_NUMBERS
from arena.gpu_market.engine.running import break_promise
from arena.gpu_market.engine.scenario import HOUSE
from arena.gpu_market.engine.shocks import strike
from arena.gpu_market.engine.state import Draft
from arena.gpu_market.engine.trading import close_offer


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
    """Close what is open, ask whether contracts were kept, and count."""
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
