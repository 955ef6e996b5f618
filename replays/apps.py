"""The replays' room."""

from django.apps import AppConfig


class ReplaysConfig(AppConfig):
    """Finished games, browsed, scrubbed, replayed otherwise, and graded."""

    name = "replays"

    def ready(self) -> None:
        from negotiation.games.notify import game_ended, person_moved
        from replays.grade.ahead import on_person_moved
        from replays.grade.tasks import on_game_ended

        game_ended.connect(on_game_ended, dispatch_uid="grade finished games")
        person_moved.connect(on_person_moved, dispatch_uid="grade moves ahead")
