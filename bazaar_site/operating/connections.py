"""What surrounds every connection: its number, its lines in the log, and the counters."""

from collections.abc import Callable
from typing import Any

from django.conf import settings

from bazaar_site.log_privacy import route_of
from bazaar_site.operating.access_log import Logged
from bazaar_site.operating.request_ids import Numbered


def looked_after(application: Any, route: Callable[[str], str] = route_of) -> Any:
    """Number and log what comes to an ASGI application, and count it where there are metrics.

    ``route`` returns the pattern of an address.
    """
    if settings.METRICS:
        from bazaar_site.operating.counters import Counted

        application = Counted(application)
    return Numbered(Logged(application, route))
