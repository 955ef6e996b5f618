"""A policy's move in a match: asked as in the two-sided game, and always a legal one.

Plain policies answer at once, in a thread. A policy with an awake live form (a model) is asked
through it, within a time limit; whatever fails there, the plain form plays.
"""

import asyncio
import logging
import time

import msgspec
from django.conf import settings

from arena.buyers import in_a_match, player_of, seed_of
from arena.engine.match import ArenaState, place
from arena.engine.moves import ArenaMove, Hold
from arena.engine.observe import as_duel, observe
from negotiation.engine.errors import GameError
from negotiation.engine.moves import Accept, Offer, Walk
from negotiation.games.log_rows import Served
from negotiation.policies import Entry, Played, Request, UnknownPolicy, policy
from negotiation.threads import in_thread

log = logging.getLogger(__name__)

LATE_S = 2.0
"""A live policy keeps its own time limit; after so much more nobody waits for it."""

LAST_RESORT = "last-resort"


class Asked(msgspec.Struct, frozen=True):
    """A turn in a match: which buyer, where the match stands, and on whose account."""

    state: ArenaState
    index: int
    game_id: str
    client: str


class Envelope(msgspec.Struct, frozen=True):
    """A legal move and who made it."""

    move: ArenaMove
    served: Served


async def envelope_of(asked: Asked) -> Envelope:
    """Let the policy in a seat fill its envelope."""
    name = asked.state.scenario.seats[asked.index].policy
    try:
        entry = policy(name)
    except UnknownPolicy:
        log.exception("policy is gone")
        return _held(time.perf_counter())
    if entry.live is not None and entry.live.awake():
        lively = await _live(asked, entry)
        if lively is not None:
            return lively
    return await in_thread(plain)(asked, entry)


def plain(asked: Asked, entry: Entry) -> Envelope:
    """Let the plain form of a policy play; it sees nothing but its own observation."""
    started = time.perf_counter()
    try:
        chosen = player_of(asked.state.scenario, asked.index)(observe(asked.state, asked.index))
        place(asked.state, asked.index, chosen)
    # A policy is foreign code: whatever it does, the match goes on.
    except Exception:
        log.exception("policy failed", extra={"policy": entry.name})
        return _held(started)
    return Envelope(chosen, Served(entry.backend, entry.version, _ms_since(started)))


async def _live(asked: Asked, entry: Entry) -> Envelope | None:
    assert entry.live is not None
    seen = observe(asked.state, asked.index)
    request = Request(as_duel(seen), _seed(asked), asked.game_id, asked.client)
    started = time.perf_counter()
    try:
        async with asyncio.timeout(settings.SAUDA_TURN_BUDGET_S + LATE_S):
            played = await entry.live.turn(request, _unheard)
        return _checked(asked, played, _ms_since(started))
    # As above.
    except Exception:
        log.exception("live policy failed", extra={"policy": entry.name})
        return None


def _checked(asked: Asked, played: Played, took_ms: int) -> Envelope | None:
    answer = played.answer
    if not isinstance(answer, Accept | Offer | Walk):
        return None
    name = asked.state.scenario.seats[asked.index].policy
    seen = observe(asked.state, asked.index)
    move = in_a_match(seen, answer, name, _seed(asked))
    try:
        place(asked.state, asked.index, move)
    except GameError:
        log.exception("live policy broke a rule")
        return None
    return Envelope(move, Served(played.backend, played.version, took_ms, played.passed_over))


def _seed(asked: Asked) -> int:
    return seed_of(asked.state.scenario.sealed.seed, asked.index)


def _held(started: float) -> Envelope:
    return Envelope(Hold(), Served(LAST_RESORT, f"{LAST_RESORT}@1", _ms_since(started)))


def _unheard(words: str) -> None:
    """Nobody reads along: envelopes are sealed."""


def _ms_since(started: float) -> int:
    return round((time.perf_counter() - started) * 1000)
