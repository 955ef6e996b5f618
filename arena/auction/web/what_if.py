"""What would have happened in a match if one buyer had moved otherwise, or had left.

A scenario and its log go in, another log comes out. The comment on a match tells how it had ended
without the winner's strongest rival; it is kept per process.
"""

import functools
import logging
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Literal

import msgspec

from arena.auction.charts.course import Course, spoken
from arena.auction.web.buyers import player_of, seat_version
from arena.auction.web.records import actor, event_from
from arena.words import say
from bazaarbatna.auction.comment import Remark, comment, strongest_rival
from bazaarbatna.auction.events import ArenaEvent, ArenaMove, Bid, Ended, Hold, Leave, Placed, Take
from bazaarbatna.auction.match import ArenaState, fold, place, start
from bazaarbatna.auction.observe import (
    ArenaObservation,
    Player,
    observe,
    play_match,
    play_on,
    play_round,
)
from bazaarbatna.auction.scenario import ArenaScenario, Seat
from bazaarbatna.auction.selling import round_step
from bazaarbatna.bargain.errors import NotYourTurn
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.marking import joined
from negotiation.games.event_log import stored_scenario
from negotiation.models import EventRow
from negotiation.policies import UnknownPolicy, policy

SEED_BITS = 53


def fork(
    scenario: ArenaScenario,
    events: Sequence[ArenaEvent],
    seat: int,
    round_: int,
    move: ArenaMove,
) -> tuple[ArenaEvent, ...]:
    """Put another move into one envelope, play the match to its end and return the whole log.

    As long as the position stays the recorded one, seats that are not pinned (persons, models,
    policies of another version) repeat their recorded moves; afterwards everybody plays by rules,
    with the match's own luck. So a fork with the original move is the original match, byte for
    byte. Raises ``NotYourTurn`` where the seat closed no envelope then, and ``IllegalMove``.
    """
    state, log = before(scenario, events, seat, round_)
    state, happened = _other_move(state, events, seat, move)
    log += happened
    players = [player_of(scenario, number) for number in range(len(scenario.seats))]
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
) -> float:
    """Play on from ``before`` an envelope and return what its seat gets, 0..1, or ``IllegalMove``.

    ``number`` is that of the luck which seller and buyers meet from this round on.
    """
    other = _with_luck(state, number)
    players = [player_of(other.scenario, at) for at in range(len(state.bids))]
    after, _ = _other_move(other, events, seat, move)
    ended = play_on(after, players)[0].ended
    return ended.shares[seat] if ended is not None else 0.0


def before(
    scenario: ArenaScenario, events: Sequence[ArenaEvent], seat: int, round_: int
) -> tuple[ArenaState, tuple[ArenaEvent, ...]]:
    """Return the position before a seat's envelope and the log up to it; else ``NotYourTurn``."""
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
    round_ = state.round
    state, happened = place(state, seat, move)
    if state.ended is not None or state.round != round_:
        return state, happened
    repeat = [_repeating(events, number) for number in range(len(state.bids))]
    state, rest = play_round(state, repeat, order=_order(events, state))
    return state, (*happened, *rest)


def _order(events: Sequence[ArenaEvent], state: ArenaState) -> list[int]:
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


log = logging.getLogger(__name__)

TRIED = (0.25, 0.5, 0.75, 0.9, 1.0)
"""Bids that are tried in an envelope: parts of the way from the standing bid to the most."""
WORTH_TELLING = 0.01
"""Of the budget: a smaller gain is not spoken of."""
CHECKED, LUCKS = 4, 16
"""So many of the best changes are played on, each on so many other lucks."""


class Better(msgspec.Struct, frozen=True):
    """The move that would have brought a seat most, in paise; ``at`` is the price it then pays.

    ``more`` is the gain over what happened; ``at_once``: the round of the move would have sold.
    """

    round: int
    move: ArenaMove
    at: Paise
    more: Paise
    at_once: bool


def better_move(
    scenario: ArenaScenario, events: Sequence[ArenaEvent], seat: int
) -> Better | Literal["best", "unknown", "unsure"]:
    """Return the best single change to a seat's envelopes that holds on other luck, too.

    The envelopes of the changed round are those of the record; afterwards everybody plays by rules,
    the seat by the stand-in's. "best" where nothing that was tried beats what happened by more than
    ``WORTH_TELLING``; "unknown" where another person sat there, who might have done anything;
    "unsure" where it buys later, and for more than was asked in the record, or brings nothing with
    the ``LUCKS`` that were not met.
    """
    if any(chair.person and at != seat for at, chair in enumerate(scenario.seats)):
        return "unknown"
    budget = scenario.sealed.budgets[seat]
    had = _gain(events[-1], seat, budget)
    found: list[Better] = []
    for made in events:
        if not isinstance(made, Placed) or made.buyer != seat:
            continue
        state, _ = before(scenario, events, seat, made.round)
        for move in _tries(state, seat):
            ended = fork(scenario, events, seat, made.round, move)[-1]
            gain = _gain(ended, seat, budget)
            if gain > had + WORTH_TELLING * budget:
                assert isinstance(ended, Ended)
                at, once = Paise(budget - gain), ended.round == made.round
                found.append(Better(made.round, move, at, Paise(gain - had), once))
    found.sort(key=lambda one: -one.more)
    asked = fold(scenario, tuple(events)).ask
    for better in found[:CHECKED]:
        if (better.at_once or better.at <= asked) and _holds(scenario, events, seat, better):
            return better
    return "unsure" if found else "best"


def _holds(
    scenario: ArenaScenario, events: Sequence[ArenaEvent], seat: int, better: Better
) -> bool:
    state, _ = before(scenario, events, seat, better.round)
    own = _recorded(events, seat)[better.round]
    more = sum(
        share_on_luck(state, events, seat, better.move, number)
        - share_on_luck(state, events, seat, own, number)
        for number in range(1, LUCKS + 1)
    )
    return more > 0


def _tries(state: ArenaState, seat: int) -> Iterator[ArenaMove]:
    budget, own = state.scenario.sealed.budgets[seat], state.bids[seat]
    if state.ask <= budget:
        yield Take()
    yield Hold()
    low = own if own is not None else state.ask // 2
    high = min(budget, state.ask - 1)
    step = round_step(state.ask)
    for part in TRIED:
        price = Paise(int(low + part * (high - low)) // step * step)
        if low < price <= high:
            yield Bid(price)


def _gain(ended: ArenaEvent, seat: int, budget: Paise) -> int:
    if not isinstance(ended, Ended) or ended.winner != seat or ended.price is None:
        return 0
    return budget - ended.price


def commentary(scenario: ArenaScenario, events: Sequence[ArenaEvent]) -> tuple[Remark, ...]:
    """Return the comment on a finished match: the same log, the same words; else ``BrokenLog``."""
    return comment(scenario, events, without=without_rival(scenario, events))


def without_rival(
    scenario: ArenaScenario, events: Sequence[ArenaEvent]
) -> tuple[int, Ended] | None:
    """Return the winner's strongest rival, and the end of the match had it left in the first round.

    None if nobody won, or if somebody else than the rival did not play as its policy plays now (a
    person, a model): nobody knows what that buyer would have done.
    """
    ended = events[-1] if events else None
    if not isinstance(ended, Ended) or ended.winner is None:
        return None
    rival = strongest_rival(scenario, ended.winner)
    players = [player_of(scenario, seat) for seat in range(len(scenario.seats))]
    players[rival] = _leaving
    if not _would_play_it_again(scenario, events, players, but=rival):
        return None
    other = play_match(scenario, players.__getitem__)[-1]
    assert isinstance(other, Ended)
    return rival, other


def _would_play_it_again(
    scenario: ArenaScenario, events: Sequence[ArenaEvent], players: Sequence[Player], *, but: int
) -> bool:
    state, _ = start(scenario)
    for event in events:
        if not isinstance(event, Placed):
            continue
        if event.buyer != but:
            chosen = players[event.buyer](observe(state, event.buyer))
            if _wordless(chosen) != _wordless(event.move):
                return False
        state, _ = place(state, event.buyer, event.move)
    return True


def _wordless(move: ArenaMove) -> tuple[object, ...]:
    return type(move), move.signal, move.price if isinstance(move, Bid) else None


def _leaving(seen: ArenaObservation) -> ArenaMove:
    return Leave()


def remarks_of(game_id: str, last_seq: int) -> tuple[dict[str, Any], ...]:
    """Return the comment as ``{"kind", "actor", "text"}``, in English; the actor may be None."""
    return tuple(_told(remark, remark.text) for remark in _remarks(game_id, last_seq))


def remarks_in_words(game_id: str, last_seq: int, course: Course) -> tuple[dict[str, Any], ...]:
    """Return the comment as ``remarks_of`` does, in words for whoever reads it."""
    called = [lane.called for lane in course.lanes]
    own = course.own.called if course.own is not None else ""

    def name(words: str) -> str:
        return say("you_2") if own and words == own and called.count(own) == 1 else spoken(words)

    remarks = _remarks(game_id, last_seq)
    told = ((remark, joined(remark.phrase.told(name))) for remark in remarks)
    return tuple(_told(remark, text[:1].upper() + text[1:]) for remark, text in told)


def _told(remark: Remark, text: str) -> dict[str, Any]:
    who = None if remark.buyer is None else actor(remark.buyer)
    return {"kind": remark.kind, "actor": who, "text": text}


@functools.lru_cache(maxsize=512)
def _remarks(game_id: str, last_seq: int) -> tuple[Remark, ...]:
    rows = EventRow.objects.filter(game=game_id, seq__lte=last_seq).order_by("seq")
    events = [event_from(payload) for payload in rows.values_list("payload", flat=True)]
    try:
        return commentary(stored_scenario(game_id, ArenaScenario), events)
    # Words about a match must never hide how it ended.
    except Exception:
        log.exception("no comment", extra={"game": game_id})
        return ()
