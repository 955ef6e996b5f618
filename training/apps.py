"""The room where policies are measured and trained."""

from django.apps import AppConfig


class TrainingConfig(AppConfig):
    """Evaluation, receipts, the leaderboard."""

    name = "training"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register what evaluations can play: both worlds, and further suites."""
        from training.data import plug as data
        from training.drawn import plug as drawn
        from training.evaluation import bazaar
        from training.evaluation.ceilings import plug as ceilings
        from training.evaluation.markets import market as markets
        from training.strangers import plug as strangers

        bazaar.plug_in()
        ceilings.plug_in()
        markets.plug_in()
        strangers.plug_in()
        drawn.plug_in()
        data.plug_in()
