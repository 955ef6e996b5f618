"""Rooms: people who come together to bargain, for a class or a study."""

from django.apps import AppConfig


class RoomsConfig(AppConfig):
    """Rooms, who is in them, and what they play."""

    name = "bazaar_site.rooms"
    label = "rooms"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say who may open which replay of a room."""
        from bazaar_site.rooms.debrief import access

        access.register()
