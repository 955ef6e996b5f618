"""The replays' room."""

from django.apps import AppConfig


class ReplaysConfig(AppConfig):
    """Finished games, browsed and scrubbed."""

    name = "replays"
