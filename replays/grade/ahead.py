"""Grade a person's moves while the game goes on, so that its end finds them graded.

The grade of a move needs nothing that comes later: it can be made at once, and it is the very grade
that the background job makes. One thread of a serving process does it, in slots. Each of a person's
moves buys one slot of the same length, whatever is found in it, so that how busy the process is
tells nothing of what is sealed. What no slot had room for is made at the end, in a time box; what
does not fit there gets a first look, with fewer continuations, until the job has the finer one.
"""

import contextlib
import logging
import queue
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from django.db import connections

from bazaarbatna.bargain.moves import Move
from negotiation.bargain.continuation import Crossroads, move_of
from negotiation.bargain.game import SALE
from negotiation.bargain.house import play_house_ahead
from negotiation.bargain.recorded import Record, record_of
from negotiation.bargain.sessions import side_of
from negotiation.games.notify import server_loop
from negotiation.models import Game
from negotiation.ttl_cache import cached
from replays.grade.jobs import MOST_MOVES
from replays.grade.moves import GradedMove, grade_move, settled
from replays.grade.result import Result, result_of
from replays.grade.search import EFFORT, Effort

log = logging.getLogger(__name__)

SLOT_S = 0.3
"""Processor time that one move of a live game buys: what its grade takes, or a little more."""

BOX_S = 0.3
"""Wall clock that the end of a game may take for what no slot had room for."""

FIRST_LOOK = Effort(first=1, kept=3, second=3, measured=8, tried=2, glance=4)
"""Some fifty continuations a move; none of them is spent in vain, the finer look has them too."""

REST = 0.5
"""After a piece of work that thread rests for so long, as a part of it: others want the core."""

MOST_WAITING = 8
"""Slots; whoever comes when so many wait is graded at the end."""

BUSY, WITHIN_S = 8, 10.0
"""So many moves within so many seconds: games want the core, and nothing is graded ahead."""

MOST_KEPT = 300
"""Games whose grades one process keeps."""

KEPT_S = 600.0

ELSEWHERE = 1_000_000
"""Luck that no grade is made of: its continuations only fill a slot."""

Pace = Callable[[], None]


class Known(msgspec.Struct):
    """What this process knows of one game: grades, and the continuations of moves without one."""

    graded: dict[int, GradedMove] = {}
    shares: dict[int, dict[tuple[Move, int, bool], float]] = {}


class Look(msgspec.Struct, frozen=True):
    """The grades of a person's own moves just after the end.

    ``is_exact``: all are what the job will find, else some had a first look only. ``is_whole``:
    each of them had one at least.
    """

    result: Result
    is_exact: bool
    is_whole: bool


class TimeUp(Exception):
    """A slot or a time box is over."""


class Remembered(Crossroads):
    """A crossroads that plays no continuation twice, and asks before each whether there is time."""

    def __init__(self, record: Record, seq: int, known: Known, pace: Pace) -> None:
        super().__init__(record, seq)
        self._shares = known.shares.setdefault(seq, {})
        self._pace = pace

    def share(self, move: Move, luck: int, *, heard: bool = True) -> float:
        """Return what the mover gets, as ever; raises TimeUp."""
        found = self._shares.get((move, luck, heard))
        if found is None:
            self._pace()
            found = self._shares[move, luck, heard] = super().share(move, luck, heard=heard)
        return found


_games: OrderedDict[str, Known] = OrderedDict()
_lock = threading.Lock()


def known_of(game_id: str) -> Known:
    """Return what this process knows of a game, to be added to."""
    with _lock:
        known = _games.setdefault(game_id, Known())
        _games.move_to_end(game_id)
        while len(_games) > MOST_KEPT:
            _games.popitem(last=False)
        return known


def is_known(game_id: str) -> bool:
    """Whether this process has graded moves of a game while it went on."""
    return game_id in _games


def is_own_haggle(game: Game, visitor: str) -> bool:
    """Whether a visitor played this sale or purchase, at one of the house's own tables."""
    return is_haggle(game) and bool(visitor) and game.owner == visitor


def is_haggle(game: Game) -> bool:
    """Whether a person plays the house here, on its usual terms."""
    is_own_table = game.is_pair or bool(game.terms)
    is_person_s = game.kind in SALE.kinds and game.source == Game.Source.PERSON
    return is_person_s and not is_own_table


def own_moves(record: Record, side: str) -> list[int]:
    """List the numbers of the events that are moves of one side."""
    log = enumerate(record.events, start=1)
    return [s for s, e in log if move_of(e) is not None and getattr(e, "actor", None) == side]


def first_look(game: Game) -> Look:
    """Return the grades of its person's moves of a game that has just ended, within ``BOX_S``."""
    return cached(f"first-look:{game.pk}", KEPT_S, lambda: _looked(game))


def _looked(game: Game) -> Look:
    with _Ends():
        record, side = record_of(game), side_of(game)
        found = look(record, side, known_of(game.pk))
        width = max(record.setting.zopa, 0)
        return msgspec.structs.replace(found, result=result_of({side: width}, found.result.moves))


def look(record: Record, side: str, known: Known, box_s: float = BOX_S) -> Look:
    """Grade the moves of one side within a time box; the moves that seem to matter first."""
    box = _Box(box_s)
    seqs = own_moves(record, side)
    rough: dict[int, GradedMove] = {}
    missing = [seq for seq in seqs if seq not in known.graded] if len(seqs) <= MOST_MOVES else []
    with contextlib.suppress(TimeUp):
        # The last one first: what is still to come makes the early ones long.
        for seq in reversed(missing):
            rough[seq] = grade_move(Remembered(record, seq, known, box), FIRST_LOOK)
        for seq in sorted(missing, key=lambda seq: -rough[seq].loss):
            _grade(record, seq, known, box)
    moves = {**rough, **known.graded}
    shown = tuple(settled(moves[seq], record) for seq in seqs if seq in moves)
    is_exact = all(seq in known.graded for seq in seqs)
    return Look(Result(shown, ()), is_exact, is_whole=len(shown) == len(seqs))


def _grade(record: Record, seq: int, known: Known, pace: Pace) -> None:
    known.graded[seq] = grade_move(Remembered(record, seq, known, pace), EFFORT)
    known.shares.pop(seq, None)


class _Box:
    """A time box of so many seconds by the clock."""

    def __init__(self, seconds: float) -> None:
        self.until = time.monotonic() + seconds

    def __call__(self) -> None:
        if time.monotonic() >= self.until:
            raise TimeUp


class _Ends:
    """Somebody waits for the end of a game: what is graded ahead waits."""

    count = 0
    none = threading.Event()

    def __enter__(self) -> None:
        with _lock:
            _Ends.count += 1
            _Ends.none.clear()

    def __exit__(self, *_: object) -> None:
        with _lock:
            _Ends.count -= 1
            if not _Ends.count:
                _Ends.none.set()


_Ends.none.set()


class _Slot:
    """So much of this thread's processor time; it rests in between, and lets the ends pass.

    It is over where many play, too.
    """

    def __init__(self, seconds: float) -> None:
        self.until = time.thread_time() + seconds
        self._since = time.monotonic()

    def __call__(self) -> None:
        if time.thread_time() >= self.until or _do_many_play():
            raise TimeUp
        time.sleep(REST * (time.monotonic() - self._since))
        _Ends.none.wait(BOX_S)
        self._since = time.monotonic()


_waiting: "queue.Queue[str]" = queue.Queue(MOST_WAITING)
_starting = threading.Lock()
_threads: list[threading.Thread] = []
_moved: "deque[float]" = deque(maxlen=BUSY)


def on_person_moved(sender: object, game_id: str, **_: Any) -> None:
    """Buy a slot for a game; receives ``negotiation.games.notify.person_moved``."""
    if server_loop() is None:
        return  # nobody waits for an end here
    _moved.append(time.monotonic())
    if _do_many_play():
        return
    with contextlib.suppress(queue.Full):
        _waiting.put_nowait(game_id)
    with _starting:
        if not _threads or not _threads[0].is_alive():
            _threads[:] = [threading.Thread(target=_serve, name="grades-ahead", daemon=True)]
            _threads[0].start()


def _do_many_play() -> bool:
    return len(_moved) == BUSY and time.monotonic() - _moved[0] < WITHIN_S


def _serve() -> None:
    while True:
        game_id = _waiting.get()
        try:
            grade_ahead(game_id)
        # The end of the game and the job make up for whatever goes wrong here.
        except Exception:
            log.exception("a game could not be graded ahead", extra={"game": game_id})
        finally:
            connections.close_all()


def grade_ahead(game_id: str, slot_s: float = SLOT_S) -> None:
    """Spend one slot on a live game, all of it, however much there is to do."""
    pace = _Slot(slot_s)
    game = Game.objects.filter(pk=game_id, status=Game.Status.LIVE).first()
    if game is None or not is_haggle(game):
        return  # it has ended, and its own page asks; or two people sit there
    record = record_of(game)
    seqs = own_moves(record, side_of(game))
    if not seqs or len(seqs) > MOST_MOVES:
        return
    with contextlib.suppress(TimeUp):
        play_house_ahead(game, pace)
        known = known_of(game_id)
        for seq in seqs:
            if seq not in known.graded:
                _grade(record, seq, known, pace)
        _fill(Crossroads(record, seqs[-1]), pace)


def _fill(at: Crossroads, pace: Pace) -> None:
    """Play continuations that nobody wants, until the slot is over."""
    for luck in _lucks():
        pace()
        at.share(at.made, luck)


def _lucks() -> Iterator[int]:
    luck = ELSEWHERE
    while True:
        luck += 1
        yield luck
