"""What may be done now, by all that a lab sees: masks of the action space."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from arena.gpu_market.engine import ACTION_NAMES, ActionName, Observation
from arena.gpu_market.engine.blocks import Block, hours_left
from arena.gpu_market.engine.quantities import BLOCK_NUMBERS, LAB_NUMBERS
from arena.gpu_market.engine.scenario import HOUSE
from arena.gpu_market.environment.places import coalitions_shown, offers_shown
from arena.gpu_market.environment.spaces import (
    COALITION_PLACES,
    MOST_BLOCKS,
    MOST_JOBS,
    OFFER_PLACES,
    PHRASES,
    TARGETS,
    Numbers,
)

EITHER = 2
"""A flag that may be set: what ``MultiBinary.sample`` takes for it."""

ALWAYS = ("make_pitch", "counter_pitch", "send_message", "wait", "finish")


def possible_actions(seen: Observation) -> list[ActionName]:
    """Name the actions that the rules can allow now, each with some fields."""
    if seen.done:
        return []
    live = [block for block in seen.blocks if _is_free(block, seen)]
    mine = any(block.owner == seen.lab for block in live)
    tradeable = any(block.is_tradeable for block in live)
    pools = [one for one in seen.coalitions if one.open]
    asked = any(seen.lab in one.invited for one in pools)
    offered = bool(seen.offers_to_me)
    held = any(block.status in ("reserved", "committed") for block in seen.own_blocks)
    allowed = {
        "send_offer": tradeable,
        "accept_offer": offered or asked,
        "reject_offer": offered or asked,
        "counter_offer": offered and tradeable,
        "reserve_capacity": mine,
        "release_capacity": held,
        "form_coalition": seen.coalitions_enabled,
        "commit_to_coalition": mine and any(seen.lab in one.members for one in pools),
        "allocate_to_job": bool(usable_blocks(seen)) and any(not job.done for job in seen.jobs),
        **dict.fromkeys(ALWAYS, True),
    }
    return [name for name in ACTION_NAMES if allowed[name]]


def usable_blocks(seen: Observation) -> list[Block]:
    """Name the blocks that the lab could give to a job: its own, and what its coalitions pool."""
    pools = {one.id for one in seen.coalitions if one.open and seen.lab in one.members}
    return [
        block
        for block in seen.blocks
        if block.is_live
        and hours_left(block, seen.round, windows=seen.windows)
        and (block.owner == seen.lab or (seen.windows and block.pool in pools))
    ]


def action_mask(seen: Observation) -> Numbers:
    """Flag what may be chosen under each key, in the form that ``sample`` of the space takes.

    Each key by itself: a payment, a block and a job that are all possible may not fit together.
    """
    offers, coalitions = offers_shown(seen), coalitions_shown(seen)
    free = [block for block in seen.blocks if _is_free(block, seen)]
    own = [*usable_blocks(seen), *(block for block in seen.own_blocks if block.is_live)]
    others = [block for block in free if block.owner != seen.lab and block.is_tradeable]
    possible = possible_actions(seen) or ["wait"]
    labs = [LAB_NUMBERS[lab.id] for lab in seen.labs if lab.id != seen.lab]
    house = [TARGETS.index(HOUSE)] if any(block.owner == HOUSE for block in free) else []
    return {
        "action": _places(
            [ACTION_NAMES.index(name) for name in possible],
            len(ACTION_NAMES),
        ),
        "target": _places([*labs, *house, len(TARGETS) - 1], len(TARGETS)),
        "offer": _places(
            [row for row, offer in enumerate(offers) if offer.target == seen.lab] or [0],
            OFFER_PLACES,
        ),
        "coalition": _places([*range(len(coalitions)), COALITION_PLACES], COALITION_PLACES + 1),
        "job": _places(
            [row for row, job in enumerate(seen.jobs) if not job.done] or [0], MOST_JOBS
        ),
        "blocks": EITHER * _places([BLOCK_NUMBERS[block.id] for block in own], MOST_BLOCKS),
        "requested": EITHER * _places([BLOCK_NUMBERS[block.id] for block in others], MOST_BLOCKS),
        "payment": None,
        "phrase": np.ones(len(PHRASES), np.int8),
        "conditions": np.full(4, EITHER, np.int8),
    }


def _is_free(block: Block, seen: Observation) -> bool:
    return block.status == "available" and bool(hours_left(block, seen.round, windows=seen.windows))


def _places(allowed: Iterable[int], count: int) -> npt.NDArray[np.int8]:
    mask = np.zeros(count, np.int8)
    mask[[*allowed]] = 1
    return mask
