"""The room where policies are measured and trained."""

from django.apps import AppConfig


class TrainingConfig(AppConfig):
    """Evaluation, receipts, the leaderboard."""

    name = "training"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let evaluations play what this room adds to the engine's suites."""
        from training.data import plug as data
        from training.drawn import plug as drawn
        from training.strangers import plug as strangers

        strangers.plug_in()
        drawn.plug_in()
        data.plug_in()
