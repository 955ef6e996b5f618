"""Opens market matches, appends turns to their logs, and asks what if.

A writer works on the position it has read; where somebody else was faster
(``negotiation.games.event_log``) nothing is stored, so no turn is taken twice.
"""

import functools
import secrets
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from arena.errors import NoSeat
from arena.gpu_market.web import judge_rulings
from arena.gpu_market.web.errors import BadAction, NotOver
from arena.gpu_market.web.game import KIND, MARKET, ending, lab_of, may_look, position_of
from arena.gpu_market.web.judge_rulings import Kept, Position
from arena.gpu_market.web.orders import Order, checked
from arena.gpu_market.web.players import Turn, make_ready, take_turn, until_awaited
from arena.models import GOES_ON, MarketMatch
from arena.words import say
from bazaarbatna.bargain.errors import GameOver, NotYourTurn
from bazaarbatna.market import Malformed, MarketAction, MarketEvent, apply, start
from bazaarbatna.market.events import TurnTaken
from negotiation.errors import UnknownGame
from negotiation.games import notify
from negotiation.games.event_log import ClaimLost, Served, append_rows, row_of, to_payload
from negotiation.games.fork import fork
from negotiation.models import EventRow, Game, SealedRecord

SUITE = "gpu-market@1"
OVER: dict[str, Any] = {"is_over": True, "is_paused": False, "runner": "", "held_until": None}


def append(
    game: Game,
    position: Position,
    turns: Sequence[Turn],
    hearings: Kept | None = None,
    *,
    abandoned: bool = False,
) -> Position:
    """Store at least one turn in one transaction, from where the match stood at ``position``.

    ``hearings`` is what a judging model has decided by then; ``abandoned``: the turns end a match
    that nobody came back to. Raises ``ClaimLost``, nothing stored, when the log has grown since,
    or a demo that was to be abandoned goes on.
    """
    state = turns[-1].state
    grown = position.after(state, tuple(event for turn in turns for event in turn.events))

    def also() -> None:
        news: dict[str, Any] = {}
        if state.ended is not None:
            news = {**OVER, "is_abandoned": abandoned}
        if hearings is not None:
            news["hearings"] = hearings
        match = MarketMatch.objects.filter(pk=game.pk)
        if abandoned:
            # To let a demo go on writes no event, so the log does not tell.
            match = match.exclude(GOES_ON)
        if news and not match.update(**news):
            raise ClaimLost

    append_rows(
        game.pk,
        _rows(game, position.seq + 1, turns),
        ending(state),
        ended=state.ended is not None,
        remember=functools.partial(MARKET.positions.remember, game.pk, grown),
        also=also,
    )
    return grown


def _rows(game: Game, first: int, turns: Sequence[Turn]) -> list[EventRow]:
    made: list[EventRow] = []
    for turn in turns:
        for event in turn.events:
            made.append(row_of(game, first + len(made), event, _served(turn, event)))
    return made


def _served(turn: Turn, event: MarketEvent) -> Served | None:
    return turn.served if isinstance(event, TurnTaken) else None


def open_match(owner: str, order: Order, *, client: str = "") -> MarketMatch:
    """Open a match. A person's match stands at the person's first turn, one of pace 0 at its end.

    ``owner`` is a session key, ``client`` the key of an address. Raises
    ``BadMarket`` also where a model that it needs is broken; nothing was stored.
    """
    plan = checked(order, secrets.randbelow)
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
        EventRow.objects.bulk_create(_rows(game, 1, turns))
        position = Position(len(events), events, state)
        transaction.on_commit(functools.partial(MARKET.positions.remember, game.pk, position))
    return match


def find(match_id: str, visitor: str) -> MarketMatch:
    """Return a match that a visitor may look at; else ``UnknownGame``."""
    match = MarketMatch.objects.select_related("game").filter(pk=match_id).first()
    if match is None or not may_look(match, visitor):
        raise UnknownGame
    return match


def act(
    match_id: str, visitor: str, action: MarketAction | Malformed, round_: int | None = None
) -> Position:
    """Let a person act, and everybody else until the person is awaited again.

    An action that breaks a rule uses the turn up, as for any lab; ``round_`` is the round that it
    is meant for. Raises ``NoSeat``, ``BadAction``, ``GameOver`` or ``NotYourTurn``; nothing was
    recorded then.
    """
    match = find(match_id, visitor)
    lab = lab_of(match, visitor)
    if lab is None:
        raise NoSeat(say("you_look_on_start_a_match_of"))
    if isinstance(action, Malformed):
        raise BadAction(action.why)
    position = position_of(match.game)
    state, seats = position.state, tuple(match.seats)
    if state.ended is not None:
        raise GameOver(say("the_market_has_closed"))
    if state.turn != lab or round_ not in (None, state.round):
        raise NotYourTurn(say("it_is_round_round_you_have_acted", round=state.round))
    state, events = apply(state, lab, action)
    turns = [Turn(state, events), *until_awaited(state, seats)]
    try:
        return _store(match, position, turns)
    except ClaimLost:
        told = say("your_lab_has_just_acted_look_at")
        raise NotYourTurn(told) from None


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
    return append(match.game, position, turns, new)


def fork_match(
    match_id: str,
    seq: int,
    action: MarketAction | Malformed,
    visitor: str,
    *,
    client: str = "",
    pairs: int | None = None,
) -> MarketMatch:
    """Put another action into turn ``seq`` of a finished match and keep how it goes on.

    ``pairs`` of continuations on other luck are compared; None: as many as suit whoever plays.
    Raises ``UnknownGame``, ``NotOver``, ``NoTurn``, ``BadAction`` or ``NoPlayer``.
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
