"""Rooms: people who come together to bargain, for a class or a study."""

from django.apps import AppConfig


class RoomsConfig(AppConfig):
    """Rooms, who is in them, and what they play."""

    name = "rooms"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Hear what happens elsewhere, and say who may open which replay of a room."""
        from django.contrib.auth.signals import user_logged_in

        from agents.prompted import speak_for
        from negotiation.bargain import terms
        from negotiation.games.notify import game_ended
        from rooms import lobby, study_hooks
        from rooms.accounts import remember_place
        from rooms.debrief import access
        from rooms.hosting import debrief_shown
        from rooms.study import beliefs, flow
        from rooms.study.prompts import StudyAuthor
        from rooms.tasks import look_at_marks
        from rooms.tending import hear_end

        game_ended.connect(hear_end, dispatch_uid="rooms")
        user_logged_in.connect(remember_place, dispatch_uid="rooms")
        debrief_shown.connect(look_at_marks, dispatch_uid="rooms")
        access.register()
        study_hooks.register(flow)
        speak_for(StudyAuthor())
        terms.answers_first(beliefs.owes)
        terms.lead_first(lobby.sheet_before)
