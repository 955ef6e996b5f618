"""The stall: which listings are shown for what was searched."""

import random
from typing import Any
from urllib.parse import urlencode

import msgspec

from bazaarbatna.bargain.quantities import to_rupees
from negotiation.bargain.web.forms import CONDITION_WORDS, SORTS, SearchForm
from negotiation.bargain.web.listings import categories, featured, search
from negotiation.models import Game, Listing

FILTERS = ("q", "category", "min", "max", "sort")


class Offered(msgspec.Struct, frozen=True):
    """A listing as a card; ``asking`` in rupees."""

    pk: int
    title: str
    category: str
    description: str
    condition: str
    city: str
    asking: float
    currency: str


class ListingsPage(msgspec.Struct, frozen=True):
    """One page of the stall. ``more`` is the address of the next cards, ``all`` of everything."""

    cards: tuple[Offered, ...]
    total: int
    number: int = 1
    more: str = ""
    all: str = ""


def stall_page(form: SearchForm, seed: int) -> dict[str, Any]:
    """Gather the listings for a search; ``seed`` decides what lies in front without one."""
    kept = {name: form.data[name] for name in FILTERS if form.data.get(name)}
    kinds = categories()
    asked = form.asked()
    page = _found(asked, kept) if kept or asked["page"] else _in_front(seed, kinds)
    return {
        "filters": kept,
        "sorts": SORTS,
        "categories": kinds,
        "page": page,
        "narrowed": bool(kept.keys() & {"category", "min", "max", "sort"}),
    }


def offered(listing: Listing) -> Offered:
    """Show a listing; the street price stays with us."""
    return Offered(
        pk=listing.pk,
        title=listing.title,
        category=listing.category,
        description=listing.description,
        condition=str(CONDITION_WORDS.get(listing.condition_label, listing.condition_label)),
        city=listing.city,
        asking=to_rupees(listing.list_price),
        currency=listing.currency,
    )


def _in_front(seed: int, kinds: list[Any]) -> ListingsPage:
    cards = tuple(offered(listing) for listing in featured(seed))
    return ListingsPage(cards, sum(kind.count for kind in kinds), all="?sort=title")


def _found(asked: dict[str, Any], kept: dict[str, str]) -> ListingsPage:
    found = search(
        asked["q"] or "",
        asked["category"] or "",
        asked["min"],
        asked["max"],
        asked["sort"] or "best",
        asked["page"] or 1,
    )
    more = f"?{urlencode({**kept, 'page': found.next_page})}" if found.next_page else ""
    return ListingsPage(tuple(map(offered, found.listings)), found.total, found.page, more)


def next_listing(game: Game) -> Listing | None:
    """Choose another thing for after a game: one that its person has not bargained over yet."""
    seen = Game.objects.filter(owner=game.owner, listing__isnull=False).values("listing")
    others = Listing.objects.all()
    if game.listing_id is not None:
        others = others.exclude(pk=game.listing_id)
    numbers = others.exclude(pk__in=seen).order_by("pk").values_list("pk", flat=True)
    found = numbers or others.order_by("pk").values_list("pk", flat=True)
    if not found:
        return None
    return Listing.objects.get(pk=random.Random(f"next:{game.pk}").choice(found))
