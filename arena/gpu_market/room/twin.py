"""What the shocks of a finished match cost each lab, for pages and the API."""

import functools
from typing import Any

from arena.gpu_market.engine.quantities import LAB_IDS, to_credits
from arena.gpu_market.room.errors import NotOver
from arena.gpu_market.room.facts import Facts
from arena.gpu_market.room.stored import stored_scenario
from arena.gpu_market.room.visibility import READER, Frame, shown
from arena.gpu_market.twins import STAND_IN, Twin, shock_twin
from arena.market_models import MarketMatch


def shock_costs(match: MarketMatch) -> dict[str, Any]:
    """Tell what shocks cost, in credits; less than 0 where they helped.

    Raises:
        NotOver: the match is live: its shocks are sealed.
    """
    twin = _twin_of(match)
    return {
        "shocks": [
            {"round": one.round, "shock": one.kind}
            for one in stored_scenario(match.pk).sealed.shocks
        ],
        "labs": [
            {
                "lab": one.lab,
                "struck": to_credits(one.struck),
                "calm": to_credits(one.calm),
                "cost": to_credits(one.cost),
            }
            for one in twin.costs
        ],
        "stand_in": STAND_IN if twin.stand_ins else None,
        "stand_ins": [LAB_IDS[lab] for lab in twin.stand_ins],
    }


def twin_frames(match: MarketMatch) -> tuple[list[Frame], list[Frame]]:
    """Give both worlds as replay frames, the struck one and the calm one.

    Raises:
        NotOver: the match is live.
    """
    twin = _twin_of(match)
    facts = Facts(stored_scenario(match.pk), tuple(match.seats))
    return (
        shown(list(enumerate(twin.struck, start=1)), facts, READER),
        shown(list(enumerate(twin.calm, start=1)), facts, READER),
    )


def _twin_of(match: MarketMatch) -> Twin:
    if not match.is_over:
        raise NotOver
    return _played(match.pk, tuple(match.seats))


@functools.lru_cache(maxsize=32)
def _played(match_id: str, seats: tuple[str, ...]) -> Twin:
    return shock_twin(stored_scenario(match_id), seats)
