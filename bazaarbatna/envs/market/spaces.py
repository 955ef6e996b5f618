"""Spaces of the market's environments, and a lab's view written in their numbers."""

from typing import Any, get_args

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from bazaarbatna.envs.bargain.gymnasium_spaces import box
from bazaarbatna.market import ACTION_NAMES, CODES, Observation
from bazaarbatna.market.blocks import (
    CONDITIONS,
    Block,
    Coalition,
    Job,
    Offer,
    Status,
    hours_left,
)
from bazaarbatna.market.observe import Band
from bazaarbatna.market.quantities import (
    BLOCK_NUMBERS,
    LAB_IDS,
    LAB_NUMBERS,
    MOST_LABS,
    to_credits,
)
from bazaarbatna.market.scenario import HOUSE, SHOCK_KINDS

BANDS: tuple[Band, ...] = get_args(Band)
STATUSES: tuple[Status, ...] = get_args(Status)

MOST_BLOCKS = 22
"""Five labs with four each, and the two that supply and auction bring."""
MOST_JOBS = 4
"""Three, and the one of a demand surge."""
OFFER_PLACES = 8
"""Open offers that are shown: those to this lab first, the newest first."""
COALITION_PLACES = 4
"""Open coalitions that are shown: those that ask this lab first, the newest first."""

TARGETS: tuple[str, ...] = (*LAB_IDS, HOUSE, "")
"""What ``target`` counts through: the labs, the house, nobody."""

PHRASES = (
    "",
    "A fair and balanced trade for both of us.",
    "Our deadline is near, this is urgent.",
    "Let us pool our blocks together in a coalition.",
    "Do not refuse, or we shall remember this.",
    "We can use these hours at once and pay for them.",
)
"""What ``phrase`` counts through. Who has words of its own acts in JSON."""

RESULTS: tuple[str | None, ...] = (None, "ok", *CODES)
"""What ``result`` counts through; None: no action yet."""

MOST_CREDITS = 1000.0
JOB_COLUMNS = [
    *("open", "hours", "deadline", "value", "urgency"),
    *("min_reliability", "partial", "rounds_to_deadline"),
]
LAB_COLUMNS = ["there", "me", "reputation", "budget", "demand", "finished"]
BLOCK_COLUMNS = [
    *("there", "mine", "owner", "start", "duration"),
    *("gpus", "hours_left", "reliability", "energy", "pooled_with_me"),
]
OFFER_COLUMNS = [
    *("there", "to_me", "other", "payment"),
    *("offered", "requested", "expires_in", "conditions"),
]
COALITION_COLUMNS = [
    *("there", "member", "invited", "members"),
    *("trust", "expires_in", "my_blocks", "blocks"),
]


def observation_space() -> spaces.Dict:
    """Return the space of what a lab sees: never another's jobs, money or character."""
    many = box(-MOST_CREDITS, MOST_CREDITS, 1)
    low, high = float(many.low[0]), float(many.high[0])

    def table(rows: int, columns: list[str]) -> spaces.Box:
        return spaces.Box(low, high, (rows, len(columns)), np.float32)

    return spaces.Dict(
        {
            "clock": box(0.0, 100.0, 3),
            "budget": box(0.0, MOST_CREDITS, 1),
            "pressure": spaces.Discrete(len(BANDS)),
            "result": spaces.Discrete(len(RESULTS)),
            "jobs": table(MOST_JOBS, JOB_COLUMNS),
            "labs": table(MOST_LABS, LAB_COLUMNS),
            "blocks": table(MOST_BLOCKS, BLOCK_COLUMNS),
            "status": spaces.MultiDiscrete([len(STATUSES) + 1] * MOST_BLOCKS),
            "terms": spaces.MultiBinary((MOST_BLOCKS, len(CONDITIONS))),
            "offers": table(OFFER_PLACES, OFFER_COLUMNS),
            "offered": spaces.Box(-1, 1, (OFFER_PLACES, MOST_BLOCKS), np.int8),
            "coalitions": table(COALITION_PLACES, COALITION_COLUMNS),
            "shocks": box(0.0, 10.0, len(SHOCK_KINDS)),
            "heard": box(0.0, 20.0, MOST_LABS),
        }
    )


def action_space() -> spaces.Dict:
    """Return the space of what a lab may do: an action and the fields that it needs."""
    return spaces.Dict(
        {
            "action": spaces.Discrete(len(ACTION_NAMES)),
            "target": spaces.Discrete(len(TARGETS)),
            "offer": spaces.Discrete(OFFER_PLACES),
            "coalition": spaces.Discrete(COALITION_PLACES + 1),
            "job": spaces.Discrete(MOST_JOBS),
            "blocks": spaces.MultiBinary(MOST_BLOCKS),
            "requested": spaces.MultiBinary(MOST_BLOCKS),
            "payment": spaces.Box(0.0, 1.0, (1,), np.float64),
            "phrase": spaces.Discrete(len(PHRASES)),
            "conditions": spaces.MultiBinary(len(CONDITIONS)),
        }
    )


Numbers = dict[str, Any]


def offers_shown(seen: Observation) -> list[Offer]:
    """Return the open offers of a view, one a row: those to the lab first, the newest first."""
    live = [offer for offer in reversed(seen.offers) if offer.status == "open"]
    live.sort(key=lambda offer: offer.target != seen.lab)
    return live[:OFFER_PLACES]


def coalitions_shown(seen: Observation) -> list[Coalition]:
    """Return the open coalitions, one a row: those that ask the lab, its own, the newest first."""

    def concern(one: Coalition) -> int:
        return 0 if seen.lab in one.invited else 1 if seen.lab in one.members else 2

    live = [coalition for coalition in reversed(seen.coalitions) if coalition.open]
    return sorted(live, key=concern)[:COALITION_PLACES]


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
        "jobs": _table([_job(job, seen) for job in seen.jobs], MOST_JOBS, JOB_COLUMNS),
        "labs": _table(_labs(seen), MOST_LABS, LAB_COLUMNS),
        "blocks": _table(
            [_block(block, seen) for block in seen.blocks], MOST_BLOCKS, BLOCK_COLUMNS
        ),
        "status": status,
        "terms": terms,
        "offers": _table([_offer(offer, seen) for offer in offers], OFFER_PLACES, OFFER_COLUMNS),
        "offered": _offered(offers),
        "coalitions": _table(
            [_coalition(one, seen) for one in coalitions],
            COALITION_PLACES,
            COALITION_COLUMNS,
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
