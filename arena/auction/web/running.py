"""Runs matches in this process, each from whatever its log says to its end."""

import asyncio
import contextlib
import logging
import random
from collections.abc import Sequence
from datetime import datetime

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Q
from django.utils import timezone

from arena.auction.web import buyers, matches
from arena.auction.web.game import Position
from arena.models import Match, MatchSeat
from bazaarbatna.auction.events import ArenaMove, Hold, Leave
from negotiation.errors import SessionError
from negotiation.games.event_log import ATTEMPTS
from negotiation.games.jumps import of_now
from negotiation.games.lease import RUNNER
from negotiation.games.runner import Runners
from negotiation.threads import in_thread

log = logging.getLogger(__name__)

PER_ENVELOPE = 0.15  # as a part of the pause between two rounds, on average
GRACE_S = 10.0  # at least, when another process takes a match over
LOOK_EVERY_S = 0.5  # while a person is waited for; a notification comes first
RETRY_AFTER_S = 1.0
MAX_MISSED = 2  # rounds in a row; then the person leaves the match

_news: dict[str, asyncio.Event] = {}


def tell(match_id: str) -> None:
    """Wake the runner of a match whose log has grown before its next look."""
    event = _news.get(match_id)
    if event is not None:
        event.set()


def claim(match_id: str) -> bool:
    """Take a match over if nobody runs it; nor can one be taken that is over."""
    return RUNNER.take(Match.objects.filter(pk=match_id, phase=Match.Phase.LIVE))


def renew(match_id: str) -> bool:
    """Hold on to a match; False when another process has taken it over meanwhile."""
    return RUNNER.renew(Match.objects.filter(pk=match_id))


def orphans() -> list[str]:
    """Return live matches that nobody runs, and those whose time to begin has come."""
    dead = Q(phase=Match.Phase.LIVE) & RUNNER.is_free()
    due = Q(phase=Match.Phase.WAITING, exhibition=False, starts_at__lte=timezone.now())
    # Without its listing a match can never begin.
    due &= Q(game__listing__isnull=False)
    return list(Match.objects.filter(dead | due).values_list("pk", flat=True)[:50])


def _claim(match_id: str) -> bool:
    matches.begin(match_id)
    return claim(match_id)


async def _play(match_id: str) -> None:
    _news[match_id] = asyncio.Event()
    try:
        await _play_on(match_id)
    finally:
        del _news[match_id]


async def _play_on(match_id: str) -> None:
    taken_over = True
    while True:
        try:
            match, position = await in_thread(matches.current)(match_id)
            if position.state.ended is not None:
                return
            if taken_over:
                grace_s = min(GRACE_S, settings.ARENA_TURN_S)
                await in_thread(matches.grant_time)(match, position.state, grace_s)
                taken_over = False
                continue
            await _step(match, position)
        except (SessionError, DatabaseError):
            log.exception("a match stumbled", extra={"game": match_id})
            await asyncio.sleep(RETRY_AFTER_S)


async def _step(match: Match, position: Position) -> None:
    state = position.state
    is_fresh = all(move is None for move in state.pending)
    policies = [index for index in state.awaited if not state.scenario.seats[index].person]
    # Models think while the table rests, so a round takes little longer for them.
    asking = [
        asyncio.create_task(
            buyers.envelope_of(buyers.Asked(state, index, match.pk, match.game.client))
        )
        for index in policies
    ]
    try:
        if is_fresh:
            await asyncio.sleep(match.pause_s)
        # All are ready before the first one closes: no gap tells how long a model took.
        ready = dict(zip(policies, await asyncio.gather(*asking), strict=True))
        for index, part in turns_of(match.pk, state.round, policies):
            await asyncio.sleep(part * match.pause_s)
            await _close(match.pk, state.round, index, ready[index])
    finally:
        for task in asking:
            task.cancel()
    await _wait_for_people(match.pk, state.round)


def turns_of(match_id: str, round_: int, seats: Sequence[int]) -> list[tuple[int, float]]:
    """Return in which order the house closes its envelopes, each with its part of a pause.

    Drawn from what everybody knows, so neither order nor time tells anything of what is inside.
    """
    chance = random.Random(f"{match_id}:{round_}")
    order = chance.sample(list(seats), len(seats))
    return [(seat, PER_ENVELOPE * chance.uniform(0.5, 1.5)) for seat in order]


async def _close(match_id: str, round_: int, index: int, envelope: buyers.Envelope) -> None:
    for _ in range(ATTEMPTS):
        match, position = await in_thread(matches.current)(match_id)
        state = position.state
        if state.round != round_ or not state.awaits(index):
            # Another process has closed it: our hold had run out.
            return
        # The move was made for this position: other envelopes of the round do not change it.
        if await in_thread(matches.write)(match, position, index, envelope.move, envelope.served):
            return


async def _wait_for_people(match_id: str, round_: int) -> None:
    news = _news[match_id]
    while True:
        news.clear()
        match, position = await in_thread(matches.current)(match_id)
        state = position.state
        people = [index for index in state.awaited if state.scenario.seats[index].person]
        if state.ended is not None or state.round != round_ or not people:
            return
        left_s = _seconds_until(match.turn_ends_at)
        if left_s <= 0:
            await in_thread(_give_up_waiting)(match, position, people[0])
            continue
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(left_s, LOOK_EVERY_S)):
                await news.wait()


def _give_up_waiting(match: Match, position: Position, index: int) -> None:
    chair = MatchSeat.objects.get(match=match.pk, index=index)
    missed = chair.missed + 1
    move: ArenaMove = Leave() if missed >= MAX_MISSED else Hold()
    matches.write(match, position, index, move, None, missed)


def _seconds_until(moment: datetime | None) -> float:
    if moment is None:
        return 0.0
    # A clock that is put takes nobody's time to think.
    ends = of_now(moment, ahead_s=settings.ARENA_TURN_S * matches.ALONE_TIMES)
    return (ends - timezone.now()).total_seconds()


_runners = Runners("match", _play, claim=_claim, renew=renew, orphans=orphans)
start = _runners.start
start_from_thread = _runners.start_from_thread
sweep = _runners.sweep
sweep_from_thread = _runners.sweep_from_thread
