"""Which consumer answers which socket."""

from channels.routing import URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from channels.sessions import SessionMiddlewareStack

websocket_application = AllowedHostsOriginValidator(SessionMiddlewareStack(URLRouter([])))
