"""Two sides of one stall: the same shelf for whoever sells and for whoever buys."""

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers

from negotiation.bargain.web.forms import SearchForm
from negotiation.bargain.web.listing_search import stall_page


class Counter(msgspec.Struct, frozen=True):
    """How the shelf is worded; ``home`` and ``start`` are names of addresses.

    ``own`` says that things can be brought along.
    """

    home: str
    start: str
    title: str
    lede: str
    empty: str
    own: bool = False


SELL_COUNTER = Counter(
    home="sell",
    start="sell-new",
    title="What will you sell?",
    lede="Take something from the stall or bring your own. You get a reservation price that only "
    "you know; Sauda gets a budget that only she knows. Then you talk.",
    empty="Try fewer words or another price, or sell something of your own.",
    own=True,
)
BUY_COUNTER = Counter(
    home="buy",
    start="buy-new",
    title="What will you buy?",
    lede="Choose a thing, then whose stall it stands on. You bring a budget that only you know; "
    "the seller has a price below which she keeps it. Then you talk.",
    empty="Try fewer words or another price.",
)


def show_counter(request: HttpRequest, counter: Counter) -> HttpResponse:
    """Show the listings that fit a search; only the changed part for htmx."""
    part = ""
    if getattr(request, "htmx", False):
        part = "#cards" if request.GET.get("part") == "cards" else "#stall"
    # What lies in front changes from day to day, not while somebody looks.
    context = stall_page(SearchForm(request.GET), seed=timezone.localdate().toordinal())
    context["counter"] = counter
    response = render(request, f"negotiation/stall.html{part}", context)
    patch_vary_headers(response, ["HX-Request"])
    return response
