"""The landing page, and the icon for pages that name none."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bazaar_site.front.page import front_page
from bazaar_site.front.serving import Serving, known, look
from bazaar_site.front.turn import turn_garland


@require_safe
def landing(request: HttpRequest) -> HttpResponse:
    """Say what this is, let two agents haggle, and show the ways in."""
    return render(request, "landing.html", front_page() | _serving(known()))


@require_safe
@never_cache
async def landing_serving(request: HttpRequest) -> HttpResponse:
    """Say again who serves Sauda now, after a look at every backend."""
    return render(request, "landing/_serving.html", _serving(await look()) | {"asked": True})


def _serving(serving: Serving) -> dict[str, Any]:
    return {"serving": serving, "turn": turn_garland(serving.speaking, serving.order)}


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Lead browsers that guess to the icon (the admin's pages name none)."""
    return redirect(static("img/favicon.svg"))
