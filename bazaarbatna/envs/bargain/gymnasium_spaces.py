"""``Bazaar-v0`` in numbers: its spaces, observations written into them, actions read from them.

The environments of the arena take what they share with it from here.
"""

import math
from collections.abc import Mapping
from typing import Any, get_args

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.error import InvalidAction

from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.sellers import SELLERS
from bazaarbatna.bargain.tells import CONDITIONS, Eyes, Pattern, Posture, Rounding, Speed, Tells
from bazaarbatna.envs.bargain.resets import check_number, whole

MOVES = ("offer", "accept", "walk")

PERSONAS = (None, *SELLERS)

LEVELS = (
    "verbal_urgency",
    "verbal_confidence",
    "verbal_deception_cue",
    "fidget_level",
    "emotional_escalation",
)
COUNTS = ("repeat_phrases", "topic_changes")
GOODS = ("condition_score", "depreciation_score")
"""Tells that are numbers, in the order of ``levels``, ``counts`` and ``goods``."""

CATEGORIES: dict[str, tuple[str, tuple[str | None, ...]]] = {
    "rounding": ("price_rounding", (None, *get_args(Rounding))),
    "speed": ("offer_speed", (None, *get_args(Speed))),
    "pattern": ("concession_pattern", (None, *get_args(Pattern))),
    "eyes": ("eye_contact", (None, *get_args(Eyes))),
    "posture": ("posture", (None, *get_args(Posture))),
    "condition": ("condition_label", (None, *CONDITIONS)),
}
"""Key of the observation -> the tell it shows, and what it counts through; None: not observable."""

NOT_OBSERVABLE = -1.0
MOST_BUDGETS = 100.0
"""Prices are told in budgets, up to so many."""
MOST_ROUNDS = 1000.0
MOST_COUNTED = 1000.0
LOG_PRICES = (-2.0, 9.0)
"""Common logarithms of the lowest and the highest price in rupees."""


def observation_space() -> spaces.Dict:
    """Return the space of what a buyer sees."""
    return spaces.Dict(
        {
            "prices": box(-MOST_BUDGETS, MOST_BUDGETS, 4),
            "budget": box(*LOG_PRICES, 1),
            "clock": box(-MOST_ROUNDS, MOST_ROUNDS, 4),
            "career": box(NOT_OBSERVABLE, MOST_COUNTED, 4),
            "persona": spaces.Discrete(len(PERSONAS)),
            **tell_spaces(),
        }
    )


def tell_spaces() -> dict[str, spaces.Space[Any]]:
    """Return the spaces of the tells of a turn."""
    return {
        "levels": box(NOT_OBSERVABLE, 1.0, len(LEVELS)),
        "counts": box(NOT_OBSERVABLE, MOST_COUNTED, len(COUNTS)),
        "goods": box(NOT_OBSERVABLE, 1.0, len(GOODS)),
        **{key: spaces.Discrete(len(values)) for key, (_, values) in CATEGORIES.items()},
    }


def action_space(grid: int | None) -> spaces.Space[Any]:
    """Return the space of what a buyer may do.

    A ``grid`` of n lays out n bids evenly from ``budget / grid`` to the budget, before the two
    actions accept and walk; None is a move and a free price. ``ValueError``: the grid has no bid.
    """
    if grid is None:
        return spaces.Dict(
            {"move": spaces.Discrete(len(MOVES)), "price": spaces.Box(0.0, 1.0, (1,), np.float64)}
        )
    check_grid(grid)
    return spaces.Discrete(grid + 2)


RENDER_MODES = ["ansi"]
HIGHEST_DRAWN = 2**31
"""Games that nobody chose are drawn from 0 up to here."""


class NoSuchMode(ValueError, TypeError):
    """A render mode that no environment has.

    Stable-Baselines3's ``make_vec_env`` asks for pictures, and does without after a ``TypeError``.
    """


def check_render_mode(mode: str | None) -> None:
    """Refuse a render mode that no environment has."""
    if mode not in (None, *RENDER_MODES):
        raise NoSuchMode(f"There is no render mode {mode!r}; there is 'ansi'.")


def check_grid(grid: int) -> None:
    """Refuse a grid without a bid."""
    check_number("grid", whole(grid))
    if grid < 1:
        raise ValueError("A grid needs at least one bid; leave it out for free prices.")


def draw_number(rng: np.random.Generator) -> int:
    """Draw the number of a game that nobody chose."""
    return int(rng.integers(HIGHEST_DRAWN))


def box(low: float, high: float, size: int) -> spaces.Box:
    """Return the space of so many numbers of one range."""
    return spaces.Box(low, high, (size,), np.float32)


Observation = dict[str, Any]

NOTHING_SEEN = Tells()


def to_numbers(seen: BuyerObservation) -> Observation:
    """Write an observation as numbers: prices in budgets, tells that cannot be seen as -1 or 0."""
    deadline, career = seen.deadline, seen.career
    left_to_deadline = 0 if deadline is None else deadline - seen.round
    prices = (seen.standing_ask, seen.opening_ask, seen.own_last_bid or 0, seen.last_concession)
    return {
        "prices": held([price / seen.budget for price in prices], MOST_BUDGETS),
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
        "career": held(
            [NOT_OBSERVABLE] * 4
            if career is None
            else [career.games, career.deals, career.capitulation_rate, career.mean_buyer_share],
            MOST_COUNTED,
        ),
        "persona": np.int64(PERSONAS.index(seen.persona)),
        **tell_numbers(seen.tells),
    }


def tell_numbers(shown: Tells | None) -> Observation:
    """Write what could be noticed as numbers, under the keys of ``tell_spaces``."""
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

    Prices of an action are in units of the ``budget`` (paise).

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
    """Write a move of the engine as an action, so that any buyer of this project can step."""
    price = move.price / budget if isinstance(move, Offer) else 0.0
    kind = 0 if isinstance(move, Offer) else 1 if isinstance(move, Accept) else 2
    return {"move": np.int64(kind), "price": np.array([price])}


def action_mask(seen: BuyerObservation, grid: int | None) -> Any:
    """Return what may be done, in the form that ``sample`` of the action space takes."""
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
    """Read a move's number, also one that is an array of one; raises ``InvalidAction``."""
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
    """Read a price in budgets, one number alone or in an array; raises ``InvalidAction``."""
    return float(read_floats(value, 1, "A price is one number in an array")[0])


def read_floats(value: Any, many: int, told: str) -> npt.NDArray[np.float64]:
    """Read so many numbers (-1: any), however they are laid out; raises ``InvalidAction``."""
    try:
        return np.asarray(value, float).reshape(many)
    except (TypeError, ValueError, OverflowError):
        raise InvalidAction(f"{told}, not {str(value)[:40]}.") from None


def _bid(share: float, budget: Paise) -> Paise:
    price = share * budget + 0.5
    if not math.isfinite(price):
        return price  # type: ignore[return-value]  # no price at all: the engine judges it
    return Paise(math.floor(price))


def held(values: list[float], most: float) -> npt.NDArray[np.float32]:
    """Return numbers held between ``-most`` and ``most``."""
    return np.array([min(max(value, -most), most) for value in values], np.float32)


def _numbers(tells: Tells, names: tuple[str, ...]) -> npt.NDArray[np.float32]:
    values = [getattr(tells, name) for name in names]
    return np.array([NOT_OBSERVABLE if value is None else value for value in values], np.float32)
