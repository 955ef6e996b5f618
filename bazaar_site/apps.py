"""The site's own app: what its settings promise is checked at every start."""

import gc

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin.apps import AdminConfig
from django.core.checks import register

from bazaar_site.operating import start_times


def look_after_garbage() -> None:
    """Let the collector work from now on, and never look at what has been imported by now."""
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


class QuietDaphne(AppConfig):
    """Daphne's commands, without the event loop that its own app makes in every process."""

    name = "daphne"


class SiteConfig(AppConfig):
    """Looks over the operator's settings."""

    name = "bazaar_site"

    def ready(self) -> None:
        from bazaar_site.checks import look_over_settings
        from bazaar_site.flow_control import check_daphne
        from bazaar_site.operating.journal import look_for_killed

        if settings.METRICS:
            from bazaar_site.operating.counters import start_counting

            start_counting()
        register(look_over_settings, "bazaar")
        register(check_daphne, "bazaar")
        register(look_for_killed, "bazaar")
        look_after_garbage()
        start_times.done("Django and all apps")


class StaffAdmin(AdminConfig):
    """Django's admin, behind the house's own login."""

    default_site = "rooms.web.staff.StaffSite"
