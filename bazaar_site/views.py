"""The landing page, and the icon for pages that name none."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.utils import timezone
from django.views.decorators.http import require_safe

from bazaar_site.exhibit import exhibit
from negotiation.listings import featured
from negotiation.stall import offered

IN_THE_WINDOW = 6


@require_safe
def landing(request: HttpRequest) -> HttpResponse:
    """Say what this is, show one finished haggle, and show the way in."""
    today = timezone.localdate().toordinal()
    listings = [offered(listing) for listing in featured(today, IN_THE_WINDOW)]
    return render(request, "landing.html", {"exhibit": exhibit(), "listings": listings})


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Lead browsers that guess to the icon (the admin's pages name none)."""
    return redirect(static("img/favicon.svg"))
