"""Play, pause and step of a demo, and how many demos may be under way."""

from typing import Literal

from arena.gpu_market.room import matches
from arena.gpu_market.room.errors import BadMarket, NoControls
from arena.gpu_market.room.game import is_owner
from arena.market_models import GOES_ON, MarketMatch
from negotiation.engine.errors import GameOver
from negotiation.errors import RateLimited

Pause = bool | Literal["step"]
"""True stops a demo, False lets it go on, "step" lets one lab act and stops it."""

RUNNING_PER_CLIENT = 4
"""Demos of one address that may be under way at once; paused ones do not count."""

RUNNING_AT_ONCE = 80
"""Demos of all addresses that may be under way at once."""

WAIT_S = 20
"""When somebody who found no room may ask again."""

SLOWEST_S = 60.0


def pace(match_id: str, visitor: str, pause: Pause, pace_s: float | None = None) -> bool:
    """Change how fast a demo goes.

    Args:
        match_id: the demo.
        visitor: session key of whoever asks.
        pause: what to do.
        pace_s: seconds between two turns from now on, 0..60; None: as before.

    Returns:
        Whether it is to be run now.

    Raises:
        UnknownGame: there is no such match for this visitor.
        NoControls: the visitor did not start it, or a person plays in it.
        GameOver: it has ended.
        BadMarket: the pace is out of range.
        RateLimited: too many demos are under way.
    """
    match = matches.find(match_id, visitor)
    if not match.is_demo or not is_owner(match, visitor):
        raise NoControls
    if match.is_over:
        raise GameOver("The market has closed.")
    # Written so that it refuses NaN as well.
    if pace_s is not None and not 0 <= pace_s <= SLOWEST_S:
        raise BadMarket(f"A pace is 0 to {SLOWEST_S:g} seconds.", "pace")
    if pause is False and match.is_paused:
        check_room(match.game.client)
    faster = {} if pace_s is None else {"pace_s": pace_s}
    matches.set_pace(match_id, is_paused=pause is not False, **faster)
    if pause == "step":
        matches.step(match_id, even_paused=True)
    return pause is False


def check_room(client: str) -> None:
    """Refuse one more demo under way when there are too many.

    Raises:
        RateLimited: with the seconds after which it is worth asking again.
    """
    running = MarketMatch.objects.filter(GOES_ON, is_over=False)
    if running.filter(game__client=client).count() >= RUNNING_PER_CLIENT:
        raise RateLimited(
            f"{RUNNING_PER_CLIENT} of your demos are under way; pause one, or wait.", WAIT_S
        )
    if running.count() >= RUNNING_AT_ONCE:
        raise RateLimited("Many demos are under way; start yours a little later.", WAIT_S)
