"""The part of the training room that keeps the board."""

from django.apps import AppConfig


class LeaderboardConfig(AppConfig):
    """Ratings of policies and people."""

    name = "training.leaderboard"
    label = "leaderboard"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from training.leaderboard import tasks

        tasks.connect()
