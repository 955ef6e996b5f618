"""Opens market matches, appends turns to their logs, and asks what if.

A writer works on the position it has read; where somebody else was faster
(``negotiation.games.event_log``) nothing is stored, so no turn is taken twice.
"""

import functools
import secrets
from collections.abc import Callable

from django.db import transaction

from arena.errors import NoSeat
from arena.gpu_market.engine import Malformed, MarketAction, apply, start
from arena.gpu_market.web import appending, judge_rulings
from arena.gpu_market.web.errors import BadAction, NotOver
from arena.gpu_market.web.game import KIND, MARKET, ending, lab_of, may_look, position_of
from arena.gpu_market.web.judge_rulings import Position
from arena.gpu_market.web.orders import Order, checked
from arena.gpu_market.web.players import Turn, make_ready, take_turn, until_awaited
from arena.models import MarketMatch
from negotiation.engine.errors import GameOver, NotYourTurn
from negotiation.errors import UnknownGame
from negotiation.games import notify
from negotiation.games.event_log import ClaimLost, to_payload
from negotiation.games.fork import fork
from negotiation.models import Game, SealedRecord

SUITE = "gpu-market@1"


def open_match(
    owner: str,
    order: Order,
    below: Callable[[int], int] = secrets.randbelow,
    *,
    client: str = "",
) -> MarketMatch:
    """Open a match. A person's match stands at the person's first turn, one of pace 0 at its end.

    Args:
        owner: session key of whoever starts it.
        order: what is wanted.
        below: gives an unguessable whole number of 0 up to its argument.
        client: key of the address that starts it.

    Raises:
        BadMarket: the order cannot be carried out, or a model that it needs is broken; nothing
            was stored.
    """
    plan = checked(order, below)
    make_ready(plan.seats)
    state, opening = start(plan.scenario)
    turns = [Turn(state, opening)]
    if not plan.is_demo or order.pace_s == 0:
        turns += until_awaited(state, plan.seats)
    state = turns[-1].state
    events = tuple(event for turn in turns for event in turn.events)
    with transaction.atomic():
        game = Game.objects.create(
            kind=KIND,
            source=Game.Source.ARENA,
            owner="",
            client=client,
            title=f"GPU market: {order.task}",
            policy=plan.seats[order.lab][:60],
            suite=SUITE,
            last_seq=len(events),
            **ending(state),
        )
        match = MarketMatch.objects.create(
            game=game,
            task=plan.scenario.task,
            seed=plan.seed,
            options=list(order.options),
            seats=list(plan.seats),
            owner=owner,
            is_public=plan.is_public,
            is_demo=plan.is_demo,
            is_over=state.ended is not None,
            pace_s=order.pace_s,
            judge=order.judge_mode,
        )
        SealedRecord.objects.create(game=game, scenario=to_payload(plan.scenario))
        appending.store(appending.rows(game, 1, turns))
        position = Position(len(events), events, state)
        transaction.on_commit(functools.partial(MARKET.positions.remember, game.pk, position))
    return match


def find(match_id: str, visitor: str) -> MarketMatch:
    """Return a match that a visitor may look at.

    Raises:
        UnknownGame: there is none, or it is somebody else's own affair.
    """
    match = MarketMatch.objects.select_related("game").filter(pk=match_id).first()
    if match is None or not may_look(match, visitor):
        raise UnknownGame
    return match


def act(
    match_id: str, visitor: str, action: MarketAction | Malformed, round_: int | None = None
) -> Position:
    """Let a person act, and everybody else until the person is awaited again.

    An action that breaks a rule uses the turn up, as for any lab. ``round_`` is the round that it
    is meant for; None: the present one.

    Raises:
        UnknownGame: there is no such match for this visitor.
        NoSeat: the visitor only looks on.
        BadAction: it cannot be read; nothing was recorded.
        GameOver, NotYourTurn: refused; nothing was recorded.
    """
    match = find(match_id, visitor)
    lab = lab_of(match, visitor)
    if lab is None:
        raise NoSeat("You look on; start a match of your own to play a lab.")
    if isinstance(action, Malformed):
        raise BadAction(action.why)
    position = position_of(match.game)
    state, seats = position.state, tuple(match.seats)
    if state.ended is not None:
        raise GameOver("The market has closed.")
    if state.turn != lab or round_ not in (None, state.round):
        raise NotYourTurn(f"It is round {state.round}; you have acted in the round you mean.")
    state, events = apply(state, lab, action)
    turns = [Turn(state, events), *until_awaited(state, seats)]
    try:
        return _store(match, position, turns)
    except ClaimLost:
        raise NotYourTurn("Your lab has just acted; look at what came of it first.") from None


def step(match_id: str, *, even_paused: bool = False) -> Position | None:
    """Let the next lab of a demo act; None when nothing is to do, or somebody else was faster."""
    match = MarketMatch.objects.select_related("game").filter(pk=match_id, is_demo=True).first()
    if match is None or match.is_over or (match.is_paused and not even_paused):
        return None
    position = position_of(match.game)
    if position.state.ended is not None:
        return None
    try:
        return _store(match, position, [take_turn(position.state, tuple(match.seats))])
    except ClaimLost:
        return None


def _store(match: MarketMatch, position: Position, turns: list[Turn]) -> Position:
    """Store turns with a model's verdict on a round that they end, or raise ``ClaimLost``."""
    events = (*position.events, *(event for turn in turns for event in turn.events))
    new = judge_rulings.asked(match, position.state.scenario, events, match.game.client)
    return appending.append(match.game, position, turns, new)


def fork_match(
    match_id: str,
    seq: int,
    action: MarketAction | Malformed,
    visitor: str,
    *,
    client: str = "",
    pairs: int | None = None,
) -> MarketMatch:
    """Put another action into a turn of a finished match and keep how it goes on.

    Args:
        match_id: the match.
        seq: the log's number of a ``turn`` event.
        action: what that lab does instead.
        visitor: session key of whoever asks.
        client: key of the address that asks.
        pairs: how many continuations on other luck are compared; None: as many as suit whoever
            plays.

    Raises:
        UnknownGame: there is no such match for this visitor.
        NotOver: it is still live.
        NoTurn: there is no turn with that number.
        BadAction: the action cannot be read.
        NoPlayer: whoever played a lab is gone.
    """
    match = find(match_id, visitor)
    if not match.is_over:
        raise NotOver
    if isinstance(action, Malformed):
        raise BadAction(action.why)
    child: MarketMatch = fork(match.game, seq, action, visitor, client=client, pairs=pairs).market
    return child


def set_pace(match_id: str, **fields: object) -> None:
    """Change how fast a demo goes; its viewers are told."""
    MarketMatch.objects.filter(pk=match_id, is_over=False).update(**fields)
    # 0: news that are not in the log.
    transaction.on_commit(lambda: notify.ring(match_id, 0), robust=True)
