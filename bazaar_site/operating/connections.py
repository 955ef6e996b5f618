"""What surrounds every connection: its number, and where wanted the counters."""

from typing import Any

from django.conf import settings

from bazaar_site.operating.request_ids import Numbered


def looked_after(application: Any) -> Any:
    """Number what comes to an ASGI application, and count it where there are metrics."""
    if settings.METRICS:
        from bazaar_site.operating.counters import Counted

        application = Counted(application)
    return Numbered(application)
