"""What would have happened in a match if one buyer had moved otherwise in one round.

Pure: a scenario and its log go in, another log comes out.
"""

import functools
from collections.abc import Callable, Sequence
from random import Random

import msgspec

from arena.auction.engine.events import ArenaEvent, ArenaMove, Placed
from arena.auction.engine.match import ArenaState, fold, place
from arena.auction.engine.observe import Player, play_on, play_round
from arena.auction.engine.scenario import ArenaScenario, Seat
from arena.auction.web.buyers import player_of, seat_version
from negotiation.engine.errors import NotYourTurn
from negotiation.policies import UnknownPolicy, policy

MakePlayerOf = Callable[[ArenaScenario, int], Player]
"""Makes the player of a seat, counted from 0, of a scenario."""

QUIETLY: MakePlayerOf = functools.partial(player_of, quiet=True)

SEED_BITS = 53


def fork(
    scenario: ArenaScenario,
    events: Sequence[ArenaEvent],
    seat: int,
    round_: int,
    move: ArenaMove,
    *,
    make: MakePlayerOf = player_of,
) -> tuple[ArenaEvent, ...]:
    """Put another move into one envelope, play the match to its end and return the whole log.

    The other envelopes of that round are as recorded. As long as the position stays the recorded
    one, seats that are not pinned (persons, models, policies of another version) repeat their
    recorded moves; afterwards ``make`` plays everybody, with the match's own luck. So a fork with
    the original move is the original match, byte for byte.

    Raises:
        NotYourTurn: this seat closed no envelope in that round.
        IllegalMove: the move breaks a rule.
    """
    state, log = before(scenario, events, seat, round_)
    state, happened = _other_move(state, events, seat, move)
    log += happened
    players = [make(scenario, number) for number in range(len(scenario.seats))]
    follow = [
        player if is_pinned(chair) else _repeating(events, number)
        for number, (chair, player) in enumerate(zip(scenario.seats, players, strict=True))
    ]
    while log == tuple(events[: len(log)]) and (order := _order(events, state)):
        state, happened = play_round(state, follow, order=order)
        log += happened
    return (*log, *play_on(state, players)[1])


def share_on_luck(
    state: ArenaState,
    events: Sequence[ArenaEvent],
    seat: int,
    move: ArenaMove,
    number: int,
    *,
    make: MakePlayerOf = QUIETLY,
) -> float:
    """Play a match on from ``before`` an envelope and return what its seat gets, 0..1.

    The other envelopes of this round are as recorded; ``number`` is that of the luck which the
    seller and all buyers meet from this round on.

    Raises:
        IllegalMove: the move breaks a rule.
    """
    other = _with_luck(state, number)
    players = [make(other.scenario, at) for at in range(len(state.bids))]
    after, _ = _other_move(other, events, seat, move)
    ended = play_on(after, players)[0].ended
    return ended.shares[seat] if ended is not None else 0.0


def before(
    scenario: ArenaScenario, events: Sequence[ArenaEvent], seat: int, round_: int
) -> tuple[ArenaState, tuple[ArenaEvent, ...]]:
    """Return the position in which a seat closed its envelope, and the log up to there.

    Raises:
        NotYourTurn: this seat closed no envelope in that round.
    """
    for index, event in enumerate(events):
        if isinstance(event, Placed) and (event.buyer, event.round) == (seat, round_):
            log = tuple(events[:index])
            return fold(scenario, log), log
    raise NotYourTurn(f"Buyer {seat + 1} closed no envelope in round {round_}.")


def is_pinned(chair: Seat) -> bool:
    """Whether whoever sat there can be asked again and answers the same."""
    try:
        entry = policy(chair.policy)
    except UnknownPolicy:
        return False
    return not chair.person and entry.live is None and seat_version(entry.name) == chair.version


def _other_move(
    state: ArenaState, events: Sequence[ArenaEvent], seat: int, move: ArenaMove
) -> tuple[ArenaState, tuple[ArenaEvent, ...]]:
    """Close this envelope with the move, and the others of the round as recorded."""
    round_ = state.round
    state, happened = place(state, seat, move)
    if state.ended is not None or state.round != round_:
        return state, happened
    repeat = [_repeating(events, number) for number in range(len(state.bids))]
    state, rest = play_round(state, repeat, order=_order(events, state))
    return state, (*happened, *rest)


def _order(events: Sequence[ArenaEvent], state: ArenaState) -> list[int]:
    """Return the order in which the record closes the envelopes that are missing in this round."""
    return [
        event.buyer
        for event in events
        if isinstance(event, Placed) and event.round == state.round and state.awaits(event.buyer)
    ]


def _recorded(events: Sequence[ArenaEvent], seat: int) -> dict[int, ArenaMove]:
    return {e.round: e.move for e in events if isinstance(e, Placed) and e.buyer == seat}


def _repeating(events: Sequence[ArenaEvent], seat: int) -> Player:
    moves = _recorded(events, seat)
    return lambda seen: moves[seen.round]


def _with_luck(state: ArenaState, number: int) -> ArenaState:
    sealed = state.scenario.sealed
    seed = Random(f"{sealed.seed}:{number}").getrandbits(SEED_BITS)
    scenario = msgspec.structs.replace(
        state.scenario, sealed=msgspec.structs.replace(sealed, seed=seed)
    )
    return msgspec.structs.replace(state, scenario=scenario)
