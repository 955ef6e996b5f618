"""What opens with the end of a match: its log as a file, its rewards, what its shocks cost."""

import functools
from typing import Any

import msgspec

from arena.gpu_market.twins import STAND_IN, Twin, all_steps_of, shock_twin
from arena.gpu_market.web.errors import BadMarket, NotOver
from arena.gpu_market.web.game import MARKET, facts_of, position_of
from arena.gpu_market.web.judge_rulings import bonuses, heard
from arena.gpu_market.web.players import check_here
from arena.gpu_market.web.visibility import READER, Facts, Frame, shown
from arena.models import MarketMatch
from bazaarbatna.bargain.sealed import committed_text, is_kept
from bazaarbatna.market import COLUMNS, BrokenLog, MarketEvent, MarketScenario, State, fold
from bazaarbatna.market.events import Ended, Opened
from bazaarbatna.market.quantities import LAB_IDS, to_credits
from negotiation.games.event_log import SERVED
from negotiation.models import EventRow, Game

FORMAT = "bazaarbatna.market/1"

KEPT = 32  # twins that one process remembers


class Document(msgspec.Struct, frozen=True):
    """What is checked of a file, which may hold more; ``events`` each have their ``kind``."""

    format: str
    scenario: MarketScenario
    events: tuple[MarketEvent, ...]


def document(match: MarketMatch) -> dict[str, Any]:
    """Return a finished match as a file, money in hundredths of a credit; else ``NotOver``."""
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
    """Read a file, play it again, and return the position at its end.

    Raises ``BrokenLog``: it is no such file, its log is no match of its scenario, or it opens
    other sealed values than were promised.
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


def reward_steps(match: MarketMatch, lab: int) -> dict[str, Any]:
    """Return what each step of a lab was worth; shares of the best plan, as in the environment.

    Raises ``NotOver`` for a live match (its jobs are sealed) and ``BadMarket`` for no such lab.
    """
    if not match.is_over:
        raise NotOver
    position = position_of(match.game)
    if not 0 <= lab < len(match.seats):
        raise BadMarket(f"There are the labs 0 to {len(match.seats) - 1}.", "lab")
    judged = bonuses(facts_of(match, position))
    steps = all_steps_of(position.state.scenario, position.events, judged=judged)[lab]
    return {
        "lab": LAB_IDS[lab],
        "columns": list(COLUMNS),
        "steps": [
            {"seq": one.seq, "round": one.round, **msgspec.structs.asdict(one.reward)}
            for one in steps
        ],
    }


def shock_costs(match: MarketMatch) -> dict[str, Any]:
    """Return what shocks cost, in credits (less than 0: they helped), or raise ``NotOver``."""
    twin = _twin_of(match)
    return {
        "shocks": [
            {"round": one.round, "shock": one.kind}
            for one in MARKET.scenario_of(match.pk).sealed.shocks
        ],
        "labs": [
            {
                "lab": one.lab,
                "struck": to_credits(one.struck),
                "calm": to_credits(one.calm),
                "cost": to_credits(one.cost),
            }
            for one in twin.costs
        ],
        "stand_in": STAND_IN if twin.stand_ins else None,
        "stand_ins": [LAB_IDS[lab] for lab in twin.stand_ins],
    }


def frames_of(twin: Twin, seats: tuple[str, ...]) -> tuple[list[Frame], list[Frame]]:
    """Show a twin's worlds to a reader, the struck one and the calm one."""
    return (
        shown(list(enumerate(twin.struck, start=1)), Facts(twin.scenario, seats), READER),
        shown(list(enumerate(twin.calm, start=1)), Facts(twin.calm_scenario, seats), READER),
    )


def _twin_of(match: MarketMatch) -> Twin:
    if not match.is_over:
        raise NotOver
    check_here(match.seats)
    return played(match.pk, tuple(match.seats))


@functools.lru_cache(maxsize=KEPT)
def played(match_id: str, seats: tuple[str, ...], number: int | None = None) -> Twin:
    """Play the twin of a match that is over; ``IndexError`` without a shock of that number."""
    return shock_twin(MARKET.scenario_of(match_id), seats, number)
