"""The stall: what can be sold."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from negotiation.bargain.web.counters import SELL_COUNTER, show_counter


@require_safe
def sell(request: HttpRequest) -> HttpResponse:
    """Show what can be sold; only the changed part for htmx."""
    return show_counter(request, SELL_COUNTER)
