"""The game's room."""

from django.apps import AppConfig


class NegotiationConfig(AppConfig):
    """The game, its log, its live pages."""

    name = "negotiation"
    default_auto_field = "django.db.models.BigAutoField"
