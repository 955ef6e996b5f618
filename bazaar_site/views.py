"""The landing page, and the icon for pages that name none."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bazaar_site.front.haggle import haggle
from bazaar_site.front.lamp import lamp
from bazaar_site.front.playground import playground
from bazaar_site.front.serving import Serving, known, look
from bazaar_site.front.turn import turn_garland
from bazaar_site.front.ways import stock
from negotiation.listings import featured
from negotiation.stall import offered

IN_THE_WINDOW = 3


@require_safe
def landing(request: HttpRequest) -> HttpResponse:
    """Say what this is, let two agents haggle, and show the ways in."""
    today = timezone.localdate().toordinal()
    listings = [offered(listing) for listing in featured(today, IN_THE_WINDOW)]
    context = {
        "haggle": haggle(),
        "lamp": lamp(),
        "stock": stock(),
        "playground": playground(),
        "listings": listings,
        **_serving(known()),
    }
    return render(request, "landing.html", context)


@require_safe
@never_cache
async def landing_serving(request: HttpRequest) -> HttpResponse:
    """Say again who serves Sauda now, after a look at every backend."""
    return render(request, "landing/_serving.html", _serving(await look()))


def _serving(serving: Serving) -> dict[str, Any]:
    return {"serving": serving, "turn": turn_garland(serving.speaking, serving.order)}


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Lead browsers that guess to the icon (the admin's pages name none)."""
    return redirect(static("img/favicon.svg"))
