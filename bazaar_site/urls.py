"""The map of the site's addresses."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from agents.health import choices, health
from agents.highlight import highlight
from bazaar_site.api import api
from bazaar_site.healthz import healthz
from bazaar_site.landing.views import favicon, landing, landing_serving
from negotiation.bargain.web import urls
from training.pages.voices import voices

handler400 = "bazaar_site.errors.bad_request"
handler403 = "bazaar_site.errors.forbidden"
handler404 = "bazaar_site.errors.not_found"
handler500 = "bazaar_site.errors.our_fault"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", landing, name="landing"),
    path("serving", landing_serving, name="landing-serving"),
    path("favicon.ico", favicon),
    path("healthz", healthz),
    path("", include(urls.guests)),
    path("", include("negotiation.openenv.urls")),
    path("", include("arena.gpu_market.openenv.urls")),
    path("", include("negotiation.games.turn_views")),
    path("sell/", include(urls.sell)),
    path("buy/", include(urls.buy)),
    path("arena/", include("arena.urls")),
    path("market/", include("arena.gpu_market.web.urls")),
    path("replays/", include("replays.urls")),
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
