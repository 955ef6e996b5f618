"""A finished match as a file: the whole log, everything opened, so that anybody can check it."""

from typing import Any

import msgspec

from arena.gpu_market.engine import BrokenLog, MarketEvent, MarketScenario, State, fold
from arena.gpu_market.engine.events import Ended, Opened
from arena.gpu_market.room.errors import NotOver
from arena.gpu_market.room.game import MARKET
from arena.gpu_market.room.judge_rulings import heard
from arena.market_models import MarketMatch
from negotiation.engine.sealed import committed_text, is_kept
from negotiation.games.log_rows import SERVED
from negotiation.models import EventRow, Game

FORMAT = "bazaarbatna.market/1"


class Document(msgspec.Struct, frozen=True):
    """What is checked of a file; it may hold more. All money in hundredths of a credit.

    ``events`` are the log's, in order, each with its ``kind``.
    """

    format: str
    scenario: MarketScenario
    events: tuple[MarketEvent, ...]


def document(match: MarketMatch) -> dict[str, Any]:
    """Write a finished match; money as in the engine, in hundredths of a credit.

    Raises:
        NotOver: it is still live.
    """
    game = match.game
    if game.status != Game.Status.ENDED:
        raise NotOver
    rows = list(EventRow.objects.filter(game=game.pk).order_by("seq"))
    events = [MARKET.event_from(row.payload) for row in rows]
    opened, ended = events[0], events[-1]
    assert isinstance(opened, Opened)
    assert isinstance(ended, Ended)
    scenario = MARKET.scenario_of(game.pk)
    judged = heard(scenario, events, match.judge, match.hearings)
    return {
        "format": FORMAT,
        "money": "hundredths of a credit",
        "match": {
            "id": match.pk,
            "task": match.task,
            "seed": match.seed,
            "options": match.options,
            "seats": match.seats,
            "abandoned": match.is_abandoned,
            "parent": game.parent_id,
            "forked_at_seq": game.forked_at_seq,
            "difference": game.difference,
            "created_at": game.created_at.isoformat(),
            "ended_at": game.ended_at.isoformat() if game.ended_at else None,
        },
        "commitment": opened.commitment,
        "committed_text": committed_text(ended.opened, ended.salt),
        "scenario": msgspec.to_builtins(scenario),
        "events": [msgspec.to_builtins(event) for event in events],
        "judge": match.judge,
        "hearings": msgspec.to_builtins(judged),
        "served": [_served(row) for row in rows if row.backend],
    }


def checked(data: bytes) -> State:
    """Read a file and play it again.

    Returns:
        The position at its end.

    Raises:
        BrokenLog: it is no such file, its log is no match of its scenario, or the sealed values
            that it opens are not those that were promised.
    """
    try:
        read = msgspec.json.decode(data, type=Document)
    except msgspec.MsgspecError as wrong:
        raise BrokenLog(f"That is no {FORMAT} file: {wrong}") from wrong
    if read.format != FORMAT:
        raise BrokenLog(f"That is a file of another kind: {read.format[:40]!r}.")
    state = fold(read.scenario, read.events)
    opened, ended = read.events[0], read.events[-1]
    if not isinstance(opened, Opened) or not isinstance(ended, Ended):
        raise BrokenLog("The match in that file is not over.")
    if not is_kept(opened.commitment, ended.opened, ended.salt):
        raise BrokenLog("The opened values are not those that were promised.")
    return state


def _served(row: EventRow) -> dict[str, Any]:
    return {"seq": row.seq, **{name: getattr(row, name) for name in SERVED}}
