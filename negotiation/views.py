"""The stall: what can be sold."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from negotiation.forms import SearchForm
from negotiation.stall import stall_page


@require_safe
def sell(request: HttpRequest) -> HttpResponse:
    """Show the listings that fit a search; only the changed part for htmx."""
    part = ""
    if getattr(request, "htmx", False):
        part = "#cards" if request.GET.get("part") == "cards" else "#stall"
    # What lies in front changes from day to day, not while somebody looks.
    context = stall_page(SearchForm(request.GET), seed=timezone.localdate().toordinal())
    response = render(request, f"negotiation/sell.html{part}", context)
    patch_vary_headers(response, ["HX-Request"])
    return response
