"""The ten columns before they are added up, and the penalties that both mixes share."""

import msgspec

from arena.gpu_market.engine.refusals import Code
from arena.gpu_market.engine.state import State

INVALID, MALFORMED = -0.10, -0.15
SPAM, THIRD_TIME = -0.05, 3
BREACH = -0.2


class Terms(msgspec.Struct, frozen=True, gc=False):
    """What each column contributes to the reward of a step.

    Attributes:
        job_utility: value of jobs less energy.
        deal_quality: money received less money paid.
        coalition_reliability: 0 in the default mix.
        judge_argument: 0 in the default mix; a judge's bonus comes from outside.
        budget_efficiency: 0 in the default mix.
        negotiation_efficiency: 0 in the default mix.
        market_adaptation: 0 in the default mix.
        invalid_action_penalty: 0 or less.
        spam_penalty: 0 or less.
        breach_penalty: 0 or less.
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
    """Give what the last action costs a lab for being invalid; 0 for a valid one."""
    result = after.results[lab]
    if result is None or after.tallies[lab].refused == before.tallies[lab].refused:
        return 0.0
    return _PENALTIES.get(result.code, INVALID)


_PENALTIES: dict[Code | None, float] = {"malformed_action": MALFORMED}
