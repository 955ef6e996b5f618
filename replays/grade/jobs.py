"""The work of grading one stored game: asked for, claimed by one process, written down.

A row without a result says that somebody has looked. Whoever grades claims the row by a
conditional update that names a time; a process that dies leaves a claim that runs out by itself,
and the same game gives the same grades, so a second grader harms nothing.
"""

import functools
import hashlib
import logging
import math
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta

import msgspec
from celery.exceptions import SoftTimeLimitExceeded
from django.db import connections
from django.db.models import F, Q
from django.utils import timezone

from arena.auction.web import what_if
from arena.auction.web.game import AUCTION
from arena.auction.web.records import actor, event_from, scenario_from
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
from negotiation.bargain import chairs
from negotiation.bargain.continuation import NEAR, move_of
from negotiation.bargain.game import SALE
from negotiation.bargain.recorded import record_of
from negotiation.games.lease import RENEWALS, Lease
from negotiation.models import EventRow, Game
from replays.grade.moves import (
    AROUND,
    GRID,
    HALVING_LOSS,
    LOWEST_OPENING,
    WORDS,
    GradedMove,
    LineMove,
    grade,
    halfway,
    is_about,
    measured_by,
    price_step,
)
from replays.grade.result import LEAST_STAKE, Result, result_of
from replays.grade.search import EFFORT, Effort, find_better
from replays.models import Grading

MATCH_EFFORT = Effort(first=4, kept=3, second=8, measured=30)
"""A match has four times the moves of a game of two, and each continuation takes longer."""

MATCH_GRID = 6  # bids spread evenly over the sensible range


def grade_match(scenario: ArenaScenario, events: Sequence[ArenaEvent]) -> Iterator[GradedMove]:
    """Grade every closed envelope of a match in order; the same match gives the same grades."""
    for seq, event in enumerate(events, start=1):
        if isinstance(event, Placed):
            yield _graded_auction(scenario, events, seq, event)


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
    for at in range(MATCH_GRID if low <= high else 0):
        wanted = low + (high - low) * at / (MATCH_GRID - 1)
        price = Paise(min(max(round(wanted / step) * step, low), high))
        if price != own:  # to name it again is to hold
            moves.append(Bid(price))
    return tuple(dict.fromkeys(moves))


def _graded_auction(
    scenario: ArenaScenario, events: Sequence[ArenaEvent], seq: int, made: Placed
) -> GradedMove:
    seat, who = made.buyer, actor(made.buyer)
    if scenario.sealed.budgets[seat] <= scenario.sealed.reservation:
        return GradedMove(seq, who, 0.0, 0.0, 0.0)  # no bid could win anything
    state, _ = what_if.before(scenario, events, seat, made.round)

    def share(move: ArenaMove, luck: int) -> float:
        return what_if.share_on_luck(state, events, seat, move, luck)

    def nearby(leader: ArenaMove, field: Sequence[ArenaMove]) -> Sequence[ArenaMove]:
        return _between(state, seat, leader, field)

    found = find_better(candidates(state, seat, made.move), share, nearby, MATCH_EFFORT)
    ended = events[-1]
    got = ended.shares[seat] if isinstance(ended, Ended) and ended.shares else 0.0
    graded = GradedMove(seq, who, found.played, found.loss, found.stake, error=found.error)
    graded = measured_by(graded, got)
    if found.best is None or not graded.loss:
        return msgspec.structs.replace(graded, loss=0.0)
    line, won = _line(scenario, events, seq, made, found.best)
    told = line if is_about(won - got, graded.over) else line[:1]
    return msgspec.structs.replace(graded, best=line[0], line=told)


def _line(
    scenario: ArenaScenario,
    events: Sequence[ArenaEvent],
    seq: int,
    made: Placed,
    move: ArenaMove,
) -> tuple[tuple[LineMove, ...], float]:
    """Return how it goes on with the match's own luck, and what share the buyer has then."""
    forked = what_if.fork(scenario, events, made.buyer, made.round, move)
    told = [
        _told(event)
        for event in forked[seq - 1 :]
        if isinstance(event, Placed) and event.buyer == made.buyer
    ]
    ended = forked[-1]
    assert isinstance(ended, Ended)
    if ended.winner is None:
        return (*told, LineMove("seller", "unsold", None)), 0.0
    wins = LineMove(actor(ended.winner), "wins", ended.price)
    return (*told, wins), ended.shares[made.buyer]


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


log = logging.getLogger(__name__)

GRADER = Lease(until="claimed_until")
PATIENCE_S = 3.0  # without a worker; then the process that is asked grades itself
MOST_ATTEMPTS = 3  # a game that has ended so many graders is left alone
MOST_MOVES = 80  # the site's own have at most 24, matches 48
NUMBER = 3  # raise when the method changes in what its parameters do not say

PARAMETERS: tuple[object, ...] = (
    (EFFORT, GRID, AROUND, LOWEST_OPENING, NEAR),
    (EFFORT, GRID),
    (HALVING_LOSS, LEAST_STAKE, WORDS),
)

MOST_WAITING = 20  # games in the web process; whoever asks for more is to come again

_pool = ThreadPoolExecutor(1, thread_name_prefix="grades")
_lock = threading.Lock()
_asked: dict[str, Future[bool]] = {}

KINDS = (*SALE.kinds, *AUCTION.kinds)

LAZY = (Game.Source.WHAT_IF, Game.Source.IMPORT)  # graded only when somebody looks


class TooLong(ValueError):
    """The game has more moves than are graded."""


@functools.cache
def method() -> str:
    """Return the label of the present method: ``grades@<number>#<digest of its parameters>``."""
    return label(NUMBER, PARAMETERS)


def label(number: int, parameters: object) -> str:
    """Return the label of a method."""
    found = hashlib.sha256(msgspec.json.encode(parameters, order="sorted")).hexdigest()
    return f"grades@{number}#{found[:12]}"


def is_gradable(game: Game) -> bool:
    """Whether a game is of a kind that gets grades, and has ended."""
    return game.kind in KINDS and game.status == Game.Status.ENDED


def wanted(game: Game) -> Grading | None:
    """Return the row that grades of the present method are, or will be, in, if anybody asked."""
    row = Grading.objects.filter(game=game).first()
    return None if row is None or _is_outdated(row) else row


def ask(game: Game) -> Grading:
    """Store that somebody wants the grades of a finished game."""
    row, _ = Grading.objects.get_or_create(game=game)
    if _is_outdated(row):
        row.status, row.asked_at = Grading.Status.QUEUED, timezone.now()
        row.save(update_fields=["status", "asked_at"])
    return row


def state_of(row: Grading | None) -> str:
    """Return where the work is: "waiting" (also before it began), "done" or "failed"."""
    if row is None or _is_outdated(row):
        return "waiting"
    if row.status in (Grading.Status.DONE, Grading.Status.FAILED):
        return row.status
    return "failed" if _is_dead(row) and row.attempts >= MOST_ATTEMPTS else "waiting"


def is_overdue(row: Grading) -> bool:
    """Whether no worker has taken the work for too long, or the one that did has died."""
    if row.status == Grading.Status.QUEUED:
        return abs(timezone.now() - row.asked_at) > timedelta(seconds=PATIENCE_S)
    return _is_dead(row)


def run(game_id: str) -> bool:
    """Grade a game; False where that is done, somebody else is at it, or nobody wants it."""
    game = Game.objects.filter(pk=game_id).first()
    if game is None or not is_gradable(game):
        return False
    if game.source in LAZY and not Grading.objects.filter(game=game).exists():
        return False
    Grading.objects.get_or_create(game=game)
    if not _claim(game_id):
        return False
    started = time.perf_counter()
    try:
        result = _graded(game)
    except SoftTimeLimitExceeded:
        raise  # not the game's fault: the claim runs out, and the attempts are counted
    # Whatever a stored game holds, the page must not ask for ever.
    except Exception:
        log.exception("a game could not be graded", extra={"game": game_id})
        Grading.objects.filter(game=game_id).update(status=Grading.Status.FAILED, method=method())
        return False
    took_ms = round(1000 * (time.perf_counter() - started))
    Grading.objects.filter(game=game_id).update(
        status=Grading.Status.DONE,
        method=method(),
        result=msgspec.to_builtins(result),
        took_ms=took_ms,
        claimed_until=None,
    )
    return True


def _graded(game: Game) -> Result:
    return _graded_match(game) if game.kind in AUCTION.kinds else _graded_sale(game)


def _graded_sale(game: Game) -> Result:
    record = record_of(game)
    _check_length(sum(move_of(event) is not None for event in record.events))
    zone = max(record.setting.zopa, 0)
    return result_of({"seller": zone, "buyer": zone}, _holding(game, grade(record, _closed(game))))


def _closed(game: Game) -> frozenset[int]:
    rows = EventRow.objects.filter(game=game.pk, kind="walk", policy_version=chairs.VERSION)
    return frozenset(rows.values_list("seq", flat=True))


def _graded_match(game: Game) -> Result:
    rows = EventRow.objects.filter(game=game.pk).order_by("seq")
    events = tuple(event_from(payload) for payload in rows.values_list("payload", flat=True))
    _check_length(sum(isinstance(event, Placed) for event in events))
    scenario = scenario_from(game.sealed.scenario)
    return result_of(widths(scenario), _holding(game, grade_match(scenario, events)))


def _holding(game: Game, graded: Iterator[GradedMove]) -> tuple[GradedMove, ...]:
    """Grade move by move, and renew the claim meanwhile: a dead grader's ends soon."""
    found, renewed_at = [], time.monotonic()
    for move in graded:
        found.append(move)
        if time.monotonic() - renewed_at > GRADER.seconds / RENEWALS:
            GRADER.extend(Grading.objects.filter(game=game, status=Grading.Status.RUNNING))
            renewed_at = time.monotonic()
    return tuple(found)


def _check_length(moves: int) -> None:
    if moves > MOST_MOVES:
        raise TooLong(f"Games of more than {MOST_MOVES} moves get no grades.")


def result_of_row(row: Grading) -> Result | None:
    """Return the grades of a row; None while there are none of the present method."""
    if row.status != Grading.Status.DONE or row.method != method():
        return None
    return msgspec.convert(row.result, Result)


def _is_outdated(row: Grading) -> bool:
    is_settled = row.status in (Grading.Status.DONE, Grading.Status.FAILED)
    return is_settled and row.method != method()


def _is_dead(row: Grading) -> bool:
    return row.status == Grading.Status.RUNNING and not GRADER.is_held(row)


def _claim(game_id: str) -> bool:
    status = Grading.Status
    old = Q(status__in=(status.DONE, status.FAILED)) & ~Q(method=method())
    dead = GRADER.is_free() & Q(status=status.RUNNING, attempts__lt=MOST_ATTEMPTS)
    free = Q(status=status.QUEUED) | old | dead
    # Nothing got updated: another process grades this game, or has done so.
    rows = Grading.objects.filter(free, game=game_id)
    return GRADER.extend(rows, status=status.RUNNING, attempts=F("attempts") + 1)


def grade_soon(game_id: str) -> Future[bool] | None:
    """Grade a game in a thread of this process; None where too much is waiting."""
    with _lock:
        known = _asked.get(game_id)
        if known is not None:
            return known
        if len(_asked) >= MOST_WAITING:
            return None
        work = _pool.submit(_grade, game_id)
        _asked[game_id] = work
        return work


def _grade(game_id: str) -> bool:
    try:
        return run(game_id)
    finally:
        with _lock:
            _asked.pop(game_id, None)
        connections.close_all()
