"""Until when somebody has to move at a table with limits, read from the log alone."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import msgspec
from django.db.models import Case, F, When
from django.utils import timezone

from bazaarbatna.bargain.quantities import Side, other
from negotiation.bargain.terms import PERSON, Terms, terms_of
from negotiation.games.event_log import from_payload
from negotiation.games.jumps import of_now
from negotiation.models import EventRow, Game

AWAY_S = 40
"""Whoever is to move and has given no sign of life for so long is away: the other one is told."""

SIGN_EVERY_S = 8
"""How often a sign of life is written down."""

Why = Literal["clock", "absent", "closed", "deadline"]
"""``clock``: no time left; ``absent``: no sign of life; ``closed``: by whoever runs the table;
``deadline``: the time for the whole game is over."""


class Clocks(msgspec.Struct, frozen=True):
    """Seconds that each side has used; ``running``: whose clock it is, since ``began``.

    ``due`` is when the side to move has to have moved, and ``why``; None where it may wait.
    ``flag`` is when its own time is up, whether it is there or not. ``heard`` is when anything
    happened last, ``seen`` when the side to move, a person opposite a person, was there last.
    """

    used: dict[str, float]
    running: Side
    due: datetime | None
    why: Why
    began: datetime
    heard: datetime
    seen: datetime
    flag: datetime | None = None
    is_pair: bool = False
    is_paused: bool = False

    @property
    def is_away(self) -> bool:
        """Whether the person who is to move is not there, as far as anybody can tell."""
        is_gone = timezone.now() - self.seen > timedelta(seconds=AWAY_S)
        is_awaited = self.is_pair and not self.is_paused and self.why != "deadline"
        return is_awaited and is_gone

    @property
    def shown_s(self) -> float | None:
        """For how many seconds to wait, as people are told: absence counts once it has begun."""
        until = self.due if self.is_away else self.flag
        return None if until is None else max(0.0, (until - timezone.now()).total_seconds())

    def left(self, side: Side, clock_s: int, now: datetime) -> float:
        """Return the seconds that a side has left of ``clock_s``, never below 0."""
        run = (now - self.began).total_seconds() if side == self.running else 0.0
        return max(0.0, clock_s - self.used[side] - max(run, 0.0))

    def is_shown_to(self, side: Side, *, is_told: bool) -> bool:
        """Whether somebody may see them: only people have a clock, which would tell who it is."""
        return is_told or self.running == side


class Turns(msgspec.Struct, frozen=True):
    """How a kind of game says in its log whose turn it is.

    ``passes``: events after which the other one is to move; ``words``: those that take no turn.
    ``begins`` reads who moves first from the opening event; ``seats`` names the sides in its rows.
    """

    passes: tuple[str, ...]
    seats: Mapping[Side, str]
    words: str = ""
    begins: Callable[[bytes], Side] | None = None


SALE_TURNS = Turns(
    passes=("offer", "withdrawn"),
    seats={"seller": "seller", "buyer": "buyer"},
    words="message",
)
"""In a sale the buyer begins."""


def clocks_of(game: Game, turns: Turns = SALE_TURNS) -> Clocks | None:
    """Return the clocks of a live game whose terms set limits to the person who is to move."""
    return next((clocks for _, clocks in running_clocks([game], turns)), None)


def running_clocks(
    games: Iterable[Game], turns: Turns = SALE_TURNS
) -> Iterator[tuple[Game, Clocks]]:
    """Give each game that has clocks with them; all their logs are read at once."""
    timed = {
        game.pk: game
        for game in games
        if game.status == Game.Status.LIVE and terms_of(game).is_timed
    }
    if not timed:
        return
    for pk, log in _logs(timed, turns).items():
        if (clocks := _read(timed[pk], log, turns)) is not None:
            yield timed[pk], clocks


def thought_longer(game: Game, turns: Turns = SALE_TURNS) -> Side | None:
    """Return the side that had the turn for longer, all its turns together; None: neither had."""
    taken = _taken(game, _logs([game.pk], turns).get(game.pk, ()), turns)
    if taken is None:
        return None
    last = (taken.heard - taken.began).total_seconds()
    taken.used[taken.running] += last - terms_of(game).paused_s(taken.began, taken.heard)
    return "seller" if taken.used["seller"] > taken.used["buyer"] else "buyer"


Log = Iterable[tuple[str, datetime, bytes | None]]


def _logs(games: Iterable[str], turns: Turns) -> dict[str, list[tuple[str, datetime, Any]]]:
    logs: dict[str, list[tuple[str, datetime, Any]]] = {}
    rows = EventRow.objects.filter(game__in=games).order_by("game", "seq")
    # Of words alone it is asked whose they are.
    asked = (turns.words, "opened" if turns.begins else "")
    said = rows.annotate(said=Case(When(kind__in=asked, then=F("payload"))))
    for pk, kind, at, payload in said.values_list("game_id", "kind", "created_at", "said"):
        logs.setdefault(pk, []).append((kind, at, payload))
    return logs


class _Taken(msgspec.Struct, frozen=True):
    """What a log says of turns, as in ``Clocks``; ``seen``: when each side was there last."""

    used: dict[str, float]
    running: Side
    began: datetime
    heard: datetime
    seen: dict[str, datetime | None]


def _taken(game: Game, log: Log, turns: Turns) -> _Taken | None:
    terms = terms_of(game)
    used = {"buyer": 0.0, "seller": 0.0}
    running: Side = "buyer"
    began = heard = None
    seen = {"buyer": game.buyer_seen_at, "seller": game.seller_seen_at}
    for kind, stored, payload in log:
        # A clock that is put takes nobody's time, and gives nobody more.
        heard = at = of_now(stored)
        if kind in turns.passes and began is not None:
            passed = (at - began).total_seconds() - terms.paused_s(began, at)
            used[running] += max(0.0, passed)
            running = other(running)
        if kind == "opened" or kind in turns.passes:
            began = at
            running = turns.begins(payload) if turns.begins and payload is not None else running
        elif payload is not None:
            # The other one may talk meanwhile: that is no sign of who is to move.
            side = getattr(from_payload(payload), "actor", "")
            seen[side] = max(filter(None, (seen.get(side), at)))
    return None if began is None or heard is None else _Taken(used, running, began, heard, seen)


def _read(game: Game, log: Log, turns: Turns) -> Clocks | None:
    terms, taken = terms_of(game), _taken(game, log, turns)
    if taken is None or not is_person(game, turns.seats[taken.running]):
        return None
    used, running, began = taken.used, taken.running, taken.began
    due: datetime | None = None
    why: Why = "absent"
    was_there = max(filter(None, (began, taken.seen[running])))
    # Nobody waits for a person who thinks about what to say to the house.
    is_pair = game.policy == PERSON
    if terms.absent_s and is_pair:
        due = _after(was_there, terms.absent_s, terms)
    limits = [max(0.0, terms.clock_s - used[running])] if terms.clock_s else []
    limits += [terms.move_s] if terms.move_s and is_pair else []
    flag = _after(began, min(limits), terms) if limits else None
    if flag is not None and (due is None or flag < due):
        due, why = flag, "clock"
    if terms.is_paused:
        due = flag = None
    if terms.due_at and (due is None or terms.due_at < due.timestamp()):
        due, why = datetime.fromtimestamp(terms.due_at, UTC), "deadline"
    # What was paused is left out as if this move had begun so much later.
    start = _after(began, 0, terms)
    seen = _after(was_there, 0, terms)
    found = (used, running, due, why, start, taken.heard, seen, flag)
    return Clocks(*found, is_pair, terms.is_paused)


def _after(since: datetime, seconds: float, terms: Terms) -> datetime:
    """Return when so many seconds will have passed, those of pauses not counted."""
    last = max([time.time(), *(end for _, end in terms.pauses)])
    paused = terms.paused_s(since, datetime.fromtimestamp(last, UTC))
    return since + timedelta(seconds=seconds + paused)


def give_sign(game: Game, side: Side) -> bool:
    """Note that a person at a table of two is there; whether that was news to the other one."""
    if game.policy != PERSON or not terms_of(game).absent_s:
        return False
    now = timezone.now()
    was = game.seller_seen_at if side == "seller" else game.buyer_seen_at
    if was is not None and timedelta(0) <= now - was < timedelta(seconds=SIGN_EVERY_S):
        return False
    Game.objects.filter(pk=game.pk).update(**{f"{side}_seen_at": now})
    setattr(game, f"{side}_seen_at", now)
    return was is None or now - was > timedelta(seconds=AWAY_S)


def is_person(game: Game, seat: str) -> bool:
    """Whether a person has a seat of a live game."""
    return game.policy == PERSON or game.seat == seat


def seconds_left(clocks: Clocks | None) -> float | None:
    """Return for how many seconds nothing is due, 0 where it is; None: never."""
    if clocks is None or clocks.due is None:
        return None
    return max(0.0, (clocks.due - timezone.now()).total_seconds())
