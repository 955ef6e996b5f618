"""Runs the buyer's turns of this process beside the sockets.

A turn is never lost: whoever looks at a game in which the buyer is due starts it again, and
``sessions.opponent_turn`` lets one of many writers win.
"""

import asyncio
import contextlib
import functools
import logging

from django.conf import settings
from django.db import DatabaseError

from negotiation.bargain import sessions, turn_lease
from negotiation.bargain.turn_lease import Thought
from negotiation.errors import SessionError
from negotiation.games.lease import renewing
from negotiation.games.runner import Runners
from negotiation.games.server_loop import server_loop
from negotiation.partial_text import PartialTextSender
from negotiation.policies import Played
from negotiation.retry import retry
from negotiation.threads import in_thread

log = logging.getLogger(__name__)

RETRY_AFTER_S = (0.5, 1.0, 2.0)
"""Waits before a turn that failed is tried again; after the last one the next visit starts it."""

MAY_PASS = (SessionError, DatabaseError)

_replying: dict[str, tuple[int, asyncio.Task[Played]]] = {}


def start_turn(game_id: str, seq: int = 0) -> None:
    """Let the house act soon, on this event loop; asking twice at once means one turn.

    Args:
        game_id: the game.
        seq: the log is known to reach so far; words that were wanted earlier come too late.
    """
    if not _runners.start(game_id):
        about, reply = _replying.get(game_id, (seq, None))
        if reply is not None and about < seq:
            reply.cancel()


def start_turn_from_thread(game_id: str) -> None:
    """Let the house act soon, asked by a plain view.

    Under a server the turn runs beside the sockets; without one (a management command, a test
    client) it runs here and now.
    """
    loop = server_loop()
    if loop is None:
        sessions.opponent_turn(game_id)
    else:
        loop.call_soon_threadsafe(start_turn, game_id)


async def _turn(game_id: str) -> None:
    await asyncio.sleep(settings.BUYER_PAUSE_S)
    attempt = functools.partial(_try_turn, game_id)
    with contextlib.suppress(*MAY_PASS):
        await retry(attempt, RETRY_AFTER_S, MAY_PASS)


async def _try_turn(game_id: str) -> None:
    try:
        thought = await in_thread(turn_lease.begin)(game_id)
        if thought is not None:
            await _think(thought)
    except MAY_PASS:
        log.exception("house's turn failed", extra={"game": game_id})
        raise


async def _think(thought: Thought) -> None:
    game_id = thought.game.pk
    renew = functools.partial(turn_lease.renew, thought)
    async with PartialTextSender(game_id) as sender, renewing(renew, game_id):
        asking = asyncio.create_task(thought.live.turn(thought.request, sender.show))
        if thought.request.speak_only:
            _replying[game_id] = (thought.position.seq, asking)
        try:
            played = await asking
        except asyncio.CancelledError:
            this = asyncio.current_task()
            if this is not None and this.cancelling():
                raise
            return  # the other side did not wait for words
        # A policy is foreign code: whatever it does, the person's game goes on.
        except Exception:
            log.exception("live policy failed", extra={"game": game_id})
            await in_thread(sessions.opponent_turn)(game_id)
            return
        finally:
            _replying.pop(game_id, None)
    await in_thread(turn_lease.finish)(thought, played)


_runners = Runners("house of", _turn, repeats=True)
