"""Background jobs of the replays, where Celery looks for them."""

from replays.grade.tasks import grade_game

__all__ = ["grade_game"]
