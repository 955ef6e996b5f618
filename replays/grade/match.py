"""Grade the envelopes of a finished match: the same search as in games of two sides.

An envelope is compared with other bids, with taking the ask, holding and leaving; the rivals'
envelopes of that round are as they were, later rounds are played by the seats' own policies.
"""

import math
from collections.abc import Iterator, Sequence

import msgspec

from arena.auction.web import what_if
from arena.auction.web.records import actor
from bazaarbatna.auction.events import (
    ArenaEvent,
    ArenaMove,
    Bid,
    Ended,
    Hold,
    Leave,
    Placed,
    Take,
    action_of,
)
from bazaarbatna.auction.match import ArenaState
from bazaarbatna.auction.scenario import ArenaScenario
from bazaarbatna.bargain.quantities import MIN_PRICE, Paise
from replays.grade.moves import LOWEST_OPENING, WORDS, GradedMove, LineMove, halfway, price_step
from replays.grade.search import Effort, find_better

EFFORT = Effort(first=4, kept=3, second=8, measured=30)
"""A match has four times the moves of a game of two, and each continuation takes longer."""

GRID = 6  # bids spread evenly over the sensible range


def grade_match(
    scenario: ArenaScenario, events: Sequence[ArenaEvent], effort: Effort = EFFORT
) -> Iterator[GradedMove]:
    """Grade every closed envelope of a match in order; the same match gives the same grades."""
    for seq, event in enumerate(events, start=1):
        if isinstance(event, Placed):
            yield _graded(scenario, events, seq, event, effort)


def widths(scenario: ArenaScenario) -> dict[str, int]:
    """Return what each buyer could win at most, in paise: its budget less the reservation price."""
    sealed = scenario.sealed
    return {
        actor(seat): max(budget - sealed.reservation, 0)
        for seat, budget in enumerate(sealed.budgets)
    }


def candidates(state: ArenaState, seat: int, played: ArenaMove) -> tuple[ArenaMove, ...]:
    """Return what a buyer could do, silently; the played move, first, keeps its sign."""
    budget, own = state.scenario.sealed.budgets[seat], state.bids[seat]
    first = msgspec.structs.replace(played, text="")
    moves: list[ArenaMove] = [first, Hold(), Leave()]
    if state.ask <= budget:
        moves.append(Take())
    low, high = _range(state, seat)
    step = price_step(state.ask)
    for at in range(GRID if low <= high else 0):
        wanted = low + (high - low) * at / (GRID - 1)
        price = Paise(min(max(round(wanted / step) * step, low), high))
        if price != own:  # to name it again is to hold
            moves.append(Bid(price))
    return tuple(dict.fromkeys(moves))


def _graded(
    scenario: ArenaScenario, events: Sequence[ArenaEvent], seq: int, made: Placed, effort: Effort
) -> GradedMove:
    seat, who = made.buyer, actor(made.buyer)
    if scenario.sealed.budgets[seat] <= scenario.sealed.reservation:
        return GradedMove(seq, who, 0.0, 0.0, 0.0)  # no bid could win anything
    state, _ = what_if.before(scenario, events, seat, made.round)

    def share(move: ArenaMove, luck: int) -> float:
        return what_if.share_on_luck(state, events, seat, move, luck)

    def nearby(leader: ArenaMove, field: Sequence[ArenaMove]) -> Sequence[ArenaMove]:
        return _between(state, seat, leader, field)

    found = find_better(candidates(state, seat, made.move), share, nearby, effort)
    graded = GradedMove(seq, who, found.played, found.loss, found.stake)
    if found.best is None or found.loss <= WORDS[0].most:
        return msgspec.structs.replace(graded, loss=0.0)
    line = _line(scenario, events, seq, made, found.best)
    return msgspec.structs.replace(graded, best=line[0], line=line)


def _line(
    scenario: ArenaScenario,
    events: Sequence[ArenaEvent],
    seq: int,
    made: Placed,
    move: ArenaMove,
) -> tuple[LineMove, ...]:
    forked = what_if.fork(scenario, events, made.buyer, made.round, move)
    told = [
        _told(event)
        for event in forked[seq - 1 :]
        if isinstance(event, Placed) and event.buyer == made.buyer
    ]
    ended = forked[-1]
    assert isinstance(ended, Ended)
    if ended.winner is None:
        return (*told, LineMove("seller", "unsold", None))
    return (*told, LineMove(actor(ended.winner), "wins", ended.price))


def _told(event: Placed) -> LineMove:
    move = event.move
    price = move.price if isinstance(move, Bid) else None
    return LineMove(actor(event.buyer), action_of(move), price)


def _range(state: ArenaState, seat: int) -> tuple[Paise, Paise]:
    own, step = state.bids[seat], price_step(state.ask)
    budget = state.scenario.sealed.budgets[seat]
    low = own if own is not None else math.ceil(LOWEST_OPENING * state.ask / step) * step
    return max(Paise(low), MIN_PRICE), Paise(min(state.ask - step, budget // step * step))


def _between(
    state: ArenaState, seat: int, leader: ArenaMove, field: Sequence[ArenaMove]
) -> list[ArenaMove]:
    if not isinstance(leader, Bid):
        return []
    low, high = _range(state, seat)
    step = price_step(state.ask)
    prices = {move.price for move in field if isinstance(move, Bid)}
    middles = (round(price / step) * step for price in halfway(leader.price, prices))
    tried = {price for price in middles if low <= price <= high} - prices
    return [Bid(Paise(price)) for price in sorted(tried)]
