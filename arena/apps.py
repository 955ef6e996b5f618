"""The arena's room."""

from django.apps import AppConfig


class ArenaConfig(AppConfig):
    """Several buyers fight over one item."""

    name = "arena"
