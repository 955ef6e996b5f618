"""What the board hears of, published evaluations and games that end, and its background jobs."""

import logging
from typing import Any

from celery import shared_task
from django.db import transaction
from django.db.models import Q
from django.db.models.signals import post_save

from arena.models import MatchSeat
from negotiation.enqueue import enqueue, enqueue_soon
from negotiation.games.notify import game_ended
from negotiation.models import Game
from negotiation.names import register_holder
from negotiation.ttl_cache import is_time
from training.evaluation import EvaluationError
from training.leaderboard import people, policy_table, sparring
from training.leaderboard.models import BoardName
from training.models import Run


@shared_task(ignore_result=True)
def rate_all() -> None:
    """Count the games that ended, and rate whoever has new results."""
    people.refresh_people()
    if sparring.is_due():
        enqueue(spar)
    policy_table.refresh_policies()


@shared_task(ignore_result=True, soft_time_limit=300, time_limit=330)
def spar() -> None:
    """Let the site's players play in people's chairs, and rate people beside them."""
    if sparring.refresh():
        people.refresh_people()


log = logging.getLogger(__name__)

ASK_EVERY_S = 10.0
LOOK_EVERY_S = 600.0


def connect() -> None:
    """Begin to listen."""
    register_holder("people", people.is_taken)
    post_save.connect(on_run_saved, sender=Run, dispatch_uid="rate what is published")
    game_ended.connect(on_game_ended, dispatch_uid="count the games of people on the board")


def on_run_saved(sender: object, instance: Run, **_: Any) -> None:
    """Rate the policies as soon as an evaluation is published; publishing takes a second more."""
    if instance.published_at is not None:
        transaction.on_commit(_rate_policies, robust=True)


def on_game_ended(sender: object, game_id: str, **_: Any) -> None:
    """Have a game counted if one of its players is on the board."""
    seats = MatchSeat.objects.filter(match=game_id).exclude(owner="").values("owner")
    games = Game.objects.filter(pk=game_id).exclude(owner="").values("owner")
    players = Q(owner__in=games) | Q(owner__in=seats)
    if BoardName.objects.filter(players).exclude(name="").exists():
        ask()


def look_after(*, is_late: bool) -> None:
    """Ask the worker if a table is behind, but not for every visitor of its page.

    ``is_late``: the policies are. Whether players must spar anew changes with code and stall:
    seldom.
    """
    is_wanted = is_late and is_time("board-late", ASK_EVERY_S)
    if is_wanted or (is_time("board-sparring", LOOK_EVERY_S) and sparring.is_due()):
        ask()


def ask() -> None:
    """Ask the background worker to bring the tables up to date, without waiting for the broker."""
    enqueue_soon(rate_all)


def _rate_policies() -> None:
    try:
        policy_table.refresh_policies()
    except (OSError, ValueError, EvaluationError):
        # The page then shows shares without points; what is published stays published.
        log.exception("the published evaluation could not be rated")
