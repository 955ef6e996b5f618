"""The agents' room."""

from django.apps import AppConfig


class AgentsConfig(AppConfig):
    """Registers every policy and the reader of free text with the game."""

    name = "agents"

    def ready(self) -> None:
        from agents import plug

        plug.plug_in()
