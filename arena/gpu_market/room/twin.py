"""What the shocks of a finished match cost each lab, for pages and the API."""

import functools
from typing import Any

from arena.gpu_market.engine.quantities import LAB_IDS, to_credits
from arena.gpu_market.room.errors import NotOver
from arena.gpu_market.room.facts import Facts
from arena.gpu_market.room.game import MARKET
from arena.gpu_market.room.seating import check_here
from arena.gpu_market.room.visibility import READER, Frame, shown
from arena.gpu_market.twins import STAND_IN, Twin, shock_twin
from arena.market_models import MarketMatch

KEPT = 32
"""Twins that one process remembers."""


def shock_costs(match: MarketMatch) -> dict[str, Any]:
    """Tell what shocks cost, in credits; less than 0 where they helped.

    Raises:
        NotOver: the match is live: its shocks are sealed.
        NoPlayer: whoever played a lab is gone.
    """
    twin = _twin_of(match)
    return {
        "shocks": [
            {"round": one.round, "shock": one.kind}
            for one in MARKET.scenario_of(match.pk).sealed.shocks
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
    return frames_of(_twin_of(match), tuple(match.seats))


def frames_of(twin: Twin, seats: tuple[str, ...]) -> tuple[list[Frame], list[Frame]]:
    """Show a twin's worlds to a reader, the struck one and the calm one."""
    return (
        shown(list(enumerate(twin.struck, start=1)), Facts(twin.scenario, seats), READER),
        shown(list(enumerate(twin.calm, start=1)), Facts(twin.calm_scenario, seats), READER),
    )


def _twin_of(match: MarketMatch) -> Twin:
    if not match.is_over:
        raise NotOver
    check_here(match.seats)
    return played(match.pk, tuple(match.seats))


@functools.lru_cache(maxsize=KEPT)
def played(match_id: str, seats: tuple[str, ...], number: int | None = None) -> Twin:
    """Play the twin of a finished match; the caller has seen to it that it is over.

    Raises:
        IndexError: there is no shock of that number.
    """
    return shock_twin(MARKET.scenario_of(match_id), seats, number)
