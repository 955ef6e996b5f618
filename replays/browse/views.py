"""The list of replays as a page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from negotiation.bargain.web.game_page import visitor
from replays.browse.query import chips, facets, read_filters
from replays.browse.rows import rows_of
from replays.browse.shelf import SORTS, browse


@require_safe
def replay_list(request: HttpRequest) -> HttpResponse:
    """Show the replays a visitor may open, a page at a time."""
    filters = read_filters(request.GET.dict())
    shelf = browse(
        visitor(request),
        filters,
        older=request.GET.get("older", ""),
        newer=request.GET.get("newer", ""),
    )
    context = {
        "filters": filters,
        "facets": facets(filters),
        "sorts": SORTS,
        "order": dict(SORTS)[filters.sort],
        "chips": chips(filters, request.GET),
        "shelf": shelf,
        "rows": rows_of(shelf.games),
    }
    htmx = getattr(request, "htmx", None)
    # Going back asks for the whole page, its form included.
    part = "#results" if htmx and not htmx.history_restore_request else ""
    response = render(request, f"replays/list.html{part}", context)
    patch_vary_headers(response, ["HX-Request"])
    return response
