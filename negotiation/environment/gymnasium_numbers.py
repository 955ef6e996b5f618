"""A buyer's observation as numbers, and numbers as a buyer's proposal."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.error import InvalidAction

from negotiation.engine.moves import Accept, Move, Offer, Walk
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import Paise
from negotiation.engine.tells import Tells
from negotiation.environment.gymnasium_spaces import (
    CATEGORIES,
    COUNTS,
    GOODS,
    LEVELS,
    MOST_BUDGETS,
    MOST_COUNTED,
    MOVES,
    NOT_OBSERVABLE,
    PERSONAS,
)

Observation = dict[str, Any]
"""Arrays and counts under the keys of ``observation_space``."""

NOTHING_SEEN = Tells()


def to_numbers(seen: BuyerObservation) -> Observation:
    """Tell an observation in numbers: prices in budgets, tells that cannot be seen as -1 or 0."""
    deadline, career = seen.deadline, seen.career
    left_to_deadline = 0 if deadline is None else deadline - seen.round
    prices = (seen.standing_ask, seen.opening_ask, seen.own_last_bid or 0, seen.last_concession)
    return {
        "prices": _held([price / seen.budget for price in prices], MOST_BUDGETS),
        "budget": np.array([np.log10(seen.budget / 100)], np.float32),
        "clock": np.array(
            [
                seen.round / seen.max_rounds,
                seen.rounds_left,
                deadline is not None,
                left_to_deadline,
            ],
            np.float32,
        ),
        "career": _held(
            [NOT_OBSERVABLE] * 4
            if career is None
            else [career.games, career.deals, career.capitulation_rate, career.mean_buyer_share],
            MOST_COUNTED,
        ),
        "persona": np.int64(PERSONAS.index(seen.persona)),
        **tell_numbers(seen.tells),
    }


def tell_numbers(shown: Tells | None) -> Observation:
    """Tell what could be noticed in numbers, under the keys of ``tell_spaces``."""
    tells = shown or NOTHING_SEEN
    return {
        "levels": _numbers(tells, LEVELS),
        "counts": _numbers(tells, COUNTS),
        "goods": _numbers(tells, GOODS),
        **{
            key: np.int64(values.index(getattr(tells, tell)))
            for key, (tell, values) in CATEGORIES.items()
        },
    }


def to_proposal(action: Any, budget: Paise, grid: int | None) -> Move:
    """Read an action; a bid outside the rules is still a proposal, which its reward judges.

    Args:
        action: a mapping with ``move`` and ``price``, or a number of the grid.
        budget: the buyer's, in paise; the unit of prices.
        grid: as in ``action_space``.

    Raises:
        InvalidAction: it is no action of the space.
    """
    if grid is not None:
        return _of_grid(whole_number(action), budget, grid)
    if not isinstance(action, Mapping):
        raise InvalidAction("An action is {'move': 0 to 2, 'price': [share of the budget]}.")
    move = whole_number(action.get("move"))
    if not 0 <= move < len(MOVES):
        raise InvalidAction(f"A move is 0 (offer), 1 (accept) or 2 (walk), not {move}.")
    if move:
        return Accept() if move == 1 else Walk()
    return Offer(_bid(price_share(action.get("price", ())), budget))


def to_action(move: Move, budget: Paise) -> dict[str, Any]:
    """Write a move of the engine as an action, so that any buyer of this project can step.

    >>> to_action(Offer(4150), 10000)["price"].tolist()
    [0.415]
    """
    price = move.price / budget if isinstance(move, Offer) else 0.0
    kind = 0 if isinstance(move, Offer) else 1 if isinstance(move, Accept) else 2
    return {"move": np.int64(kind), "price": np.array([price])}


def action_mask(seen: BuyerObservation, grid: int | None) -> Any:
    """Flag what may be done, in the form that ``sample`` of the action space takes."""
    bids = 1 if grid is None else grid
    mask = np.ones(bids + 2, np.int8)
    mask[bids] = seen.standing_ask <= seen.budget
    return {"move": mask, "price": None} if grid is None else mask


def _of_grid(number: int, budget: Paise, grid: int) -> Move:
    if not 0 <= number < grid + 2:
        raise InvalidAction(f"An action of this grid is 0..{grid + 1}, not {number}.")
    if number >= grid:
        return Accept() if number == grid else Walk()
    return Offer(_bid((number + 1) / grid, budget))


def whole_number(value: Any) -> int:
    """Read a move's number, also one that is an array of one.

    Raises:
        InvalidAction: it is none, or has a fraction.
    """
    if isinstance(value, int | np.integer):
        return int(value)
    try:
        number = float(np.asarray(value).item())
    except (TypeError, ValueError):
        number = math.nan
    if not number.is_integer():
        # To cut a fraction off would hide a learner's mistake for a whole training.
        raise InvalidAction(f"A move is a whole number, not {str(value)[:40]}.")
    return int(number)


def price_share(value: Any) -> float:
    """Read a price in budgets: one number in an array, or alone.

    Raises:
        InvalidAction: it is none.
    """
    try:
        return float(np.asarray(value, float).reshape(-1)[0])
    except (TypeError, ValueError, IndexError):
        raise InvalidAction(f"A price is one number in an array, not {str(value)[:40]}.") from None


def _bid(share: float, budget: Paise) -> Paise:
    if not math.isfinite(share):
        return share  # type: ignore[return-value]  # no price at all: the engine judges it
    return Paise(math.floor(share * budget + 0.5))


def _held(values: list[float], most: float) -> npt.NDArray[np.float32]:
    return np.array([min(max(value, -most), most) for value in values], np.float32)


def _numbers(tells: Tells, names: tuple[str, ...]) -> npt.NDArray[np.float32]:
    values = [getattr(tells, name) for name in names]
    return np.array([NOT_OBSERVABLE if value is None else value for value in values], np.float32)
