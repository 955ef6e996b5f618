"""A lab's view as numbers."""

import numpy as np
import numpy.typing as npt

from arena.gpu_market.engine import Observation
from arena.gpu_market.engine.agreements import Coalition, Offer
from arena.gpu_market.engine.blocks import CONDITIONS, Block, Job, hours_left
from arena.gpu_market.engine.quantities import BLOCK_NUMBERS, LAB_NUMBERS, MOST_LABS, to_credits
from arena.gpu_market.engine.scenario import SHOCK_KINDS
from arena.gpu_market.env import spaces
from arena.gpu_market.env.spaces import (
    BANDS,
    COALITION_PLACES,
    MOST_BLOCKS,
    MOST_CREDITS,
    MOST_JOBS,
    OFFER_PLACES,
    RESULTS,
    STATUSES,
    Numbers,
    coalitions_shown,
    offers_shown,
)

Row = list[float]


def to_numbers(seen: Observation) -> Numbers:
    """Write a lab's view as numbers: money in credits, rows that hold nothing are 0."""
    offers, coalitions = offers_shown(seen), coalitions_shown(seen)
    last = seen.last_result
    result = None if last is None else last.code or "ok"
    status, terms = np.zeros(MOST_BLOCKS, np.int64), np.zeros((MOST_BLOCKS, 4), np.int8)
    for row, block in enumerate(seen.blocks):
        status[row] = 1 + STATUSES.index(block.status)
        for term in block.terms:
            terms[row, CONDITIONS.index(term)] = 1
    return {
        "clock": _numbers([seen.round / seen.rounds, seen.round, seen.rounds - seen.round]),
        "budget": _numbers([to_credits(seen.budget)]),
        "pressure": np.int64(BANDS.index(seen.pressure)),
        "result": np.int64(RESULTS.index(result)),
        "jobs": _table([_job(job, seen) for job in seen.jobs], MOST_JOBS, spaces.JOB_NUMBERS),
        "labs": _table(_labs(seen), MOST_LABS, spaces.LAB_NUMBERS),
        "blocks": _table(
            [_block(block, seen) for block in seen.blocks], MOST_BLOCKS, spaces.BLOCK_NUMBERS
        ),
        "status": status,
        "terms": terms,
        "offers": _table(
            [_offer(offer, seen) for offer in offers], OFFER_PLACES, spaces.OFFER_NUMBERS
        ),
        "offered": _offered(offers),
        "coalitions": _table(
            [_coalition(one, seen) for one in coalitions],
            COALITION_PLACES,
            spaces.COALITION_NUMBERS,
        ),
        "shocks": _numbers(
            [float(sum(one.shock == kind for one in seen.shocks)) for kind in SHOCK_KINDS]
        ),
        "heard": _numbers(
            [
                float(sum(LAB_NUMBERS[one.lab] == lab for one in seen.messages))
                for lab in range(MOST_LABS)
            ]
        ),
    }


def _job(job: Job, seen: Observation) -> Row:
    return [
        not job.done,
        job.hours,
        job.deadline,
        to_credits(job.base_value),
        job.urgency,
        job.min_reliability,
        job.partial,
        job.deadline - seen.round,
    ]


def _labs(seen: Observation) -> list[Row]:
    return [
        [
            1.0,
            lab.id == seen.lab,
            lab.reputation,
            BANDS.index(lab.budget),
            BANDS.index(lab.demand),
            lab.finished,
        ]
        for lab in seen.labs
    ]


def _block(block: Block, seen: Observation) -> Row:
    pools = {one.id for one in seen.coalitions if seen.lab in one.members}
    return [
        1.0,
        block.owner == seen.lab,
        # The house comes after the labs.
        LAB_NUMBERS.get(block.owner, MOST_LABS),
        block.start,
        block.duration,
        block.gpus,
        hours_left(block, seen.round, windows=seen.windows),
        block.reliability,
        to_credits(block.energy),
        block.pool in pools,
    ]


def _offer(offer: Offer, seen: Observation) -> Row:
    to_me = offer.target == seen.lab
    return [
        1.0,
        to_me,
        LAB_NUMBERS.get(offer.sender if to_me else offer.target, MOST_LABS),
        to_credits(offer.payment),
        len(offer.offered),
        len(offer.requested),
        offer.expires - seen.round,
        len(offer.conditions),
    ]


def _coalition(one: Coalition, seen: Observation) -> Row:
    return [
        1.0,
        seen.lab in one.members,
        seen.lab in one.invited,
        len(one.members),
        one.trust,
        one.expires - seen.round,
        len(one.pledged(seen.lab)),
        sum(len(pledge.blocks) for pledge in one.pledges),
    ]


def _offered(offers: list[Offer]) -> npt.NDArray[np.int8]:
    """One row an offer: 1 for a block that the sender gives, -1 for one that it wants."""
    rows = np.zeros((OFFER_PLACES, MOST_BLOCKS), np.int8)
    for row, offer in enumerate(offers):
        for names, sign in ((offer.offered, 1), (offer.requested, -1)):
            for name in names:
                rows[row, BLOCK_NUMBERS[name]] = sign
    return rows


def _table(rows: list[Row], most: int, columns: list[str]) -> npt.NDArray[np.float32]:
    table = np.zeros((most, len(columns)), np.float32)
    if rows:
        table[: len(rows)] = rows
    return np.clip(table, -MOST_CREDITS, MOST_CREDITS)


def _numbers(values: list[float]) -> npt.NDArray[np.float32]:
    return np.array(values, np.float32)
