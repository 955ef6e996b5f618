"""Spaces of the market's environments: what each number of a lab's view and action means."""

from typing import Any, get_args

import numpy as np
from gymnasium import spaces

from arena.gpu_market.engine import ACTION_NAMES, CODES, Observation
from arena.gpu_market.engine.agreements import Coalition, Offer
from arena.gpu_market.engine.blocks import CONDITIONS, Status
from arena.gpu_market.engine.observe import Band
from arena.gpu_market.engine.quantities import LAB_IDS, MOST_LABS
from arena.gpu_market.engine.scenario import HOUSE, SHOCK_KINDS
from negotiation.environment.gymnasium_spaces import box

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
JOB_NUMBERS = [
    *("open", "hours", "deadline", "value", "urgency"),
    *("min_reliability", "partial", "rounds_to_deadline"),
]
LAB_NUMBERS = ["there", "me", "reputation", "budget", "demand", "finished"]
BLOCK_NUMBERS = [
    *("there", "mine", "owner", "start", "duration"),
    *("gpus", "hours_left", "reliability", "energy", "pooled_with_me"),
]
OFFER_NUMBERS = [
    *("there", "to_me", "other", "payment"),
    *("offered", "requested", "expires_in", "conditions"),
]
COALITION_NUMBERS = [
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
            "jobs": table(MOST_JOBS, JOB_NUMBERS),
            "labs": table(MOST_LABS, LAB_NUMBERS),
            "blocks": table(MOST_BLOCKS, BLOCK_NUMBERS),
            "status": spaces.MultiDiscrete([len(STATUSES) + 1] * MOST_BLOCKS),
            "terms": spaces.MultiBinary((MOST_BLOCKS, len(CONDITIONS))),
            "offers": table(OFFER_PLACES, OFFER_NUMBERS),
            "offered": spaces.Box(-1, 1, (OFFER_PLACES, MOST_BLOCKS), np.int8),
            "coalitions": table(COALITION_PLACES, COALITION_NUMBERS),
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
"""Arrays and counts under the keys of a space."""


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
