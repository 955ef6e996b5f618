"""One position as the network sees it, without arrays: a continuation spends its time here.

Number for number what ``network.features`` and ``network.prices`` write of one row.
"""

import math
from itertools import pairwise

from agents.buyers.network import (
    CHOICES,
    OPENINGS,
    PATH,
    ROUNDS,
    STEPS,
    STOOD_STILL,
)
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.people.manner import price_unit

ENDLESS = 1_000
"""Stands for a deadline that the buyer does not have."""


def row_of(seen: BuyerObservation) -> list[float]:
    """Write a buyer's view as numbers."""
    anchor = seen.opening_ask
    asks = [price / anchor for price in seen.asks]
    bids = [price / anchor for price in seen.bids]
    ask, last, budget = asks[-1], bids[-1] if bids else 0.0, seen.budget / anchor
    deadline = ENDLESS if seen.deadline is None else seen.deadline
    due = min(max((deadline - seen.round) / ROUNDS, -0.5), 1.0)
    came_down = [before - after for before, after in pairwise(asks)]
    came_up = [after - before for before, after in pairwise(bids)]
    down, up = [0.0] * PATH + came_down, [0.0] * PATH + came_up
    levels = _levels(seen)
    return [
        seen.round / ROUNDS,
        seen.max_rounds / ROUNDS,
        (seen.max_rounds - seen.round) / ROUNDS,
        float(seen.max_rounds == seen.round),
        float(seen.max_rounds == seen.round + 1),
        float(seen.round == 1),
        float(deadline <= ROUNDS),
        due if deadline <= ROUNDS else 1.0,
        float(seen.round > deadline),
        ask,
        last,
        ask - last,
        budget,
        min(max(budget - ask, -1.0), 1.0),
        float(ask <= budget),
        min(max(ask / budget - 1, -1.0), 1.5),
        budget - last,
        1 - ask,
        price_unit(anchor) / anchor * 20,
        bids[0] if bids else 0.0,
        _still(came_down) / 4,
        _still(came_up) / 4,
        sum(step > STOOD_STILL for step in came_down) / 4,
        max(0.0, *down) * 4,
        max(0.0, *up) * 4,
        *(5 * down[-place] for place in range(1, PATH + 1)),
        *(5 * up[-place] for place in range(1, PATH + 1)),
        *(0.0 if level is None else level - 0.5 for level in levels),
        *(float(level is not None) for level in levels),
    ]


def _levels(seen: BuyerObservation) -> tuple[float | None, ...]:
    tells = seen.tells
    if tells is None:
        return (None,) * 5
    return (
        tells.verbal_urgency,
        tells.verbal_confidence,
        tells.verbal_deception_cue,
        tells.fidget_level,
        tells.emotional_escalation,
    )


def _still(steps: list[float]) -> int:
    """Count the last steps that were none."""
    count = 0
    for step in reversed(steps):
        if not abs(step) < STOOD_STILL:
            break
        count += 1
    return count


def price_of(seen: BuyerObservation, choice: int) -> float:
    """Return the price of a choice as a share of the opening ask."""
    anchor = seen.opening_ask
    last = seen.bids[-1] / anchor if seen.bids else 0.0
    most = min(seen.asks[-1] / anchor, seen.budget / anchor)
    if choice == CHOICES - 1:
        return max(most, last)
    if seen.round == 1:
        wanted = most * OPENINGS[choice]
    else:
        wanted = last + max(most - last, 0.0) * STEPS[choice]
    unit = price_unit(anchor) / anchor
    said = max(math.floor(wanted / unit + 0.5) * unit, last)
    return min(max(said, unit), max(most, last))
