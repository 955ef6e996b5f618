"""The map of the site's addresses."""

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from django.urls import URLPattern, URLResolver, include, path
from django.views.i18n import set_language
from ninja import NinjaAPI
from ninja.operation import Operation
from ninja.security import APIKeyCookie

from agents.health import choices, health
from agents.highlight import highlight
from arena.auction.web.api import router as arena
from arena.gpu_market.web.api import router as market
from bazaar_site.errors import answer_errors
from bazaar_site.landing.views import (
    evidence,
    evidence_how,
    favicon,
    landing,
    landing_serving,
    manifest,
    offline,
    service_worker,
)
from bazaar_site.learn.views import handbook, keys, learn, sealed, search
from bazaar_site.operating.healthz import healthz, status
from negotiation.bargain.web import urls
from negotiation.bargain.web.api import router as negotiation
from negotiation.bargain.web.cast import cast
from negotiation.games.turn_views import router as games
from replays.api import router as replays
from replays.transfer.views import router as importing
from training.bots.api import router as bots
from training.pages.voices import voices


class Visitor(APIKeyCookie):
    """The session cookie is the visitor; unsafe requests must carry the CSRF token with it."""

    param_name = "sessionid"

    def authenticate(self, request: HttpRequest, key: str | None) -> str | None:
        """Name the visitor; who comes without a cookie has just been given a key."""
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


handler400 = "bazaar_site.errors.bad_request"
handler403 = "bazaar_site.errors.forbidden"
handler404 = "bazaar_site.errors.not_found"
handler500 = "bazaar_site.errors.our_fault"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", landing, name="landing"),
    path("evidence/", evidence, name="evidence"),
    path("evidence/how/", evidence_how, name="evidence-how"),
    path("serving", landing_serving, name="landing-serving"),
    path("learn/", learn, name="learn"),
    path("learn/people/", cast, name="cast"),
    path("learn/sealed/", sealed, name="sealed"),
    path(".well-known/bazaarbatna-keys.json", keys, name="keys"),
    path("learn/handbook/", handbook, name="handbook"),
    path("learn/handbook/<path:name>/", handbook, name="handbook"),
    path("search/", search, name="search"),
    path("language/", set_language, name="set_language"),
    path("manifest.webmanifest", manifest, name="manifest"),
    path("service-worker.js", service_worker, name="service-worker"),
    path("offline/", offline, name="offline"),
    path("favicon.ico", favicon),
    path("healthz", healthz),
    path("status/", status, name="status"),
    path("", include(urls.guests)),
    path("", include("negotiation.openenv.urls")),
    path("", include("arena.gpu_market.openenv.urls")),
    path("", include("negotiation.games.turn_views")),
    path("cases/", include("negotiation.cases.urls")),
    path("pair/", include(urls.pairs)),
    path("sell/", include(urls.sell)),
    path("buy/", include(urls.buy)),
    path("arena/", include("arena.urls")),
    path("market/", include("arena.gpu_market.web.urls")),
    path("rooms/", include("rooms.urls")),
    path("account/", include("rooms.web.accounts")),
    path("daily/", include("replays.daily.urls")),
    path("replays/", include("replays.urls")),
    path("challenge/", include("replays.challenge.urls")),
    path("puzzles/", include("replays.puzzles.urls")),
    path("leaderboard/", include("training.leaderboard.urls")),
    path("training/", include("training.urls")),
    path("voices/", voices, name="voices"),
    path("bots/", include("training.bots.urls")),
    path("sauda/health", health, name="sauda-health"),
    path("sauda/backends", choices, name="sauda-backends"),
    path("api/", api.urls),
    path("highlight", highlight, name="highlight"),
    path("admin/", admin.site.urls),
]

if settings.METRICS:
    from bazaar_site.operating.metrics import metrics

    urlpatterns.append(path("metrics", metrics))
