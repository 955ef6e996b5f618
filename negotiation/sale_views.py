"""One sale: its brief, its page, and its moves without JavaScript.

Each view reads the request, makes one call, and draws.
"""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from negotiation.forms import OwnItemForm
from negotiation.models import Listing
from negotiation.pages import start_page


@require_http_methods(["GET", "HEAD", "POST"])
def sell_new(request: HttpRequest) -> HttpResponse:
    """Show the brief of a listing or the form for an own item; a post opens the sale."""
    posted = request.method == "POST"
    number = (request.POST if posted else request.GET).get("listing", "")
    if number:
        return render(request, "negotiation/start.html", start_page(_listing(number)))
    form = OwnItemForm(request.POST if posted else None)
    return render(request, "negotiation/own.html", {"form": form}, status=422 if posted else 200)


def _listing(number: str) -> Listing:
    if not (number.isascii() and number.isdecimal() and len(number) < 19):
        raise Http404
    try:
        return Listing.objects.get(pk=int(number))
    except Listing.DoesNotExist:
        raise Http404 from None
