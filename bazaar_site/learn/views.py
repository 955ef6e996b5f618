"""The page to learn from, the handbook, and the search of the whole site."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from bazaar_site.learn.handbook import find, leaves
from negotiation.bargain.web.listing_search import offered
from negotiation.bargain.web.listings import search as search_listings
from negotiation.games.visitors import visitor
from replays.browse.shelf import Filters, browse
from replays.browse.views import rows_of
from replays.transfer.signing import public_keys

MOST_LETTERS = 100
SHOWN = 6


@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """Show what can be learned here, by playing and by reading."""
    return render(request, "learn/learn.html")


@require_safe
def handbook(request: HttpRequest, name: str = "") -> HttpResponse:
    """Show a page of the handbook, or what pages there are."""
    pages = leaves()
    if not name:
        return render(request, "learn/handbook.html", {"leaves": pages.values()})
    if name not in pages:
        raise Http404
    return render(request, "learn/leaf.html", {"leaf": pages[name]})


@require_safe
def sealed(request: HttpRequest) -> HttpResponse:
    """Show what is sealed, how that is checked, and what an opponent can tell all the same."""
    return render(request, "learn/sealed.html", {"keys": public_keys()})


@require_safe
def keys(request: HttpRequest) -> JsonResponse:
    """List the public keys of this house, as a set of JSON web keys (RFC 7517, RFC 8037)."""
    kept = [
        {
            "kty": "OKP",
            "crv": "Ed25519",
            "alg": "EdDSA",
            "use": "sig",
            "kid": key.id,
            "x": key.public_key,
            "in_use": key.in_use,
        }
        for key in public_keys()
    ]
    return JsonResponse({"keys": kept}, headers={"Access-Control-Allow-Origin": "*"})


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Look for words among the goods, the replays and the handbook."""
    words = " ".join(request.GET.get("q", "").split())[:MOST_LETTERS]
    context: dict[str, object] = {"q": words}
    if words:
        goods = search_listings(words, page_size=SHOWN)
        shelf = browse(visitor(request), Filters(title=words))
        context |= {
            "goods": [offered(listing) for listing in goods.listings],
            "goods_total": goods.total,
            "replays": rows_of(shelf.games[:SHOWN]),
            "replays_total": shelf.count_text,
            "more_replays": len(shelf.games) > SHOWN,
            "hits": find(words.lower().split()),
        }
    return render(request, "learn/search.html", context)
