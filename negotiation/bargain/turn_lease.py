"""A live policy's turn from claim to log: one process asks, the others see that it does.

A turn may cost money and seconds, so it is claimed before anybody is asked: by a conditional
update that names a time, which is moved on while the thinker lives. A process that dies leaves a
claim that runs out by itself.
"""

import time

import msgspec
from django.db.models import Q

from negotiation.bargain import opponent, sessions
from negotiation.bargain.game import Position
from negotiation.engine.observe import observe
from negotiation.games.lease import Lease
from negotiation.models import Game
from negotiation.policies import LivePolicy, Played, Request, policy

TURN = Lease(until="thinking_until")

SILENT_S = 3600.0
"""For so long nobody asks again about words that were answered with silence."""


class Thought(msgspec.Struct, frozen=True):
    """A claimed turn: whom to ask what, about which position."""

    game: Game
    position: Position
    live: LivePolicy
    request: Request
    started: float


def begin(game_id: str) -> Thought | None:
    """Play a turn that needs no waiting; claim one that does.

    Returns:
        None when there is nothing (more) to do here: no turn is due, the plain policy has played
        it, or somebody else is thinking.

    Raises:
        UnknownGame: there is no such game.
        Busy: other writers were faster too often.
    """
    game, position = sessions.current(game_id)
    if not opponent.is_due(position.state, game.policy):
        return None
    thought = _thought(game, position)
    if thought is not None:
        return thought if _claim(thought) else None
    turn = opponent.take(position.state, game.policy, position.seq)
    if turn is not None and not sessions.write_turn(game, position, turn):
        # Another writer was faster; perhaps there is nothing left to do.
        sessions.opponent_turn(game_id)
    return None


def finish(thought: Thought, played: Played) -> bool:
    """Write down what a live policy answered; False when the game went on without it."""
    took_ms = round((time.perf_counter() - thought.started) * 1000)
    position = thought.position
    turn = opponent.took(position.state, thought.game.policy, position.seq, played, took_ms)
    if turn is None:
        _hold(thought, SILENT_S)
        return False
    return sessions.write_turn(thought.game, position, turn)


def renew(thought: Thought) -> None:
    """Hold on to a claim."""
    _hold(thought, TURN.seconds)


def _thought(game: Game, position: Position) -> Thought | None:
    entry = policy(game.policy) if opponent.knows(game.policy) else None
    if entry is None or entry.live is None or not entry.live.awake():
        return None
    state = position.state
    request = Request(
        observation=observe(state, entry.side),
        seed=state.scenario.sealed.seed,
        game=game.pk,
        client=game.client,
        speak_only=state.to_move != entry.side,
    )
    return Thought(game, position, entry.live, request, time.perf_counter())


def _claim(thought: Thought) -> bool:
    seq = thought.position.seq
    free = TURN.is_free() | Q(thinking_at_seq__lt=seq)
    rows = Game.objects.filter(free, pk=thought.game.pk, last_seq=seq)
    # Nothing got updated: another process is thinking about this position, or the log has grown.
    return TURN.extend(rows, thinking_at_seq=seq)


def _hold(thought: Thought, seconds: float) -> None:
    seq = thought.position.seq
    rows = Game.objects.filter(pk=thought.game.pk, last_seq=seq, thinking_at_seq=seq)
    TURN.extend(rows, seconds)
