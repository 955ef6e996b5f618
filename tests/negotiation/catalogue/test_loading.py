"""Loading the catalogue again and again keeps one of each."""

from io import StringIO
from pathlib import Path

import msgspec
import pytest
from django.core.management import CommandError, call_command
from django.test.utils import CaptureQueriesContext

from negotiation.catalogue import shelving, stock
from negotiation.catalogue.shelving import Shelved, load_catalogue
from negotiation.models import Listing

pytestmark = pytest.mark.django_db

STOCK = stock.read_stock()
COUNT = sum(len(shelf.listing) for shelf in STOCK)


def test_the_first_load_adds_everything_and_the_second_changes_nothing() -> None:
    assert load_catalogue() == Shelved(added=COUNT)
    before = list(Listing.objects.order_by("id").values())
    assert load_catalogue() == Shelved(unchanged=COUNT)
    assert list(Listing.objects.order_by("id").values()) == before


def test_prices_are_stored_in_paise_with_a_discount() -> None:
    load_catalogue()
    cooker = Listing.objects.get(source="catalogue", source_key="kitchen-hawkins-5l")
    assert (cooker.list_price, cooker.street_price, cooker.currency) == (175_000, 125_000, "INR")
    assert (cooker.category, cooker.city, cooker.condition_label) == (
        "Kitchen",
        "Pune",
        "very_good",
    )


def test_a_changed_entry_is_updated_under_the_same_number() -> None:
    load_catalogue()
    shelf = STOCK[0]
    entry = shelf.listing[0]
    number = Listing.objects.get(source_key=entry.key).pk
    changed = msgspec.structs.replace(entry, text="Now with a lid.", list=entry.list + 1)
    done = load_catalogue([msgspec.structs.replace(shelf, listing=[changed])])
    assert done == Shelved(updated=1)
    stored = Listing.objects.get(pk=number)
    assert (stored.description, stored.list_price) == ("Now with a lid.", (entry.list + 1) * 100)
    assert "lid" in stored.search_text
    assert Listing.objects.count() == COUNT


def test_rows_stored_before_search_words_existed_get_them() -> None:
    load_catalogue()
    Listing.objects.update(search_text="")
    assert load_catalogue() == Shelved(updated=COUNT)
    assert not Listing.objects.filter(search_text="").exists()


def test_listings_of_other_sources_with_the_same_key_are_left_alone() -> None:
    Listing.objects.create(
        title="Ours", category="Kitchen", list_price=200, street_price=100,
        source="craigslist", source_key="kitchen-hawkins-5l",
    )  # fmt: skip
    load_catalogue()
    assert Listing.objects.get(source="craigslist").title == "Ours"
    assert Listing.objects.filter(source_key="kitchen-hawkins-5l").count() == 2


def test_a_second_load_takes_a_handful_of_queries() -> None:
    from django.db import connection

    load_catalogue()
    with CaptureQueriesContext(connection) as queries:
        load_catalogue()
    assert len(queries) <= 4


def test_one_bad_entry_leaves_the_whole_catalogue_as_it_was() -> None:
    from django.db import IntegrityError

    entry = STOCK[0].listing[0]
    upside_down = msgspec.structs.replace(entry, key="upside-down", street=entry.list)
    shelf = msgspec.structs.replace(STOCK[0], listing=[entry, upside_down])
    with pytest.raises(IntegrityError):
        load_catalogue([shelf])
    assert not Listing.objects.exists()


def test_the_command_says_what_it_did() -> None:
    said = StringIO()
    call_command("load_catalogue", stdout=said)
    call_command("load_catalogue", stdout=said)
    assert said.getvalue() == (
        f"Catalogue: {COUNT} added, 0 updated, 0 unchanged.\n"
        f"Catalogue: 0 added, 0 updated, {COUNT} unchanged.\n"
    )


def test_the_command_names_a_file_it_cannot_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lamps.toml").write_text("category = ")
    monkeypatch.setattr(shelving, "read_stock", lambda: stock.read_stock(tmp_path))
    with pytest.raises(CommandError, match=r"lamps\.toml"):
        call_command("load_catalogue")
