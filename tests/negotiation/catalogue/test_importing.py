"""Files of other projects become listings once, whole or not at all."""

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from negotiation.catalogue.formats import FORMATS, Skip, category_name
from negotiation.catalogue.shelving import FileReport, import_files
from negotiation.models import Listing

pytestmark = pytest.mark.django_db

SAMPLES = Path(__file__).parent / "samples"
REAL = Path(__file__).resolve().parents[4] / "shared" / "data" / "amazon_history"


def imported(format_name: str, *files: Path) -> list[FileReport]:
    chosen = FORMATS[format_name]
    return list(import_files(list(files), chosen, chosen.currency))


def told(format_name: str, path: Path, *options: str) -> str:
    out = StringIO()
    call_command("import_listings", str(path), f"--format={format_name}", *options, stdout=out)
    return out.getvalue()


def a_file(folder: Path, name: str, records: list[object]) -> Path:
    path = folder / name
    path.write_text(json.dumps(records), encoding="utf-8")
    return path


def an_item(title: str, **fields: object) -> dict[str, object]:
    return {"title": title, "list_price": "$20", "current_price": "$10", "category": "x"} | fields


def test_a_sales_table_is_read_with_rupee_signs_and_commas() -> None:
    (report,) = imported("amazon-sales", SAMPLES / "amazon-sales.csv")
    assert (report.read, report.shelved.added) == (10, 3)
    assert report.skipped == {
        Skip.NO_DISCOUNT: 1,
        Skip.NO_LIST_PRICE: 1,
        Skip.OTHER_CURRENCY: 1,
        Skip.DUPLICATE: 1,
        Skip.NO_TITLE: 1,
        Skip.UNREADABLE_PRICE: 1,
        Skip.TOO_CHEAP: 1,
    }
    fan = Listing.objects.get(title="Ceiling fan with remote")
    assert (fan.list_price, fan.street_price, fan.currency) == (1_04_500_00, 2_899_00, "INR")
    cable = Listing.objects.get(title__startswith="Braided")
    assert (cable.category, cable.street_price) == ("Computers & Accessories", 199_50)


def test_a_price_history_is_read_with_the_current_price_first() -> None:
    (report,) = imported("amazon-history", SAMPLES / "amazon-history.json")
    assert (report.read, report.shelved.added) == (9, 2)
    assert report.skipped == {
        Skip.DUPLICATE: 1,
        Skip.NO_DISCOUNT: 1,
        Skip.NO_LIST_PRICE: 1,
        Skip.NO_STREET_PRICE: 1,
        Skip.NOT_A_RECORD: 1,
        Skip.UNREADABLE_PRICE: 1,
        Skip.NO_TITLE: 1,
    }
    skillet, puzzle = Listing.objects.order_by("title")
    assert skillet.title == "Cast iron skillet & lid, 10”"
    assert skillet.description == "Pre-seasoned. Oven safe."
    assert (skillet.list_price, skillet.street_price) == (1_034_90, 24_99)
    assert (skillet.currency, skillet.category) == ("USD", "Home kitchen")
    assert (puzzle.street_price, puzzle.description) == (14_40, "1,000 pieces")


def test_classified_ads_get_a_street_price_of_85_percent() -> None:
    (report,) = imported("craigslist", SAMPLES / "craigslist.json")
    assert (report.read, report.shelved.added) == (7, 3)
    assert report.skipped == {
        Skip.DUPLICATE: 1,
        Skip.TOO_CHEAP: 1,
        Skip.UNREADABLE_PRICE: 1,
        Skip.NO_LIST_PRICE: 1,
    }
    desks = Listing.objects.filter(title="Desk").order_by("list_price")
    assert [(desk.list_price, desk.street_price) for desk in desks] == [
        (80_00, 68_00),
        (120_00, 102_00),
    ]
    assert desks[1].description == "Oak veneer. One drawer sticks."
    assert Listing.objects.get(title="Road bike").street_price == 297_49


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_importing_again_doubles_and_changes_nothing(name: str) -> None:
    sample = SAMPLES / f"{name}{FORMATS[name].suffix}"
    first = imported(name, sample)[0]
    rows = list(Listing.objects.order_by("id").values())
    again = imported(name, sample)[0]
    assert (again.shelved.added, again.shelved.updated) == (0, 0)
    assert again.shelved.unchanged == first.shelved.added == len(rows)
    assert list(Listing.objects.order_by("id").values()) == rows


def test_a_new_price_updates_the_listing_it_belongs_to(tmp_path: Path) -> None:
    link = "https://prices.example/product/B00000000X"
    imported("amazon-history", a_file(tmp_path, "a.json", [an_item("Old name", link=link)]))
    number = Listing.objects.get().pk
    newer = an_item("New name", link=link, current_price="$9")
    (report,) = imported("amazon-history", a_file(tmp_path, "a.json", [newer]))
    assert (report.shelved.added, report.shelved.updated) == (0, 1)
    stored = Listing.objects.get(pk=number)
    assert (stored.title, stored.street_price) == ("New name", 900)


def test_an_item_in_two_files_is_stored_as_it_came_first(tmp_path: Path) -> None:
    first = a_file(tmp_path, "a.json", [an_item("Lamp")])
    second = a_file(tmp_path, "b.json", [an_item("LAMP ", current_price="$5")])
    for _ in range(2):
        reports = imported("amazon-history", first, second)
        assert reports[1].skipped == {Skip.DUPLICATE: 1}
        assert Listing.objects.get().street_price == 1000


def test_a_broken_file_leaves_nothing_and_stops_nobody(tmp_path: Path) -> None:
    a_file(tmp_path, "a.json", [an_item("Lamp")])
    (tmp_path / "b.json").write_text(json.dumps([an_item("Fan"), an_item("Mug")])[:-20])
    a_file(tmp_path, "c.json", [an_item("Fan")])
    out = StringIO()
    with pytest.raises(CommandError, match=r"b\.json, line 1, column \d+"):
        call_command("import_listings", str(tmp_path), "--format=amazon-history", stdout=out)
    assert sorted(Listing.objects.values_list("title", flat=True)) == ["Fan", "Lamp"]
    assert "b.json (not imported)" in out.getvalue()


def test_hostile_titles_are_made_harmless(tmp_path: Path) -> None:
    title = "\u202eevil\u200b<script>alert(1)</script>\x00\ud800" + "A" * 500
    imported("amazon-history", a_file(tmp_path, "a.json", [an_item(title)]))
    stored = Listing.objects.get().title
    assert stored.startswith("evil alert(1) ")
    assert len(stored) <= 200
    assert stored.isprintable()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("product_name,category\nA,B\n", "no column discounted_price, actual_price"),
        ("", "no column product_name"),
        (f'product_name,category,discounted_price,actual_price\n"{"x" * 200_000}', "line"),
    ],
    ids=["columns", "empty", "quote"],
)
def test_a_table_that_is_none_is_refused(tmp_path: Path, content: str, complaint: str) -> None:
    path = tmp_path / "sales.csv"
    path.write_text(content)
    (report,) = imported("amazon-sales", path)
    assert complaint in report.error


def test_a_table_in_another_encoding_is_refused_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "sales.csv"
    header = "product_name,category,discounted_price,actual_price\n"
    path.write_bytes(header.encode() + "café,Kitchen,5,9\n".encode("latin-1"))
    (report,) = imported("amazon-sales", path)
    assert "not UTF-8 at or after line" in report.error
    assert not Listing.objects.exists()


def test_short_rows_and_nul_bytes_do_not_stop_a_table(tmp_path: Path) -> None:
    path = tmp_path / "sales.csv"
    path.write_text(
        "Product_Name , category,discounted_price,actual_price\r\nCup,Kitchen\r\n\r\n"
        "Jug\x00,Kitchen,₹5,₹9,more,and more\r\n",
        encoding="utf-8",
    )
    (report,) = imported("amazon-sales", path)
    assert (report.read, report.shelved.added) == (2, 1)
    assert Listing.objects.get().title == "Jug"


def test_five_thousand_rows_take_less_than_a_hundred_queries(
    tmp_path: Path, django_assert_max_num_queries: Callable[[int], object]
) -> None:
    path = a_file(tmp_path, "many.json", [an_item(f"Item {n}") for n in range(5000)])
    with django_assert_max_num_queries(100):  # type: ignore[attr-defined]
        (report,) = imported("amazon-history", path)
    assert report.shelved.added == 5000


def test_the_command_shows_counts_and_reasons() -> None:
    out = told("amazon-history", SAMPLES)
    assert "amazon-history.json" in out
    assert "street price not below list price" in out
    assert "same item twice" in out


def test_the_currency_can_be_given(tmp_path: Path) -> None:
    path = a_file(tmp_path, "ads.json", [{"title": "Desk", "price": 500, "category": "furniture"}])
    told("craigslist", path, "--currency=inr")
    assert Listing.objects.get().currency == "INR"


@pytest.mark.parametrize(
    "arguments",
    [
        ["nowhere", "--format=craigslist"],
        [str(Path(__file__).parent / "__pycache__"), "--format=craigslist"],
        [str(SAMPLES), "--format=ebay"],
        [str(SAMPLES), "--format=craigslist", "--currency=rupees"],
        [str(SAMPLES)],
    ],
    ids=["no such path", "empty folder", "unknown format", "bad currency", "no format"],
)
def test_wrong_arguments_are_explained(arguments: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("import_listings", *arguments)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("home-kitchen", "Home kitchen"),
        ("Home&Kitchen|Kitchen&Dining", "Home & Kitchen"),
        ("furniture", "Furniture"),
        ("Musical Instruments", "Musical Instruments"),
        ("", "Other"),
        ("|", "Other"),
    ],
)
def test_categories_are_written_for_people(written: str, shown: str) -> None:
    assert category_name(written) == shown


@pytest.mark.skipif(not REAL.is_dir(), reason=f"the price histories are not at {REAL}")
def test_the_real_price_histories_import_completely_and_once() -> None:
    files = sorted(REAL.glob("*.json"))
    rows = sum(len(json.loads(path.read_text(encoding="utf-8"))) for path in files)
    reports = imported("amazon-history", *files)
    assert [report.error for report in reports if report.error] == []
    added = sum(report.shelved.added for report in reports)
    skipped = sum(sum(report.skipped.values()) for report in reports)
    assert sum(report.read for report in reports) == rows == added + skipped
    assert added == Listing.objects.count() > 0.9 * rows
    again = imported("amazon-history", *files)
    assert sum(report.shelved.unchanged for report in again) == added
    assert Listing.objects.count() == added
