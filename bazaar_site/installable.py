"""The site as an app on a phone: its name, its icons, and a page for when there is no net."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_cookie

PAPER, MADDER = "#faf5ec", "#9c2f22"
ICONS = (("img/icon-192.png", "192x192"), ("img/icon-512.png", "512x512"))


@require_safe
@vary_on_cookie  # the language may stand in one
@cache_control(max_age=3600)
def manifest(request: HttpRequest) -> JsonResponse:
    """Tell a phone how to install the site; what is shared with it becomes an own item."""
    described = {
        "name": "BazaarBATNA",
        "short_name": "Bazaar",
        "description": gettext("Bargain against a buyer that was trained to bargain."),
        "lang": get_language(),
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": MADDER,
        "icons": [
            {"src": static(file), "sizes": sizes, "type": "image/png", "purpose": purpose}
            for file, sizes in ICONS
            for purpose in ("any", "maskable")
        ],
        "shortcuts": [
            {"name": gettext("Sell something"), "url": reverse("sell")},
            {"name": gettext("Arena"), "url": reverse("arena")},
        ],
        "share_target": {
            "action": reverse("sell-new"),
            "method": "GET",
            "params": {"title": "title", "text": "description"},
        },
    }
    return JsonResponse(described, content_type="application/manifest+json")


@require_safe
@vary_on_cookie
@cache_control(max_age=0, must_revalidate=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """Give the browser what it keeps for when there is no net: one page and what it looks like."""
    kept = [reverse("offline"), *map(static, OFFLINE_FILES)]
    return render(request, "service-worker.js", {"kept": kept}, "text/javascript")


OFFLINE_FILES = (
    *(f"css/{name}.css" for name in ("layers", "tokens", "base", "frame", "buttons", "cards")),
    "img/logo.svg",
)


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show that there is no net; kept by the service worker, in the visitor's language."""
    return render(request, "offline.html")
