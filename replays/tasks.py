"""Background jobs of the replays, where Celery looks for them."""

from replays.daily.tasks import find_line
from replays.grade.tasks import grade_game

__all__ = ["find_line", "grade_game"]
