"""The opponent's turns of this process, from claim to log, beside the sockets.

A turn may cost money and seconds, so it is claimed before anybody is asked: by a conditional update
that names a time, moved on while the thinker lives. A claim whose process died runs out; whoever
looks at such a game starts the turn again, and one of many writers wins.
"""

import asyncio
import contextlib
import functools
import logging
import time

import msgspec
from django.conf import settings
from django.db import DatabaseError
from django.db.models import QuerySet
from django.utils import timezone

from bazaarbatna.bargain.events import OfferMade
from negotiation.bargain import opponent, sessions
from negotiation.bargain.commands import is_bare_price
from negotiation.bargain.game import Position
from negotiation.bargain.sessions import TURN
from negotiation.bargain.terms import terms_of
from negotiation.errors import SessionError
from negotiation.games.jumps import of_now
from negotiation.games.lease import renewing
from negotiation.games.notify import server_loop
from negotiation.games.runner import Runners
from negotiation.models import EventRow, Game
from negotiation.partial_text import PartialTextSender
from negotiation.policies import LivePolicy, Played, Request, policy
from negotiation.retry import retry
from negotiation.threads import in_thread


class Thought(msgspec.Struct, frozen=True):
    """A claimed turn: whom to ask what, about which position."""

    game: Game
    position: Position
    live: LivePolicy
    request: Request
    started: float


def begin(game_id: str, since: float = 0.0) -> Thought | None:
    """Play a turn that needs no waiting; claim one that does. ``since`` as in ``Request``.

    None when there is nothing (more) to do here: no turn is due, the plain policy has played it, or
    somebody else is thinking. Raises UnknownGame, and Busy where others were faster too often.
    """
    game, position = sessions.current(game_id)
    if not opponent.is_due(position.state, game.policy):
        return None
    thought = _thought(game, position, since)
    if thought is not None:
        return thought if sessions.claim_turn(game_id, thought.position.seq) else None
    chat = terms_of(game).chat
    guest = sessions.guest_of(game)
    turn = opponent.take(position.state, game.policy, position.seq, chat=chat, guest=guest)
    if turn is not None and not sessions.write_turn(game, position, turn):
        # Another writer was faster; perhaps there is nothing left to do.
        sessions.opponent_turn(game_id)
    return None


def finish(thought: Thought, played: Played) -> bool:
    """Write down what a live policy answered; False when the game went on without it."""
    took_ms = round((time.perf_counter() - thought.started) * 1000)
    position, chat = thought.position, terms_of(thought.game).chat
    guest = sessions.guest_of(thought.game)
    turn = opponent.took(
        position.state, thought.game.policy, position.seq, played, took_ms, chat=chat, guest=guest
    )
    if turn is None:
        # Nobody asks again about words that were answered with silence, until something is said.
        TURN.keep(_held(thought))
        return False
    return sessions.write_turn(thought.game, position, turn)


def listens_in_s(game_id: str) -> float:
    """Return for how many seconds a price that was read from words can still be taken back first.

    0 where nothing could be misheard, or the house has nothing to answer. Raises UnknownGame.
    """
    if not settings.TAKE_BACK_S:
        return 0.0
    game, position = sessions.current(game_id)
    seq = sessions.unanswered_offer(game, position)
    offer = position.events[seq - 1] if seq else None
    if not isinstance(offer, OfferMade) or is_bare_price(offer.text):
        return 0.0
    stored = EventRow.objects.values_list("created_at", flat=True).get(game=game_id, seq=seq)
    passed = (timezone.now() - of_now(stored)).total_seconds()
    return max(0.0, min(settings.TAKE_BACK_S - passed, settings.TAKE_BACK_S))


def renew(thought: Thought) -> None:
    """Hold on to a claim."""
    TURN.extend(_held(thought))


def _thought(game: Game, position: Position, since: float) -> Thought | None:
    entry = policy(game.policy) if opponent.knows(game.policy) else None
    if entry is None or entry.live is None or not entry.live.awake():
        return None
    state = position.state
    request = Request(
        observation=opponent.seen_from(state, entry.side, sessions.guest_of(game)),
        seed=state.scenario.sealed.seed,
        game=game.pk,
        client=game.client,
        speak_only=state.to_move != entry.side,
        since=since,
    )
    return Thought(game, position, entry.live, request, time.perf_counter())


def _held(thought: Thought) -> QuerySet[Game]:
    seq = thought.position.seq
    return Game.objects.filter(pk=thought.game.pk, last_seq=seq, thinking_at_seq=seq)


log = logging.getLogger(__name__)

RETRY_AFTER_S = (0.5, 1.0, 2.0)
"""Waits before a turn that failed is tried again; after the last one the next visit starts it."""

MAY_PASS = (SessionError, DatabaseError)

_replying: dict[str, tuple[int, asyncio.Task[Played]]] = {}


def start_turn(game_id: str, seq: int = 0) -> None:
    """Let the opponent act soon, on this event loop; asking twice at once means one turn.

    The log is known to reach ``seq``; words that were wanted earlier come too late.
    """
    if not _runners.start(game_id):
        about, reply = _replying.get(game_id, (seq, None))
        if reply is not None and about < seq:
            reply.cancel()


def start_turn_from_thread(game_id: str) -> None:
    """Let the opponent act soon, asked by a plain view; without a server here and now."""
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
        await _wait_for_second_thoughts(game_id)
        thought = await in_thread(begin)(game_id, time.monotonic())
        if thought is not None:
            await _think(thought)
    except MAY_PASS:
        log.exception("opponent's turn failed", extra={"game": game_id})
        raise


async def _wait_for_second_thoughts(game_id: str) -> None:
    while settings.TAKE_BACK_S:
        # Another price may have been named meanwhile, which has a moment of its own.
        left = await in_thread(listens_in_s)(game_id)
        if not left:
            return
        await asyncio.sleep(left)


async def _think(thought: Thought) -> None:
    game_id = thought.game.pk
    hold = functools.partial(renew, thought)
    chat = terms_of(thought.game).chat
    async with PartialTextSender(game_id) as sender, renewing(TURN, hold, game_id):
        show = sender.show if chat else _unheard
        asking = asyncio.create_task(thought.live.turn(thought.request, show))
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
    await in_thread(finish)(thought, played)


def _unheard(words: str) -> None:
    """Keep to oneself what is being written at a table where only prices count."""


_runners = Runners("opponent of", _turn, repeats=True)
