"""The rule expert: runs what would be lost, takes trades that pay, and gets what its jobs lack."""

from arena.gpu_market.engine.actions import WAIT, MarketAction
from arena.gpu_market.engine.observe import Observation
from arena.gpu_market.engine.planning import Fill
from arena.gpu_market.policies.buying import best_answer, best_purchase
from arena.gpu_market.policies.joining import best_invitation, use_of_pool
from arena.gpu_market.policies.views import allocate, most_pressing, own_plan


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
