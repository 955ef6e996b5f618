"""The game's room."""

from django.apps import AppConfig


class NegotiationConfig(AppConfig):
    """The game, its log, its live pages."""

    name = "negotiation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.conf import settings
        from django.utils.module_loading import import_string

        from bazaarbatna.bargain.people import held_out
        from negotiation.bargain import photos
        from negotiation.bargain.game import SALE
        from negotiation.bargain.web.live import SALE_LIVE
        from negotiation.cases.game import CASE
        from negotiation.games.game import register
        from negotiation.games.turn_live import TURNS
        from negotiation.openenv import site_errors  # noqa: F401  the protocol explains our errors

        held_out.plug_in()
        for dotted in settings.GAMES:
            register(import_string(dotted)(), TURNS)
        register(SALE, SALE_LIVE)
        register(CASE, TURNS)
        photos.follow_games()
