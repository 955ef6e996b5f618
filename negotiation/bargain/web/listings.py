"""Finding something to sell: search, categories, prices and a varied first page."""

import random
from collections import defaultdict
from collections.abc import Iterable
from typing import Literal, get_args

import msgspec
from django.db.models import Case, Count, IntegerField, Q, QuerySet, Value, When

from bazaarbatna.bargain.quantities import MAX_PRICE, Paise
from negotiation.models import Listing
from negotiation.words import search_words

Sort = Literal["best", "title", "price-low", "price-high"]
SORTS: tuple[Sort, ...] = get_args(Sort)

PAGE_SIZE = 24
MAX_PAGE_SIZE = 100

_BY_SORT: dict[Sort, tuple[str, ...]] = {
    "best": ("title", "id"),
    "title": ("title", "id"),
    # Rupees before dollars: amounts of two currencies have no common order.
    "price-low": ("-is_home_currency", "list_price", "title", "id"),
    "price-high": ("-is_home_currency", "-list_price", "title", "id"),
}


class ListingPage(msgspec.Struct, frozen=True):
    """One page of what a search found."""

    listings: list[Listing]
    total: int
    """Listings found on all pages."""
    page: int
    """Number of this page, 1..pages."""
    pages: int
    """At least 1, also when nothing was found."""

    @property
    def next_page(self) -> int | None:
        """Number of the page after this one, if there is one."""
        return self.page + 1 if self.page < self.pages else None


class CategoryCount(msgspec.Struct, frozen=True):
    """A category and how many listings it holds."""

    name: str
    count: int


def search(
    q: str = "",
    category: str = "",
    min_price: Paise | None = None,
    max_price: Paise | None = None,
    sort: Sort = "best",
    page: int = 1,
    *,
    currency: str = "INR",
    page_size: int = PAGE_SIZE,
) -> ListingPage:
    """Find listings, in two queries; every argument narrows, none is required.

    Each word of ``q`` must begin a word of title, category, city or description. Prices are in the
    smallest unit of ``currency``; with a bound, other currencies are not found. ``best``, also what
    an unknown sort means, puts hits in the title first. Pages count from 1; outside the range the
    nearest is given.
    """
    words = search_words(q)
    found = _found(words, category, min_price, max_price, currency)
    size = min(max(page_size, 1), MAX_PAGE_SIZE)
    total = found.count()
    pages = max(-(-total // size), 1)
    number = min(max(page, 1), pages)
    first = (number - 1) * size
    rows = _sorted(found, sort, words, currency).defer("search_text")[first : first + size]
    return ListingPage(list(rows), total, number, pages)


def categories() -> list[CategoryCount]:
    """Name every category with the number of its listings, in alphabetical order."""
    rows = Listing.objects.order_by("category").values_list("category").annotate(n=Count("id"))
    return [CategoryCount(name, count) for name, count in rows]


def featured(seed: int, count: int = PAGE_SIZE) -> list[Listing]:
    """Pick listings for a first page that shows the whole bazaar; ``seed`` decides which.

    Takes turns between the categories of our own catalogue (of everything, if that is not loaded),
    so that no category comes twice before every other came once.
    """
    rng = random.Random(seed)
    own = Listing.objects.filter(source="catalogue")
    rows = (own if own.exists() else Listing.objects.all()).order_by("id")
    shelves: dict[str, list[int]] = defaultdict(list)
    for pk, category in rows.values_list("id", "category"):
        shelves[category].append(pk)
    picked = _take_turns(shelves, rng, count)
    found = Listing.objects.defer("search_text").in_bulk(picked)
    return [found[pk] for pk in picked]


def _found(
    words: list[tuple[str, ...]],
    category: str,
    min_price: Paise | None,
    max_price: Paise | None,
    currency: str,
) -> QuerySet[Listing]:
    found = Listing.objects.all()
    for spellings in words:
        found = found.filter(_any_of("search_text__contains", _beginnings(spellings)))
    if category:
        found = found.filter(category=_storable(category))
    if min_price is not None:
        found = found.filter(currency=currency, list_price__gte=min(max(min_price, 0), MAX_PRICE))
    if max_price is not None:
        found = found.filter(currency=currency, list_price__lte=min(max(max_price, 0), MAX_PRICE))
    return found


def _beginnings(spellings: tuple[str, ...]) -> list[str]:
    return [f" {spelling}" for spelling in spellings]


def _any_of(lookup: str, values: Iterable[str]) -> Q:
    either = Q()
    for value in values:
        either |= Q(**{lookup: value})
    return either


def _storable(text: str) -> str:
    # PostgreSQL refuses NUL, SQLite half a surrogate pair: no stored category has either.
    return text.replace("\x00", "").encode(errors="ignore").decode()


def _sorted(
    found: QuerySet[Listing], sort: str, words: list[tuple[str, ...]], currency: str
) -> QuerySet[Listing]:
    if sort == "best" and words:
        return found.annotate(rank=_rank(words)).order_by("rank", "title", "id")
    by = _BY_SORT[sort] if sort in SORTS else _BY_SORT["best"]
    home = When(currency=currency, then=Value(1))
    return found.annotate(
        is_home_currency=Case(home, default=Value(0), output_field=IntegerField())
    ).order_by(*by)


def _rank(words: list[tuple[str, ...]]) -> Case:
    in_title = whole = Q()
    for spellings in words:
        in_title &= _any_of("title__icontains", spellings)
        whole &= _any_of("search_text__contains", [f"{start} " for start in _beginnings(spellings)])
    kinds = (in_title & whole, in_title, _any_of("category__icontains", words[0]), whole)
    return Case(
        *(When(kind, then=Value(place)) for place, kind in enumerate(kinds)),
        default=Value(len(kinds)),
        output_field=IntegerField(),
    )


def _take_turns(shelves: dict[str, list[int]], rng: random.Random, count: int) -> list[int]:
    for shelf in shelves.values():
        rng.shuffle(shelf)
    order = sorted(shelves)
    rng.shuffle(order)
    picked: list[int] = []
    while len(picked) < count and any(shelves.values()):
        for name in order:
            picked += [shelves[name].pop()] if shelves[name] else []
    return picked[:count]
