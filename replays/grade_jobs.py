"""The work of grading one stored game: asked for, claimed by one process, written down.

A row without a result says that somebody has looked. Whoever grades claims the row by a
conditional update that names a time; a process that dies leaves a claim that runs out by itself,
and the same game gives the same grades, so a second grader harms nothing.
"""

import logging
import time
from datetime import timedelta

import msgspec
from django.db.models import F, Q
from django.utils import timezone

from negotiation.engine.events import OfferMade
from negotiation.models import Game
from replays.grade_result import Result, result_of
from replays.grading import grade, method
from replays.models import Grading
from replays.recorded import record_of

log = logging.getLogger(__name__)

HELD_S = 15.0
"""How long a claim lasts. Grading takes a second or two."""

MOST_ATTEMPTS = 3
"""A game that has ended so many graders is left alone."""

MOST_MOVES = 80
"""Longer games are not graded; the house's own have at most 24 moves."""

KINDS = ("sell", "buy", "sim")
"""Games of two sides. A match of several buyers is another game."""

LAZY = (Game.Source.WHAT_IF, Game.Source.IMPORT)
"""Games that are graded only when somebody looks."""


class TooLong(ValueError):
    """The game has more moves than are graded."""


def is_gradable(game: Game) -> bool:
    """Tell whether a game is of a kind that gets grades, and has ended."""
    return game.kind in KINDS and game.status == Game.Status.ENDED


def ask(game: Game) -> Grading:
    """Note that somebody wants the grades of a finished game; say where the work is."""
    row, _ = Grading.objects.get_or_create(game=game)
    if row.status == Grading.Status.DONE and row.method != method():
        row.status = Grading.Status.QUEUED  # made by an older method: made again
    return row


def run(game_id: str) -> bool:
    """Grade a game unless that is done, somebody else is at it, or nobody wants it.

    Safe to call from any process, any number of times.

    Returns:
        False when there was nothing to do.
    """
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
    record = record_of(game)
    if sum(isinstance(event, OfferMade) for event in record.events) > MOST_MOVES:
        raise TooLong(f"Games of more than {MOST_MOVES} moves get no grades.")
    moves = grade(record)
    return result_of(record.setting.zopa, moves)


def result_of_row(row: Grading) -> Result | None:
    """Read the grades of a row; None while there are none of the present method."""
    if row.status != Grading.Status.DONE or row.method != method():
        return None
    return msgspec.convert(row.result, Result)


def _claim(game_id: str) -> bool:
    now = timezone.now()
    status = Grading.Status
    old = Q(status__in=(status.DONE, status.FAILED)) & ~Q(method=method())
    dead = Q(status=status.RUNNING, claimed_until__lt=now, attempts__lt=MOST_ATTEMPTS)
    free = Q(status=status.QUEUED) | old | dead
    held = now + timedelta(seconds=HELD_S)
    # Nothing got updated: another process grades this game, or has done so.
    return bool(
        Grading.objects.filter(free, game=game_id).update(
            status=status.RUNNING, claimed_until=held, attempts=F("attempts") + 1
        )
    )
