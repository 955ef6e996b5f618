"""The reward columns of a finished match, step by step, for pages and the API."""

from typing import Any

import msgspec

from arena.gpu_market.engine import COLUMNS
from arena.gpu_market.engine.quantities import LAB_IDS
from arena.gpu_market.room.errors import BadMarket, NotOver
from arena.gpu_market.room.game import facts_of, position_of
from arena.gpu_market.room.judge_rulings import bonuses
from arena.gpu_market.twins import steps_of
from arena.market_models import MarketMatch


def reward_steps(match: MarketMatch, lab: int) -> dict[str, Any]:
    """Tell what each step of a lab was worth; shares of the best plan, as in the environment.

    Raises:
        NotOver: the match is live: what a job brings is sealed, and so are jobs to come.
        BadMarket: there is no such lab.
    """
    if not match.is_over:
        raise NotOver
    position = position_of(match.game)
    if not 0 <= lab < len(match.seats):
        raise BadMarket(f"There are the labs 0 to {len(match.seats) - 1}.", "lab")
    judged = bonuses(facts_of(match, position))
    steps = steps_of(position.state.scenario, position.events, lab, judged=judged)
    return {
        "lab": LAB_IDS[lab],
        "columns": list(COLUMNS),
        "steps": [
            {"seq": one.seq, "round": one.round, **msgspec.structs.asdict(one.reward)}
            for one in steps
        ],
    }
