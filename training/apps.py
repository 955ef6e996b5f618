"""The room where policies are measured and trained."""

from django.apps import AppConfig


class TrainingConfig(AppConfig):
    """Evaluation, receipts, the leaderboard."""

    name = "training"
    default_auto_field = "django.db.models.BigAutoField"
