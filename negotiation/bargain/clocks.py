"""Until when somebody has to move at a table with limits, read from the log alone."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Literal

import msgspec
from django.utils import timezone

from bazaarbatna.bargain.quantities import Side, other
from negotiation.bargain.terms import PERSON, terms_of
from negotiation.games.jumps import of_now
from negotiation.models import EventRow, Game

Why = Literal["clock", "absent", "closed"]
"""``clock``: no time left; ``absent``: no sign of life; ``closed``: by whoever runs the table."""


class Clocks(msgspec.Struct, frozen=True):
    """Seconds that each side has used; ``running``: whose clock it is, since ``began``.

    ``due`` is when the side to move has to have moved, and ``why``; None where it may wait.
    ``heard`` is when anything happened last.
    """

    used: dict[str, float]
    running: Side
    due: datetime | None
    why: Why
    began: datetime
    heard: datetime

    def left(self, side: Side, clock_s: int, now: datetime) -> float:
        """Return the seconds that a side has left of ``clock_s``, never below 0."""
        run = (now - self.began).total_seconds() if side == self.running else 0.0
        return max(0.0, clock_s - self.used[side] - max(run, 0.0))

    def is_shown_to(self, side: Side, *, is_told: bool) -> bool:
        """Whether somebody may see them: only people have a clock, which would tell who it is."""
        return is_told or self.running == side


def clocks_of(game: Game) -> Clocks | None:
    """Return the clocks of a live game whose terms set limits to the person who is to move."""
    return next((clocks for _, clocks in running_clocks([game])), None)


def running_clocks(games: Iterable[Game]) -> Iterator[tuple[Game, Clocks]]:
    """Give each game that has clocks with them; all their logs are read at once."""
    timed = {
        game.pk: game
        for game in games
        if game.status == Game.Status.LIVE and terms_of(game).is_timed
    }
    if not timed:
        return
    logs: dict[str, list[tuple[str, datetime]]] = {}
    rows = EventRow.objects.filter(game__in=timed).order_by("game", "seq")
    for pk, kind, at in rows.values_list("game_id", "kind", "created_at"):
        logs.setdefault(pk, []).append((kind, at))
    for pk, log in logs.items():
        if (clocks := _read(timed[pk], log)) is not None:
            yield timed[pk], clocks


def _read(game: Game, log: Iterable[tuple[str, datetime]]) -> Clocks | None:
    terms = terms_of(game)
    used = {"buyer": 0.0, "seller": 0.0}
    running: Side = "buyer"
    began = heard = None
    for kind, stored in log:
        # A clock that is put takes nobody's time, and gives nobody more.
        heard = at = of_now(stored)
        if kind in ("offer", "withdrawn") and began is not None:
            used[running] += max(0.0, (at - began).total_seconds())
            running = other(running)
        if kind in ("opened", "offer", "withdrawn"):
            began = at
    if began is None or heard is None or not is_person(game, running):
        return None
    due: datetime | None = None
    why: Why = "absent"
    # Nobody waits for a person who thinks about what to say to the house.
    if terms.absent_s and game.policy == PERSON:
        due = heard + timedelta(seconds=terms.absent_s)
    if terms.clock_s:
        flag = began + timedelta(seconds=max(0.0, terms.clock_s - used[running]))
        if due is None or flag < due:
            due, why = flag, "clock"
    return Clocks(used, running, due, why, began, heard)


def is_person(game: Game, side: Side) -> bool:
    """Whether a person sits on a side of a live game."""
    return game.policy == PERSON or game.seat == side


def seconds_left(clocks: Clocks | None) -> float | None:
    """Return for how many seconds nothing is due, 0 where it is; None: never."""
    if clocks is None or clocks.due is None:
        return None
    return max(0.0, (clocks.due - timezone.now()).total_seconds())
