"""The HTTP API of the site: one router per room, one shape for every error."""

from django.http import HttpRequest
from ninja import NinjaAPI
from ninja.operation import Operation
from ninja.security import APIKeyCookie

from arena.auction.web.api import router as arena
from arena.gpu_market.web.api import router as market
from bazaar_site.errors import answer_errors
from negotiation.bargain.web.api import router as negotiation
from negotiation.games.turn_views import router as games
from replays.api import router as replays
from replays.transfer.views import router as importing
from training.bots.api import router as bots


class Visitor(APIKeyCookie):
    """The session cookie is the visitor; unsafe requests must carry the CSRF token with it."""

    param_name = "sessionid"

    def authenticate(self, request: HttpRequest, key: str | None) -> str | None:
        """Name the visitor; who comes without a cookie has just been given a session."""
        return request.session.session_key


PUBLIC_NAMES = {
    "arena.auction.web.api": "arena_api",
    "arena.gpu_market.web.api": "arena_gpu_market_room_api",
    "negotiation.bargain.web.api": "negotiation_api",
    "negotiation.games.turn_views": "games",
    "replays.transfer.views": "replays_importing_views",
}
"""Modules whose endpoints are known to clients under another name than the module's own."""


class Api(NinjaAPI):
    """Names operations as generated clients know them, wherever their code moves to."""

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Return the id of an operation: its module's public name and the function's."""
        view = operation.view_func
        module = view.__module__
        return f"{PUBLIC_NAMES.get(module, module.replace('.', '_'))}_{view.__name__}"


api = Api(title="BazaarBATNA", version="1", docs_url=None, auth=Visitor())
answer_errors(api)
api.add_router("", negotiation)
api.add_router("arena/", arena)
api.add_router("market/", market)
api.add_router("", replays)
api.add_router("", importing)
api.add_router("bots/", bots)
api.add_router("", games)
