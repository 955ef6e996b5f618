"""The site as an ASGI application: HTTP by Django, sockets by Channels."""

import os

from channels.routing import ProtocolTypeRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
django_application = get_asgi_application()

from bazaar_site.routing import RemembersLoop, websocket_application  # noqa: E402  needs the apps to be ready

application = RemembersLoop(
    ProtocolTypeRouter({"http": django_application, "websocket": websocket_application})
)
