"""Runs demos in this process until the end or a pause, and ends matches that were left."""

import asyncio
import logging
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from arena.gpu_market.web import matches
from arena.gpu_market.web.game import position_of
from arena.gpu_market.web.players import Turn, is_awaited, think, until_awaited
from arena.models import GOES_ON, MarketMatch
from bazaarbatna.market import MarketAction, apply
from bazaarbatna.market.errors import MarketError
from negotiation.errors import SessionError
from negotiation.games.event_log import ClaimLost
from negotiation.games.lease import RUNNER
from negotiation.games.runner import Runners
from negotiation.models import EventRow
from negotiation.threads import in_thread

log = logging.getLogger(__name__)

LEAVE = MarketAction("finish")
RETRY_AFTER_S = 1.0
LOOK_EVERY_S = 0.5  # whether it has been paused or told to go faster


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
        matches.append(match.game, position, turns, abandoned=True)
    except ClaimLost:
        # Whoever had left it has just acted.
        return False
    return True


def claim(match_id: str) -> bool:
    """Take a demo over if nobody runs it, or a match that is to be ended because it was left."""
    mine = MarketMatch.objects.filter(pk=match_id)
    wanted = mine.filter(Q(pk__in=_to_run()) | Q(pk__in=left()))
    return wanted.exists() and RUNNER.take(mine)


def renew(match_id: str) -> bool:
    """Hold on to a demo; False when another process has taken it over meanwhile."""
    return RUNNER.renew(MarketMatch.objects.filter(pk=match_id))


def orphans() -> list[str]:
    """Find demos that somebody should run, and matches that nobody comes back to."""
    found: list[str] = []
    for rows in (_to_run(), left()):
        # In any order: those that cannot be played must not stand before all others for ever.
        free = rows.filter(RUNNER.is_free()).order_by("?")
        found += free.values_list("pk", flat=True)[:50]
    return found


def _to_run() -> "QuerySet[MarketMatch]":
    return MarketMatch.objects.filter(GOES_ON, is_over=False)


def _pause_between_turns(match_id: str) -> float | None:
    row = _to_run().filter(pk=match_id).values_list("pace_s", flat=True).first()
    if row is None:
        RUNNER.give_up(MarketMatch.objects.filter(pk=match_id))
    return row


async def _play(match_id: str) -> None:
    try:
        if await think(match_id, end, match_id):
            return
    except (SessionError, MarketError, DatabaseError):
        log.exception("a market that was left cannot be ended", extra={"game": match_id})
        await asyncio.sleep(RETRY_AFTER_S)
    clock = asyncio.get_running_loop()
    since = clock.time()
    while (pause_s := await in_thread(_pause_between_turns)(match_id)) is not None:
        left_s = since + pause_s - clock.time()
        if left_s > 0:
            # In short naps: whoever changes the pace may sit at another process.
            await asyncio.sleep(min(left_s, LOOK_EVERY_S))
            continue
        try:
            await think(match_id, matches.step, match_id)
        except (SessionError, DatabaseError):
            log.exception("a market stumbled", extra={"game": match_id})
            await asyncio.sleep(RETRY_AFTER_S)
        since = clock.time()


_runners = Runners("market", _play, claim=claim, renew=renew, orphans=orphans)
start = _runners.start
start_from_thread = _runners.start_from_thread
sweep = _runners.sweep
sweep_from_thread = _runners.sweep_from_thread
