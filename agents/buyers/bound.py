"""How Sauda's network plays with people: blind to her budget, and with manners.

What is bid is chosen without the budget: it is a ceiling that stops a bid, and it says whether an
ask can be taken. So a path of bids tells of it only where it stopped one. Manners are masks over
the choices: an opening where people open, no step half as large again as the one before unless the
seller leapt, two raises at most while the seller stands still, no jump at the end, and no
concession left unanswered twice.
"""

import numpy as np

from agents.buyers.positions import (
    STOOD_STILL,
    Bools,
    Floats,
    Positions,
    columns_of_clock,
    columns_of_paths,
    steps_of,
    still_for,
)

VERSION = "features-2"
"""Raised with every change: a network only ever sees what it was trained on."""

OPENING = (0.47, 0.61)
"""A first bid is drawn evenly from this range of the ask. People's, 10th to 90th percentile: 0.50
to 0.93 (``engine.people.fit``); the lower half of it brings more."""
FITS = 0.99
"""A first bid above this part of the budget is drawn anew below it ..."""
LOW_OPENING = (0.9, 0.99)
"""... or, where the range begins above it, from these parts of the budget."""

STEPS = (0.0, 0.04, 0.08, 0.13, 0.19, 0.26, 0.34, 0.43, 0.53, 0.65, 0.8)
"""Parts of the way from the own bid to the ask."""
TAKE = len(STEPS)
"""The choice that takes the ask, where the budget allows it."""
CHOICES = TAKE + 1

GROWTH = 1.5
"""No step is larger than the one before by more than this factor, unless the seller leapt."""
RAISES_IN_SILENCE = 2
"""How often a bid is raised while the seller repeats a price."""
CAME_DOWN, PART_BACK = 0.02, 0.2
"""Who came down by this share of the opening ask while a bid of hers was repeated has this part of
the way back, if manners and budget allow it: people tire of talking to a wall."""
LAST_JUMP = 0.15
"""In the last round neither a bid nor an ask that is taken lies further above the last bid."""
FEINTS, FEINT, FEINT_BUDGET = (2, 3), 0.08, (0.55, 0.8)
"""In these rounds a bid stops now and then, by luck, as if the budget were some part of the ask in
this range: a bid that stopped early would else tell the budget."""
CEILING = 0.985
"""Bids stop at this part of the budget."""
EARLY, STOPPED_LATER = 3, 0.6
"""Up to this round a bid that was stopped goes any part of the way to the ceiling, by luck; later
at least this part."""


def features(seen: Positions) -> Floats:
    """Write positions as numbers, (rows, features); nothing of the budget is in them."""
    ask, last = seen.ask, seen.last
    rows = len(ask)
    came_down, came_up = steps_of(-seen.asks, rows), steps_of(seen.bids, rows)
    silence = still_for(came_down, seen.asks.shape[1] - 1)
    columns = [
        *columns_of_clock(seen),
        last / ask,
        1 - ask,
        seen.unit * 20,
        seen.bids[:, 0] if seen.bids.shape[1] else np.zeros(rows),
        silence / 4,
        _raises(seen, silence),
        still_for(came_up, seen.bids.shape[1] - 1) / 4,
        *columns_of_paths(seen, came_down, came_up),
    ]
    return np.ascontiguousarray(np.array(columns).T)


def worth_features(seen: Positions) -> Floats:
    """Return what the tower of worth sees, and no bid follows from: the budget, too."""
    ask, last, budget = seen.ask, seen.last, seen.budget
    more = [
        budget,
        np.clip(budget - ask, -1.0, 1.0),
        (ask <= budget).astype(float),
        budget - last,
    ]
    return np.concatenate([features(seen), np.array(more).T], axis=1)


def prices(seen: Positions) -> Floats:
    """Return the price of every choice as a share of the opening ask, (rows, choices)."""
    unit, last = seen.unit[:, None], seen.last[:, None]
    if seen.round == 1:
        opening = np.maximum(np.floor(_opening(seen) / seen.unit + 0.5), 1.0) * seen.unit
        opening = np.minimum(opening, np.minimum(seen.budget, seen.ask))
        return np.repeat(opening[:, None], CHOICES, axis=1)
    ask = seen.ask[:, None]
    wanted = last + np.maximum(ask - last, 0.0) * np.array(STEPS)
    said = np.minimum(np.maximum(np.floor(wanted / unit + 0.5) * unit, last), np.maximum(ask, last))
    ceiling = np.maximum(CEILING * _shown_budget(seen)[:, None], last)
    luck = seen.luck[:, :1]
    part = luck if seen.round <= EARLY else STOPPED_LATER + (1 - STOPPED_LATER) * luck
    stopped = np.maximum(np.floor((last + part * (ceiling - last)) / unit) * unit, last)
    said = np.where(said <= ceiling, said, stopped)
    return np.concatenate([said, ask], axis=1)


def _shown_budget(seen: Positions) -> Floats:
    if seen.round not in FEINTS:
        return seen.budget
    part, (low, high) = seen.luck[:, 1] / FEINT, FEINT_BUDGET
    feint = np.minimum(seen.budget, low + (high - low) * part)
    found: Floats = np.where(part < 1, feint, seen.budget)
    return found


def _opening(seen: Positions) -> Floats:
    low, high = OPENING
    wanted = low + (high - low) * seen.luck[:, 0]
    fits = FITS * seen.budget
    below = low + (fits - low) * seen.luck[:, 1]
    least, most = LOW_OPENING
    far_below = seen.budget * (least + (most - least) * seen.luck[:, 1])
    found: Floats = np.where(wanted <= fits, wanted, np.where(fits > low, below, far_below))
    return found


def allowed(seen: Positions) -> Bools:
    """Return which choices there are, (rows, choices); to stand is always one."""
    rows = len(seen.ask)
    found = np.ones((rows, CHOICES), dtype=bool)
    if seen.round == 1:
        found[:, 1:] = False
        return found
    said, last, ask = prices(seen), seen.last, seen.ask
    rise = said - last[:, None]
    found[:, :TAKE] = rise[:, :TAKE] <= _longest_step(seen)[:, None]
    silence = still_for(steps_of(-seen.asks, rows), seen.asks.shape[1] - 1)
    waits = (silence > 0) & (_raises(seen, silence) >= RAISES_IN_SILENCE)
    found[:, 1:TAKE] &= ~waits[:, None]
    is_far = (seen.rounds == seen.round) & (ask - last > LAST_JUMP * last + STOOD_STILL)
    found[:, TAKE] = (ask <= seen.budget + 1e-9) & ~is_far
    found[:, 0] = True
    rises = np.where(found[:, :TAKE], rise[:, :TAKE], 0.0)
    most = rises.max(axis=1)
    least = np.where(most >= STOOD_STILL, np.minimum(_owed(seen), most), 0.0)
    found[:, :TAKE] &= rises >= least[:, None] - 1e-9
    return found


def _owed(seen: Positions) -> Floats:
    """Return the step that a seller's concessions are due, 0 where none is."""
    rows = len(seen.ask)
    stood = still_for(steps_of(seen.bids, rows), seen.bids.shape[1] - 1).astype(int)
    heard = np.maximum(seen.bids.shape[1] - 1 - stood, 0)
    down = seen.asks[np.arange(rows), heard] - seen.ask
    is_due = (stood > 0) & (down >= CAME_DOWN)
    return np.where(is_due, np.maximum(PART_BACK * down, STOOD_STILL), 0.0)


def _longest_step(seen: Positions) -> Floats:
    """Return how far a bid may go: by the own step before and the seller's last one."""
    rows = len(seen.ask)
    came_up = steps_of(seen.bids, rows)
    before = np.zeros(rows)
    for place in range(came_up.shape[1], 0, -1):
        step = came_up[:, -place]
        before = np.where(step >= STOOD_STILL, step, before)
    leap = steps_of(-seen.asks, rows)[:, -1]
    longest = np.where(before > 0, GROWTH * before, np.inf)
    longest = np.where(leap > before, np.maximum(longest, leap), longest)
    at_the_end = np.where(seen.rounds == seen.round, LAST_JUMP * seen.last, np.inf)
    # A price that is named is rounded: half a unit is no manner.
    return np.minimum(longest, at_the_end) + seen.unit / 2 + 1e-9


def _raises(seen: Positions, silence: Floats) -> Floats:
    """Count the bids that were raised since the seller first repeated the standing price."""
    came_up = steps_of(seen.bids, len(silence))
    found = np.zeros(len(silence))
    for place in range(1, seen.bids.shape[1]):
        found += (came_up[:, -place] >= STOOD_STILL) & (place < silence)
    return found
