"""What goes beside the numbers: ``info`` with the masks of actions, and the market as text."""

from collections.abc import Iterable
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from bazaarbatna.envs.market.spaces import (
    COALITION_PLACES,
    MOST_BLOCKS,
    MOST_JOBS,
    OFFER_PLACES,
    PHRASES,
    TARGETS,
    Numbers,
    coalitions_shown,
    offers_shown,
)
from bazaarbatna.envs.market.table import Table
from bazaarbatna.envs.market.views import to_result, to_view
from bazaarbatna.market import ACTION_NAMES, ActionName, Observation, Reward, State
from bazaarbatna.market.blocks import Block, Offer, hours_left
from bazaarbatna.market.quantities import BLOCK_NUMBERS, LAB_NUMBERS, to_credits
from bazaarbatna.market.scenario import HOUSE

NOTHING_PAID = Reward()


def told(table: Table, seen: Observation, columns: Reward, *, words: bool) -> dict[str, Any]:
    """Return what is no number; ``columns`` are of the last reward, ``words`` adds the view."""
    last = seen.last_result
    info: dict[str, Any] = {
        "commitment": table.commitment,
        "action_mask": action_mask(seen),
        "columns": msgspec.structs.asdict(columns),
        "last_action_result": {
            "ok": last is None or last.ok,
            "code": "" if last is None or last.code is None else last.code,
            "message": "" if last is None else last.message,
        },
    }
    hearing = table.heard_by(LAB_NUMBERS[seen.lab])
    info["hearing"] = None if hearing is None else msgspec.to_builtins(hearing)
    if words:
        result = to_result(table.state, table.commitment)
        view = to_view(seen, done=table.is_done, result=result, hearing=hearing)
        info["view"] = msgspec.json.encode(view).decode()
    if table.is_done:
        info["utility"] = _utility(table.state, seen)
    return info


def _utility(state: State, seen: Observation) -> float:
    assert state.ended is not None
    return next(one.utility for one in state.ended.results if one.lab == seen.lab) / 100


def draw(seen: Observation) -> str:
    """Draw a lab's view: who has which blocks, its own jobs, what is on offer."""
    lines = [
        f"{seen.task} | {seen.lab} | round {min(seen.round + 1, seen.rounds)} of {seen.rounds}"
        f" | {to_credits(seen.budget):.2f} credits"
    ]
    for lab in seen.labs:
        blocks = "  ".join(_block(block) for block in seen.blocks if block.owner == lab.id)
        lines.append(f"  {lab.id}  reputation {lab.reputation:.2f}  {blocks}")
    for job in seen.jobs:
        worth = f"{to_credits(int(job.value)):.2f} credits by round {job.deadline}"
        lines.append(f"  {job.id}: {job.hours} hours, {'done' if job.done else worth}")
    lines += [_offer(offer) for offer in seen.offers if offer.status == "open"]
    if seen.last_result is not None and not seen.last_result.ok:
        lines.append(f"  refused: {seen.last_result.code}, {seen.last_result.message}")
    if seen.done:
        lines.append("  over")
    return "\n".join(lines)


def _block(block: Block) -> str:
    return f"{block.id}[{block.start}+{block.duration} x{block.gpus} {block.status}]"


def _offer(offer: Offer) -> str:
    gives = f"{_names(offer.offered)} and {to_credits(offer.payment):.2f}"
    wants = f"{_names(offer.requested)} of {offer.target}"
    return f"  {offer.id}: {offer.sender} gives {gives} for {wants}"


def _names(blocks: tuple[str, ...]) -> str:
    return ", ".join(blocks) or "nothing"


EITHER = 2
"""A flag that may be set: what ``MultiBinary.sample`` takes for it."""

ALWAYS = ("make_pitch", "counter_pitch", "send_message", "wait", "finish")


def possible_actions(seen: Observation) -> list[ActionName]:
    """Return the actions that the rules can allow now, each with some fields."""
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
    """Return the blocks that the lab could give to a job: its own, and what its coalitions pool."""
    pools = {one.id for one in seen.coalitions if one.open and seen.lab in one.members}
    return [
        block
        for block in seen.blocks
        if block.is_live
        and hours_left(block, seen.round, windows=seen.windows)
        and (block.owner == seen.lab or (seen.windows and block.pool in pools))
    ]


def action_mask(seen: Observation) -> Numbers:
    """Return what may be chosen under each key, in the form that ``sample`` of the space takes.

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
