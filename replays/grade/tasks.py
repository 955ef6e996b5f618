"""Background jobs of the grades."""

from typing import Any

from celery import shared_task

from negotiation.enqueue import enqueue_soon
from replays.grade import jobs


@shared_task(name="replays.tasks.grade_game", soft_time_limit=30, time_limit=40)
def grade_game(game_id: str) -> None:
    """Grade a finished game; the row holds what comes of it."""
    jobs.run(game_id)


def on_game_ended(sender: object, game_id: str, **_: Any) -> None:
    """Have a game graded that has ended; receives ``negotiation.games.notify.game_ended``."""
    enqueue_soon(grade_game, game_id)
