"""The replays' room."""

from django.apps import AppConfig


class ReplaysConfig(AppConfig):
    """Finished games, browsed, scrubbed, replayed otherwise, and graded."""

    name = "replays"

    def ready(self) -> None:
        """Subscribe to the ends of games."""
        from negotiation.games.notify import game_ended
        from replays.grade.tasks import on_game_ended

        game_ended.connect(on_game_ended, dispatch_uid="grade finished games")
