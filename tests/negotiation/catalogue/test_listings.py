"""Visitors find what they look for."""

from collections.abc import Callable

import pytest

from bazaarbatna.bargain.quantities import Paise
from negotiation.bargain.web import listings
from negotiation.bargain.web.listings import ListingPage, categories, featured, search
from negotiation.catalogue.shelving import load_catalogue
from negotiation.models import Listing

pytestmark = pytest.mark.django_db

Queries = Callable[[int], object]


@pytest.fixture(autouse=True)
def catalogue() -> None:
    load_catalogue()


def a_listing(title: str, **fields: object) -> Listing:
    plain: dict[str, object] = {
        "category": "Odds and ends",
        "list_price": 20_000,
        "street_price": 15_000,
        "source": "test",
        "source_key": title,
    }
    return Listing.objects.create(title=title, **(plain | fields))


def titles(page: ListingPage) -> list[str]:
    return [listing.title for listing in page.listings]


def everything(**asked: object) -> list[Listing]:
    found: list[Listing] = []
    page: int | None = 1
    while page is not None:
        shown = search(page=page, **asked)  # type: ignore[arg-type]
        found += shown.listings
        page = shown.next_page
    return found


def test_without_a_query_every_listing_is_on_some_page_exactly_once() -> None:
    for sort in listings.SORTS:
        found = [listing.pk for listing in everything(sort=sort)]
        assert sorted(found) == sorted(Listing.objects.values_list("pk", flat=True))


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("COOKER", "Hawkins Contura pressure cooker, 5 litre"),
        ("scarves", "Block-printed silk scarf, indigo"),
        ("scarf", "Block-printed silk scarf, indigo"),
        ("sari kanchipuram", "Kanjivaram silk saree, bottle green with temple border"),
        ("cycles", "Atlas gents' cycle, black, with carrier and stand"),
        ("refrigerator", "Godrej single-door fridge, 190 litre, wine red"),
        ("levis jeans", "Levi's 501 jeans, waist 32, dark blue"),
        ("varanasi  tabla-pair", "Tabla pair, sheesham dayan and copper bayan"),
        ("  nachiarkoil ", "Pair of Nachiarkoil standing lamps, 24 inch"),
    ],
)
def test_words_find_a_listing_in_any_case_number_or_spelling(query: str, title: str) -> None:
    assert title in titles(search(query))


def test_all_words_must_occur() -> None:
    assert titles(search("brass lamp"))
    assert titles(search("brass submarine")) == []


def test_hits_in_the_title_come_before_hits_in_the_text() -> None:
    a_listing("The zebra", description="")
    a_listing("Another animal", description="not a zebra")
    assert titles(search("zebra")) == ["The zebra", "Another animal"]


def test_whole_words_come_before_beginnings() -> None:
    a_listing("Lamp of the zed")
    a_listing("Lamp of a zedroom")
    assert titles(search("zed")) == ["Lamp of the zed", "Lamp of a zedroom"]


@pytest.mark.parametrize("query", ["flambé", "FLAMBE", "flambe\u0301", "कढ़ाई", "pi\u00f1ata"])
def test_accents_and_scripts_make_no_difference(query: str) -> None:
    a_listing("Flambé piñata कढ़ाई")
    assert titles(search(query)) == ["Flambé piñata कढ़ाई"]


@pytest.mark.parametrize("query", ["%", "_", "\\", "'; drop table", "%%%_", '"'])
def test_signs_that_databases_read_find_nothing_special(query: str) -> None:
    a_listing("Plain thing")
    assert search(query).total in {0, Listing.objects.count()}


@pytest.mark.parametrize(
    "query", ["\x00", "\u202e\u200b", "a" * 100_000, "x " * 5000, "\ud800", "🪔" * 50]
)
def test_hostile_queries_are_answered(query: str) -> None:
    assert search(query, category="\x00" + query).total == 0
    assert search(query).page == 1


def test_a_price_range_is_inclusive_and_in_paise() -> None:
    found = everything(min_price=Paise(100_000), max_price=Paise(200_000))
    assert found
    assert all(100_000 <= listing.list_price <= 200_000 for listing in found)
    edge = found[0].list_price
    assert everything(min_price=Paise(edge), max_price=Paise(edge))


@pytest.mark.parametrize("bound", [-1, 0, 10**30])
def test_absurd_price_bounds_do_not_fail(bound: int) -> None:
    assert search(min_price=Paise(bound)).total in {0, Listing.objects.count()}
    assert search(max_price=Paise(bound)).total in {0, Listing.objects.count()}


def test_a_price_range_never_mixes_currencies() -> None:
    a_listing("Dollar thing", currency="USD")
    assert "Dollar thing" in titles(search("dollar thing"))
    assert titles(search("dollar thing", min_price=Paise(1))) == []
    assert titles(search("dollar thing", min_price=Paise(1), currency="USD")) == ["Dollar thing"]


def test_sorting_by_price_keeps_rupees_before_dollars() -> None:
    a_listing("Dollar thing", currency="USD", list_price=2, street_price=1)
    low = everything(sort="price-low")
    assert low[-1].title == "Dollar thing"
    rupees = [listing.list_price for listing in low[:-1]]
    assert rupees == sorted(rupees)
    high = [listing.list_price for listing in everything(sort="price-high")[:-1]]
    assert high == sorted(high, reverse=True)


def test_a_category_narrows_and_an_unknown_one_finds_nothing() -> None:
    assert {listing.category for listing in everything(category="Music")} == {"Music"}
    assert search(category="Submarines").total == 0


@pytest.mark.parametrize(("page", "shown"), [(-5, 1), (0, 1), (1, 1), (2, 2), (10**30, 11)])
def test_a_page_outside_the_range_gives_the_nearest(page: int, shown: int) -> None:
    found = search(page=page)
    assert found.pages == 11
    assert found.page == shown


def test_an_empty_search_has_one_page_without_a_next() -> None:
    nothing = search("submarine")
    assert (nothing.total, nothing.page, nothing.pages) == (0, 1, 1)
    assert nothing.next_page is None


@pytest.mark.parametrize("size", [-1, 0, 10**9])
def test_a_page_holds_between_one_and_a_hundred(size: int) -> None:
    assert 1 <= len(search(page_size=size).listings) <= 100


def test_an_unknown_sort_is_the_usual_one() -> None:
    assert titles(search(sort="sideways")) == titles(search())  # type: ignore[arg-type]


def test_a_search_takes_two_queries_however_many_it_shows(
    django_assert_num_queries: Queries,
) -> None:
    with django_assert_num_queries(2):  # type: ignore[attr-defined]
        page = search("brass lamp", "Brass and crafts", Paise(1), Paise(10**9), "price-low")
        for listing in page.listings:
            assert all((listing.title, listing.description, listing.city))


def test_categories_come_with_their_counts() -> None:
    found = {category.name: category.count for category in categories()}
    assert len(found) == 16
    assert sum(found.values()) == Listing.objects.count()
    assert list(found) == sorted(found)


def test_the_first_page_shows_every_category_before_any_comes_twice() -> None:
    shown = [listing.category for listing in featured(seed=7, count=24)]
    assert len(shown) == 24
    assert len(set(shown[:16])) == 16


def test_the_first_page_depends_on_the_seed_alone() -> None:
    assert featured(1) == featured(1)
    assert featured(1) != featured(2)


def test_the_first_page_shows_our_own_catalogue_while_there_is_one() -> None:
    for n in range(50):
        a_listing(f"Import {n}")
    assert {listing.source for listing in featured(3, count=100)} == {"catalogue"}
    Listing.objects.filter(source="catalogue").delete()
    assert {listing.source for listing in featured(3)} == {"test"}


def test_no_listings_make_an_empty_first_page() -> None:
    Listing.objects.all().delete()
    assert featured(1) == []
    assert categories() == []


def test_fewer_listings_than_asked_for_are_all_shown() -> None:
    assert len(featured(1, count=1000)) == Listing.objects.count()
