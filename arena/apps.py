"""The arena's room."""

from django.apps import AppConfig


class ArenaConfig(AppConfig):
    """Several buyers fight over one item; labs trade compute."""

    name = "arena"

    def ready(self) -> None:
        """Let the market know the trained labs."""
        from arena.gpu_market.trained.seat import plug_in

        plug_in()
