"""The landing page, and the icon for pages that name none."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.utils import timezone
from django.views.decorators.http import require_safe

from bazaar_site.front.haggle import haggle
from bazaar_site.front.lamp import lamp
from bazaar_site.front.ways import stock
from negotiation.listings import featured
from negotiation.stall import offered

IN_THE_WINDOW = 3


@require_safe
def landing(request: HttpRequest) -> HttpResponse:
    """Say what this is, let two agents haggle, and show the ways in."""
    today = timezone.localdate().toordinal()
    listings = [offered(listing) for listing in featured(today, IN_THE_WINDOW)]
    context = {"haggle": haggle(), "lamp": lamp(), "stock": stock(), "listings": listings}
    return render(request, "landing.html", context)


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Lead browsers that guess to the icon (the admin's pages name none)."""
    return redirect(static("img/favicon.svg"))
