"""Who plays a seat: registered buyers of the two-sided game, in a match.

Plain policies answer at once, in a thread, and put no words into the envelope. A policy with an
awake live form (a model) is asked through it, within a time limit, and keeps its words where they
fit what it does; whatever fails there, the plain form plays.
"""

import asyncio
import logging
import time

import msgspec
from django.conf import settings

from agents.output_guard.coherence import first_coherent
from arena.auction.web.bidding import contested, manner_of, manner_version
from bazaarbatna.auction.events import ArenaMove, Bid, Hold, Leave, Take
from bazaarbatna.auction.match import ArenaState, place
from bazaarbatna.auction.observe import ArenaObservation, Player, as_duel, observe
from bazaarbatna.auction.scenario import MOST_BUYERS, ArenaScenario
from bazaarbatna.bargain.errors import GameError
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.quantities import MIN_PRICE
from bazaarbatna.players.guard import guard
from negotiation.games.event_log import Served
from negotiation.policies import Entry, Played, Request, UnknownPolicy, policy
from negotiation.threads import in_thread


def _as_duel_move(seen: ArenaObservation, done: ArenaMove) -> Move:
    match done:
        case Bid(price):
            return Offer(price)
        case Take():
            return Accept()
        case Leave():
            return Walk()
        case Hold():
            return Offer(seen.own_bid or MIN_PRICE)


def _is_same(move: Move, made: Move) -> bool:
    if isinstance(move, Offer) and isinstance(made, Offer):
        return move.price == made.price
    return type(move) is type(made)


log = logging.getLogger(__name__)

STAND_IN = "rules:smart"  # plays on for a person, or for a policy that is gone

LATE_S = 2.0
"""Beyond a live policy's own time limit; after so much more nobody waits for it."""

LAST_RESORT = "last-resort"


def in_a_match(seen: ArenaObservation, move: Move, policy_name: str, seed: int) -> ArenaMove:
    """Return the move among rivals of a policy that would make ``move`` in ``as_duel(seen)``.

    ``move`` may be any nonsense; its words stay where they fit what is done. ``seed`` is that of
    the seat.
    """
    move = guard(as_duel(seen), move)
    done = contested(seen, move, manner_of(policy_name), seed)
    made = _as_duel_move(seen, done)
    fits = bool(move.text) and done.signal != "bluff" and _is_same(move, made)
    words = first_coherent((move.text,), as_duel(seen), made) if fits else ""
    return msgspec.structs.replace(done, text=words)


def seed_of(scenario_seed: int, seat: int) -> int:
    """Return the seed of a seat: two seats with one policy play differently."""
    return MOST_BUYERS * scenario_seed + seat


def player(policy_name: str, seed: int, seat: int) -> Player:
    """Return the plain form of a policy as a player without words; raises ``UnknownPolicy``.

    ``seed`` is that of the match.
    """
    own_seed = seed_of(seed, seat)
    buyer = policy(policy_name).make(own_seed)
    act = getattr(buyer, "decide", buyer.act)

    def play(seen: ArenaObservation) -> ArenaMove:
        try:
            move = in_a_match(seen, act(as_duel(seen)), policy_name, own_seed)
            return msgspec.structs.replace(move, text="")
        # A policy is foreign code: whatever it does, the match goes on.
        except Exception:
            log.exception("policy failed in a match", extra={"policy": policy_name})
            return Hold()

    return play


def player_of(scenario: ArenaScenario, seat: int) -> Player:
    """Return the player that a seat is pinned to; for a person or a lost policy the stand-in."""
    chair, seed = scenario.seats[seat], scenario.sealed.seed
    try:
        return player(STAND_IN if chair.person else chair.policy, seed, seat)
    except UnknownPolicy:
        return player(STAND_IN, seed, seat)


def seat_version(policy_name: str) -> str:
    """Return a policy's version and that of its manner; raises ``UnknownPolicy``."""
    return f"{policy(policy_name).version}+{manner_version(policy_name)}"


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
