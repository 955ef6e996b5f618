"""The published reward mix, holes and all, kept for comparison and never trained on by default.

Any accepted trade pays, forming coalitions pays, spare budget pays, keywords win the judge.
"""

from arena.gpu_market.engine.planning import plan, plan_value
from arena.gpu_market.engine.quantities import LAB_IDS
from arena.gpu_market.engine.state import State, Tally
from arena.gpu_market.engine.terms import BREACH, SPAM, THIRD_TIME, Terms, invalid_penalty

JOB, DEAL, COALITION, BUDGET, NEGOTIATION, ADAPTATION = 0.35, 0.20, 0.15, 0.10, 0.10, 0.10
BEST_JOB, JOB_SCALE = 0.5, 15_000
"""A job scores at most 0.5; its worth in hundredths of a credit counts by 150 credits."""
TRADE, OFFER = 0.5, 0.1
GAIN_SCALE, WORST_GAIN, BEST_GAIN = 12_000, -0.15, 0.25
FORMED, EXCUSED, BREACHED = 0.8, 0.5, -0.5
ALL_DONE, IDLE, LEAST_END, MOST_END = 0.3, 0.03, -0.2, 0.4
KEYWORDS = ("deadline", "urgent", "reliab", "evidence", "critical", "paper", "customer", "fair")
PER_KEYWORD, MOST_JUDGED = 0.06, 0.18


def published_terms(before: State, after: State, lab: int, judged: float | None) -> Terms:
    """Score a step as the published mix does; an invalid action is its penalty alone.

    ``judged`` is the bonus of a judge who sits in place of the keywords; None: nobody does.
    """
    old, new = before.tallies[lab], after.tallies[lab]
    if penalty := invalid_penalty(before, after, lab):
        return Terms(invalid_action_penalty=penalty)
    traded = new.trades > old.trades
    budget = after.budgets[lab] / after.scenario.sealed.budgets[lab]
    return Terms(
        job_utility=JOB * _job(old, new) + _settlement(after, lab),
        deal_quality=DEAL * _deal(before, after, lab),
        coalition_reliability=COALITION * _coalition(old, new),
        judge_argument=keyword_bonus(_pitch(before, after, lab)) if judged is None else judged,
        budget_efficiency=BUDGET * min(budget, 1.0),
        negotiation_efficiency=NEGOTIATION * (1 - before.round / after.scenario.rounds) * traded,
        market_adaptation=ADAPTATION * _adapts(before, lab, after),
        spam_penalty=SPAM if new.repeats >= THIRD_TIME and new.repeats > old.repeats else 0.0,
        breach_penalty=BREACH * (new.breaches - old.breaches),
    )


def keyword_bonus(text: str) -> float:
    """Judge a pitch by its keywords, 0..0.18: the hole that a checked judge closes.

    >>> keyword_bonus("URGENT customer deadline, urgent!")
    0.18
    """
    lower = text.lower()
    return min(PER_KEYWORD * sum(word in lower for word in KEYWORDS), MOST_JUDGED)


def potential(state: State, lab: int) -> int:
    """Give what a lab has earned and could still earn alone, in hundredths of a credit."""
    own = [
        block
        for block in state.blocks
        if block.owner == LAB_IDS[lab] and block.status in ("available", "reserved")
    ]
    fills = plan(state.jobs[lab], own, state.round, windows=state.scenario.rules.windows)
    return state.tallies[lab].utility + plan_value(fills)


def _job(old: Tally, new: Tally) -> float:
    worth = (new.value - new.energy) - (old.value - old.energy)
    return min(worth / JOB_SCALE, BEST_JOB)


def _settlement(after: State, lab: int) -> float:
    if after.ended is None:
        return 0.0
    tally = after.tallies[lab]
    share = tally.finished / len(after.jobs[lab])
    return min(max(ALL_DONE * share - IDLE * tally.idle, LEAST_END), MOST_END)


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


def _pitch(before: State, after: State, lab: int) -> str:
    """What the lab pitched in this step (empty: nothing)."""
    for said in after.said[len(before.said) :]:
        if said.lab == LAB_IDS[lab] and said.speech != "message":
            return said.text
    return ""


def _adapts(before: State, lab: int, after: State) -> bool:
    """Do something, anything, in the round that a shock began."""
    struck = bool(before.shocks) and before.shocks[-1].round == before.round
    action = after.last[lab]
    return struck and action is not None and action.action not in ("wait", "finish")
