"""Matches that nobody comes back to: a person who has not acted for long, a demo left paused.

The lab of such a person leaves the market, as with ``finish``, and everybody else plays on to the
end. So the log stays one that the rules allow, its sealed values open, and it reads as any other;
only the row says that it was abandoned.
"""

from datetime import timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from arena.gpu_market.engine import MarketAction, apply
from arena.gpu_market.web import appending
from arena.gpu_market.web.game import position_of
from arena.gpu_market.web.players import Turn, is_awaited, until_awaited
from arena.models import GOES_ON, MarketMatch
from negotiation.games.log_writing import ClaimLost
from negotiation.models import EventRow

LEAVE = MarketAction("finish")


def left() -> "QuerySet[MarketMatch]":
    """Select matches in which nothing has happened for ``BAZAAR_MARKET_LEFT_HOURS``."""
    before = timezone.now() - timedelta(hours=settings.MARKET_LEFT_HOURS)
    # One row of each match, by its number: asked every second by every process with visitors.
    last = EventRow.objects.filter(game=OuterRef("pk"), seq=OuterRef("game__last_seq"))
    return MarketMatch.objects.filter(
        ~GOES_ON,
        Exists(last.filter(created_at__lt=before)),
        is_over=False,
        game__created_at__lt=before,
    )


def end(match_id: str) -> bool:
    """End a match that was left; False where somebody came back in this moment."""
    match = left().select_related("game").filter(pk=match_id).first()
    if match is None:
        return False
    position = position_of(match.game)
    state, seats = position.state, tuple(match.seats)
    turns: list[Turn] = []
    while state.ended is None:
        if is_awaited(state, seats):
            turns.append(Turn(*apply(state, state.turn, LEAVE)))
        turns += until_awaited(turns[-1].state if turns else state, seats)
        state = turns[-1].state
    try:
        appending.append(match.game, position, turns, abandoned=True)
    except ClaimLost:
        # Whoever had left it has just acted.
        return False
    return True
