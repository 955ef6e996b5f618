"""The site as an ASGI application: HTTP by Django, sockets by Channels."""

import gc
import os
import sys
from collections.abc import Callable

from channels.routing import ProtocolTypeRouter
from django.conf import settings
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
# The loop that serves all sockets asks for the interpreter in small turns; at the default of 5 ms
# each turn waits behind whichever thread is busy drawing a page.
sys.setswitchinterval(0.001)
django_application = get_asgi_application()
gc.set_threshold(1_000_000, 10, 10)  # as in ``bazaar_site``: the pages are still to be imported

from agents import asking  # noqa: E402  needs the apps to be ready
from bazaar_site import early_types  # noqa: E402  as above
from bazaar_site.apps import look_after_garbage  # noqa: E402  as above
from bazaar_site.doorway.bodies import bound_bodies  # noqa: E402  as above
from bazaar_site.log_privacy import log_what_nobody_caught  # noqa: E402  as above
from bazaar_site.operating import start_times  # noqa: E402  as above
from bazaar_site.operating.access_log import looked_after, silence_daphne  # noqa: E402  as above
from bazaar_site.routing import Divided, InTurn, RemembersLoop, websocket_application  # noqa: E402  as above


def when_it_listens(work: Callable[[], None]) -> None:
    """Do something as soon as Daphne listens; at once where somebody else serves the site."""
    reactor = sys.modules.get("twisted.internet.reactor")
    if reactor is None:
        work()
    else:
        reactor.callWhenRunning(work)


early_types.build()
if settings.ENVIRONMENTS != "only":
    when_it_listens(asking.warm_up)
bound_bodies()
silence_daphne()
log_what_nobody_caught()

application = RemembersLoop(
    Divided(
        ProtocolTypeRouter(
            {
                "http": looked_after(InTurn(django_application)),
                "websocket": websocket_application,
            }
        )
    )
)
look_after_garbage()
start_times.done("sockets and the way in")
