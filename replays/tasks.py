"""Background jobs of the replays."""

from typing import Any

from celery import shared_task

from negotiation.enqueue import enqueue_soon
from replays import grade_jobs


@shared_task(soft_time_limit=30, time_limit=40)
def grade_game(game_id: str) -> None:
    """Grade a finished game; says nothing back, the row tells."""
    grade_jobs.run(game_id)


def on_game_ended(sender: object, game_id: str, **_: Any) -> None:
    """Have a game graded that has ended; receives ``negotiation.games.notify.game_ended``."""
    enqueue_soon(grade_game, game_id)
