"""Rooms: people who come together to bargain, for a class or a study."""

from django.apps import AppConfig


class RoomsConfig(AppConfig):
    """Rooms, who is in them, and what they play."""

    name = "bazaar_site.rooms"
    label = "rooms"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Hear when a game of a room ends, and say who may open which replay of one."""
        from bazaar_site.rooms.debrief import access
        from bazaar_site.rooms.endings import hear_end
        from negotiation.games.notify import game_ended

        game_ended.connect(hear_end, dispatch_uid="rooms")
        access.register()
