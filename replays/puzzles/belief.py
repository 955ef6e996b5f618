"""What a player could believe: hidden values drawn from what is public, kept where they fit.

Approximate Bayesian computation: a guess is asked what it would have done at every turn of the
opponent, in the position that really stood. It is kept with the probability that its prices come
close enough, and thrown away where it would have taken, left or named a price far off. The kept
guesses are independent draws, all of one weight; the truth is not among them.

Source: M. A. Beaumont, W. Zhang and D. J. Balding, "Approximate Bayesian computation in population
genetics", 2002.
"""

import math
from collections.abc import Sequence
from random import Random

from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.quantities import Side
from bazaarbatna.bargain.scenario import Scenario
from negotiation.bargain.scenarios import BUDGET_RULE
from replays.puzzles.table import Guess, Opponent, Step, guess

NEAR = 0.02
"""A price this share of the opening ask away is still likely (the width of the kernel)."""

FAR = 0.06
"""Further away than this a guess is thrown away."""

MOST_DRAWS, FIRST_DRAWS = 6_000, 500


def believe(
    rng: Random,
    seen: Scenario,
    seat: Side,
    steps: Sequence[Step],
    wanted: int,
    rule: int = BUDGET_RULE,
) -> list[Guess]:
    """Draw ``wanted`` guesses that fit the opponent's moves; fewer where they hardly ever fit."""
    kept: list[Guess] = []
    for drawn in range(MOST_DRAWS):
        if drawn == FIRST_DRAWS and MOST_DRAWS * len(kept) < FIRST_DRAWS * wanted:
            break  # so few would not come together: there are other positions
        told = guess(rng, seen, seat, rule)
        if rng.random() < _fits(told, seat, steps):
            kept.append(told)
            if len(kept) == wanted:
                break
    return kept


def _fits(told: Guess, seat: Side, steps: Sequence[Step]) -> float:
    if not _could_say(told, seat, steps):
        return 0.0
    opponent, weight = Opponent(told, seat), 1.0
    for step in reversed(steps):  # the last prices tell most: a bad guess is found out early
        made = opponent.move(step.before)
        if not isinstance(made, Offer) or not isinstance(step.move, Offer):
            return 0.0
        away = abs(made.price - step.move.price) / told.scenario.anchor
        if away > FAR:
            return 0.0
        weight *= math.exp(-0.5 * (away / NEAR) ** 2)
    return weight


def _could_say(told: Guess, seat: Side, steps: Sequence[Step]) -> bool:
    """Whether no price that was said breaks the guessed limit: nobody names such a price."""
    said = [step.move.price for step in steps if isinstance(step.move, Offer)]
    sealed = told.scenario.sealed
    if seat == "seller":
        return all(price <= sealed.budget for price in said)
    return all(price >= sealed.reservation for price in said)
