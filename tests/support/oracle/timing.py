"""How long the house thinks, where only what is sealed differs: told, never asserted."""

import itertools
import statistics
import time

from negotiation.bargain import sessions
from negotiation.engine.moves import Offer
from negotiation.engine.quantities import Paise
from tests.support.oracle.bargains import a_scenario
from tests.support.oracle.worlds import a_world

BUDGETS = (Paise(170_000), Paise(169_900))
"""So near that her moves are the same."""

GAMES = 200


def answer_times(games: int = GAMES) -> dict[Paise, list[float]]:
    """Return how many milliseconds Sauda's second move took, game by game, in turns."""
    took: dict[Paise, list[float]] = {budget: [] for budget in BUDGETS}
    for number in range(games):
        for budget in BUDGETS if number % 2 else BUDGETS[::-1]:
            with a_world():
                game = sessions.open_dealt("asha", a_scenario(budget=budget), "sauda")
                sessions.opponent_turn(game.pk)
                sessions.play(game.pk, "asha", Offer(Paise(195_000), "1950, nearly new"))
                began = time.perf_counter()
                sessions.opponent_turn(game.pk)
                took[budget].append(1000 * (time.perf_counter() - began))
    return took


def told() -> str:
    """Say in one line what a stopwatch would tell two sealed values apart by.

    The share of pairs in which one took longer than the other is 50 % where it tells nothing; with
    n games on each side chance alone moves it by sqrt((2n + 1) / 12) / n, one standard deviation.
    """
    one, other = answer_times().values()
    longer = statistics.fmean(a > b for a, b in itertools.product(one, other))
    spread = 100 * ((2 * len(one) + 1) / 12) ** 0.5 / len(one)
    middles = " and ".join(f"{statistics.median(times):.1f}" for times in (one, other))
    return (
        f"Sauda's answer, two budgets, {len(one)} games each: medians {middles} ms; the first took "
        f"longer in {100 * longer:.0f} % of pairs (50 ± {spread:.0f} % by chance)"
    )
