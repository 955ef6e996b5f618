"""The room where policies are measured and trained."""

from django.apps import AppConfig


class TrainingConfig(AppConfig):
    """Evaluation, receipts, the leaderboard."""

    name = "training"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from training.data import teaching
        from training.evaluation import bazaar
        from training.evaluation.markets import market as markets
        from training.sellers import random_sellers, seller_evaluation

        bazaar.plug_in()
        markets.plug_in()
        seller_evaluation.plug_in()
        random_sellers.plug_in()
        teaching.plug_in()
