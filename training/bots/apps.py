"""The part of the training room where bots from elsewhere play."""

from django.apps import AppConfig


class BotsConfig(AppConfig):
    """Registration, dealing, verification."""

    name = "training.bots"
    label = "bots"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from negotiation.names import register_holder
        from training.bots.models import Bot

        register_holder("bots", lambda key: Bot.objects.filter(name_key=key).exists())
