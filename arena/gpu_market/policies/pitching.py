"""An expert that also argues: it states its case, works, and pitches when it would wait."""

from arena.gpu_market.engine.actions import MarketAction
from arena.gpu_market.engine.observe import Observation
from arena.gpu_market.judging.pitching import pitch_when_idle
from arena.gpu_market.policies.expert import rule_expert


def pitching_expert(seen: Observation) -> MarketAction:
    """Pitch the first job as the market opens, and what is new in idle turns; else work."""
    work = rule_expert(seen)
    return pitch_when_idle(seen) if seen.round == 0 or work.action == "wait" else work
