"""What a lab earns between two of its turns, in eleven columns: the default mix.

The default mix pays the change of true utility, over the value of the best plan for the seed: the
sum over an episode is what was reached, and nothing can be earned by being busy. The published mix
with its holes lies beside it, for comparison (``published``).
"""

from collections.abc import Callable

import msgspec

from arena.gpu_market.engine.actions import MarketAction
from arena.gpu_market.engine.published import published_terms
from arena.gpu_market.engine.scenario import MarketScenario
from arena.gpu_market.engine.state import State
from arena.gpu_market.engine.terms import BREACH, SPAM, THIRD_TIME, Terms, invalid_penalty

Normaliser = Callable[[MarketScenario, int], float]
"""Gives the value of the best plan for a lab, in hundredths of a credit."""

LEAST_BEST = 1000.0
"""A plan counts as worth at least ten credits: dividing by almost nothing would drown the rest."""


class Reward(Terms, frozen=True, gc=False):
    """One step's reward: ten columns that add up to the eleventh, which stays in -1..1.

    ``normalized_reward`` is what reinforcement learning is paid.
    """

    normalized_reward: float = 0.0


COLUMNS: tuple[str, ...] = Reward.__struct_fields__


def value_of_all_jobs(scenario: MarketScenario, lab: int) -> float:
    """Bound every plan of a lab from above: all its jobs whole, in time and without energy.

    A normaliser as ``reward`` takes them, for whoever has no solver at hand; scored play outside
    the engine divides by the ceiling instead (``arena.gpu_market.planner``).
    """
    sealed = scenario.sealed
    surge = (sealed.surge[lab],) if sealed.surge else ()
    return float(sum(job.value for job in (*sealed.jobs[lab], *surge)))


def reward(
    before: State,
    after: State,
    lab: int,
    best: float,
    judged: float | None = None,
    *,
    judge_pays: bool = False,
) -> Reward:
    """Judge what happened to a lab between two positions.

    Args:
        before: the position in which it was to act.
        after: the position in which it is to act again, or the end.
        lab: its number.
        best: what the best plan for this seed would bring it, in hundredths of a credit.
        judged: a bonus that a judge gave in this step; None where no judge sits, and the published
            mix counts keywords instead.
        judge_pays: the default mix adds the bonus. Otherwise its column only reports it, so that
            the sum stays the change of true utility. The published mix always adds it.
    """
    if after.scenario.reward == "published":
        terms = msgspec.structs.astuple(published_terms(before, after, lab, judged))
        total = sum(terms)
    else:
        true = _true_terms(before, after, lab, best, judged or 0.0)
        terms = msgspec.structs.astuple(true)
        penalties = true.invalid_action_penalty + true.spam_penalty + true.breach_penalty
        # Saturated as a whole, not step by step: so the sum over an episode stays exact.
        gain = _saturated(after, lab, best) - _saturated(before, lab, best)
        total = gain + penalties + (true.judge_argument if judge_pays else 0.0)
    columns: tuple[float, ...] = (*terms, min(max(total, -1.0), 1.0))
    return Reward(*columns)


def _true_terms(before: State, after: State, lab: int, best: float, judged: float) -> Terms:
    old, new = before.tallies[lab], after.tallies[lab]
    best = max(best, LEAST_BEST)
    return Terms(
        job_utility=((new.value - new.energy) - (old.value - old.energy)) / best,
        deal_quality=((new.received - new.paid) - (old.received - old.paid)) / best,
        judge_argument=judged,
        invalid_action_penalty=invalid_penalty(before, after, lab),
        spam_penalty=SPAM if _is_spam(after.last[lab], new.repeats, old.repeats) else 0.0,
        breach_penalty=BREACH * (new.breaches - old.breaches),
    )


def _is_spam(action: MarketAction | None, repeats: int, before: int) -> bool:
    """The same again for the third time; a lab with nothing to do may wait as long as it likes."""
    if action is None or action.action in ("wait", "finish"):
        return False
    return repeats >= THIRD_TIME and repeats > before


def _saturated(state: State, lab: int, best: float) -> float:
    return min(max(state.tallies[lab].utility / max(best, LEAST_BEST), -1.0), 1.0)
