"""What a lab earns between two of its turns, in eleven columns, by one of two mixes.

The default mix pays the change of true utility, over the value of the best plan for the seed: the
sum over an episode is what was reached, and nothing can be earned by being busy.

The published mix, holes and all, is kept for comparison and never trained on by default. Any
accepted trade pays, forming coalitions pays, spare budget pays, keywords win the judge. Each step
pays for its action; the end pays once for what is left over: the settlement. Its share of finished
jobs (0.3, less 0.03 for each block reserved in vain) is worked out there and added to nothing, as
the rewards that were published with it show, so it is not paid here either.
"""

from collections.abc import Callable

import msgspec

from bazaarbatna.market.actions import MarketAction
from bazaarbatna.market.blocks import Breach
from bazaarbatna.market.errors import Code
from bazaarbatna.market.planning import plan, plan_value
from bazaarbatna.market.quantities import LAB_IDS
from bazaarbatna.market.scenario import MarketScenario
from bazaarbatna.market.state import State, Tally

INVALID, MALFORMED = -0.10, -0.15
SPAM, THIRD_TIME = -0.05, 3
BREACH = -0.2


class Terms(msgspec.Struct, frozen=True, gc=False):
    """What each column contributes to the reward of a step.

    Penalties are 0 or less; in the default mix all but the first two and the penalties are 0, and
    a judge's bonus comes from outside.
    """

    job_utility: float = 0.0
    deal_quality: float = 0.0
    coalition_reliability: float = 0.0
    judge_argument: float = 0.0
    budget_efficiency: float = 0.0
    negotiation_efficiency: float = 0.0
    market_adaptation: float = 0.0
    invalid_action_penalty: float = 0.0
    spam_penalty: float = 0.0
    breach_penalty: float = 0.0


def invalid_penalty(before: State, after: State, lab: int) -> float:
    """Return what the last action costs a lab for being invalid; 0 for a valid one."""
    result = after.results[lab]
    if result is None or after.tallies[lab].refused == before.tallies[lab].refused:
        return 0.0
    return _PENALTIES.get(result.code, INVALID)


_PENALTIES: dict[Code | None, float] = {"malformed_action": MALFORMED}


JOB, DEAL, COALITION, BUDGET, NEGOTIATION, ADAPTATION = 0.35, 0.20, 0.15, 0.10, 0.10, 0.10
BEST_JOB, JOB_SCALE = 0.5, 15_000
"""A job scores at most 0.5; its worth in hundredths of a credit counts by 150 credits."""
TRADE, OFFER = 0.5, 0.1
GAIN_SCALE, WORST_GAIN, BEST_GAIN = 12_000, -0.15, 0.25
FORMED, EXCUSED, BREACHED = 0.8, 0.5, -0.5
NO_COALITION, NO_COALITION_WHERE_NEEDED = 0.4, 0.2
"""What the settlement makes of a lab without any; the second in the coalition market."""
VALID, TIMELY = 0.08, 0.08
"""Scores of any valid action but waiting, and of working or trading once a shock has struck."""
BUDGET_SCALE = 12_000
"""The budget that is left over counts by 120 credits, and up to 1."""
KEYWORDS = ("deadline", "urgent", "reliab", "evidence", "critical", "paper", "customer", "fair")
PER_KEYWORD, MOST_JUDGED = 0.06, 0.18


def published_terms(before: State, after: State, lab: int, judged: float | None) -> Terms:
    """Score a step as the published mix does; an invalid action is its penalty alone.

    ``judged`` is the bonus of a judge who sits in place of the keywords; None: nobody does.
    """
    penalty = invalid_penalty(before, after, lab)
    acted = Terms(invalid_action_penalty=penalty) if penalty else _acted(before, after, lab, judged)
    return acted if after.ended is None else _settled(acted, after, lab)


def _acted(before: State, after: State, lab: int, judged: float | None) -> Terms:
    old, new = before.tallies[lab], after.tallies[lab]
    action = after.last[lab]
    idle = action is None or action.action == "wait"
    return Terms(
        job_utility=JOB * _job(old, new),
        deal_quality=DEAL * _deal(before, after, lab),
        coalition_reliability=COALITION * _coalition(old, new),
        judge_argument=keyword_bonus(_pitch(before, after, lab)) if judged is None else judged,
        negotiation_efficiency=0.0 if idle else NEGOTIATION * VALID,
        market_adaptation=ADAPTATION * TIMELY if _adapts(before, after, lab) else 0.0,
        spam_penalty=SPAM if new.repeats >= THIRD_TIME and new.repeats > old.repeats else 0.0,
        breach_penalty=BREACH * (new.breaches - old.breaches),
    )


def _settled(acted: Terms, after: State, lab: int) -> Terms:
    return msgspec.structs.replace(
        acted,
        coalition_reliability=acted.coalition_reliability + COALITION * _reliable(after, lab),
        budget_efficiency=BUDGET * min(after.budgets[lab] / BUDGET_SCALE, 1.0),
        negotiation_efficiency=acted.negotiation_efficiency + NEGOTIATION * VALID,
    )


def keyword_bonus(text: str) -> float:
    """Judge a pitch by its keywords, 0..0.18: the hole that a checked judge closes.

    >>> keyword_bonus("URGENT customer deadline, urgent!")
    0.18
    """
    lower = text.lower()
    return min(PER_KEYWORD * sum(word in lower for word in KEYWORDS), MOST_JUDGED)


def potential(state: State, lab: int) -> int:
    """Return what a lab has earned and could still earn alone, in hundredths of a credit."""
    own = [
        block
        for block in state.blocks
        if block.owner == LAB_IDS[lab] and block.status in ("available", "reserved")
    ]
    fills = plan(state.jobs[lab], own, state.round, windows=state.scenario.rules.windows)
    return state.tallies[lab].utility + plan_value(fills)


def _job(old: Tally, new: Tally) -> float:
    worth = (new.value - new.energy) - (old.value - old.energy)
    return min(max(worth / JOB_SCALE, 0.0), BEST_JOB)


def _deal(before: State, after: State, lab: int) -> float:
    old, new = before.tallies[lab], after.tallies[lab]
    if new.trades > old.trades:
        gain = (potential(after, lab) - potential(before, lab)) / GAIN_SCALE
        return TRADE + min(max(gain, WORST_GAIN), BEST_GAIN)
    return OFFER if new.offers > old.offers else 0.0


def _coalition(old: Tally, new: Tally) -> float:
    if new.breaches > old.breaches:
        return BREACHED
    if new.excused > old.excused:
        return EXCUSED
    return FORMED if new.formed > old.formed or new.pooled > old.pooled else 0.0


_SCORES: dict[Breach, float] = {"none": FORMED, "excused": EXCUSED, "breached": BREACHED}


def _reliable(after: State, lab: int) -> float:
    scores = [_SCORES[one.breach] for one in after.coalitions if LAB_IDS[lab] in one.members]
    if not scores:
        needed = after.scenario.task == "coalition_market"
        return NO_COALITION_WHERE_NEEDED if needed else NO_COALITION
    return max(sum(scores) / len(scores), 0.0)


def _pitch(before: State, after: State, lab: int) -> str:
    for said in after.said[len(before.said) :]:
        if said.lab == LAB_IDS[lab] and said.speech != "message":
            return said.text
    return ""


def _adapts(before: State, after: State, lab: int) -> bool:
    action = after.last[lab]
    if not before.shocks or action is None:
        return False
    traded = after.tallies[lab].trades > before.tallies[lab].trades
    return traded or action.action in ("allocate_to_job", "release_capacity")


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
    the engine divides by the ceiling instead (``bazaarbatna.market.planner``).
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

    ``best`` is what the best plan would bring, in hundredths of a credit. ``judged`` is a judge's
    bonus for this step; None where no judge sits, and the published mix counts keywords instead.
    ``judge_pays``: the default mix adds it too, else its column only reports it, so that the sum
    stays the change of true utility.
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
    # The same for the third time; a lab with nothing to do may wait as long as it likes.
    if action is None or action.action in ("wait", "finish"):
        return False
    return repeats >= THIRD_TIME and repeats > before


def _saturated(state: State, lab: int, best: float) -> float:
    return min(max(state.tallies[lab].utility / max(best, LEAST_BEST), -1.0), 1.0)
