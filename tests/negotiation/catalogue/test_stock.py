"""The catalogue that comes with the project is worth reading and plausible."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

from negotiation.catalogue.stock import DATA, Entry, UnreadableShelf, read_shelf, read_stock

SHELVES = read_stock()
ENTRIES = [(shelf.category, entry) for shelf in SHELVES for entry in shelf.listing]


def every(entry_is_wrong: Callable[[Entry], object]) -> list[str]:
    return [entry.key for _, entry in ENTRIES if entry_is_wrong(entry)]


def twice(values: list[str]) -> list[str]:
    return [value for value, count in Counter(values).items() if count > 1]


def words(entry: Entry) -> list[str]:
    return re.findall(r"\w+", entry.text.lower())


def test_there_are_at_least_220_listings_in_12_to_16_categories() -> None:
    assert len(ENTRIES) >= 220
    assert 12 <= len({shelf.category for shelf in SHELVES}) <= 16
    assert len(list(DATA.glob("*.toml"))) == len(SHELVES)
    assert min(len(shelf.listing) for shelf in SHELVES) >= 12


def test_keys_titles_and_texts_are_unique() -> None:
    assert twice([entry.key for _, entry in ENTRIES]) == []
    assert twice([entry.title.casefold() for _, entry in ENTRIES]) == []
    assert twice([entry.text.casefold() for _, entry in ENTRIES]) == []


def test_keys_are_short_slugs() -> None:
    assert every(lambda entry: not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", entry.key)) == []
    assert every(lambda entry: len(entry.key) > 64) == []


def test_the_street_price_is_8_to_45_percent_below_the_list_price() -> None:
    assert every(lambda entry: not 0.08 <= 1 - entry.street / entry.list <= 0.45) == []


def test_discounts_vary() -> None:
    discounts = Counter(round((1 - entry.street / entry.list) * 100) for _, entry in ENTRIES)
    assert len(discounts) >= 25
    assert max(discounts.values()) < len(ENTRIES) / 8


def test_prices_run_from_a_school_atlas_to_a_car() -> None:
    assert min(entry.street for _, entry in ENTRIES) == 60
    assert 800_000 <= max(entry.list for _, entry in ENTRIES) <= 900_000


PLAUSIBLE = {
    "Books": (100, 2_500),
    "Kitchen": (500, 10_000),
    "Phones": (500, 30_000),
    "Vehicles": (1_000, 900_000),
    "Furniture": (500, 50_000),
    "Footwear and bags": (300, 10_000),
}


@pytest.mark.parametrize("category", PLAUSIBLE)
def test_prices_of_a_category_are_what_its_shops_ask(category: str) -> None:
    low, high = PLAUSIBLE[category]
    prices = {entry.key: entry.list for shelf, entry in ENTRIES if shelf == category}
    assert prices
    assert {key: price for key, price in prices.items() if not low <= price <= high} == {}


def test_no_four_words_follow_each_other_in_two_texts() -> None:
    seen: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for _, entry in ENTRIES:
        said = words(entry)
        for phrase in zip(said, said[1:], said[2:], said[3:], strict=False):
            seen[phrase].add(entry.key)
    assert {phrase: keys for phrase, keys in seen.items() if len(keys) > 1} == {}


def test_no_two_texts_begin_alike() -> None:
    assert twice([" ".join(words(entry)[:3]) for _, entry in ENTRIES]) == []


def test_texts_are_a_sentence_or_two_on_one_line() -> None:
    assert every(lambda entry: not 60 <= len(entry.text) <= 200) == []
    assert every(lambda entry: len(entry.title) > 70) == []
    assert every(lambda entry: not entry.text.endswith(".")) == []


def test_texts_name_no_price_that_could_be_taken_for_an_offer() -> None:
    assert every(lambda entry: re.search(r"₹|\brs\b|rupee|rupay", entry.text, re.I)) == []


def test_there_are_no_control_or_invisible_characters() -> None:
    def is_odd(entry: Entry) -> bool:
        told = f"{entry.key}{entry.title}{entry.text}{entry.city}"
        return any(unicodedata.category(c)[0] == "C" for c in told) or "  " in told

    assert every(is_odd) == []


def test_many_cities_and_conditions_appear() -> None:
    assert len({entry.city for _, entry in ENTRIES}) >= 40
    assert {entry.condition for _, entry in ENTRIES} == {
        "new",
        "like_new",
        "very_good",
        "good",
        "acceptable",
        "junk",
    }


def test_english_and_hinglish_both_appear_in_every_category() -> None:
    hindi = {"hai", "hain", "ki", "ka", "ke", "mein", "nahi", "se"}
    for shelf in SHELVES:
        share = sum(len(hindi & set(words(entry))) >= 2 for entry in shelf.listing)
        assert 2 <= share <= len(shelf.listing) - 4, shelf.category


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('category = "Toys"\n[[listing]]\nkey = "a-b"\n', "title"),
        ("category = Toys", "line 1"),
        ('category = "Toys"\nlisting = []\nshop = 1\n', "shop"),
    ],
)
def test_a_broken_file_is_named_with_what_is_wrong(
    tmp_path: Path, text: str, complaint: str
) -> None:
    path = tmp_path / "toys.toml"
    path.write_text(text)
    with pytest.raises(UnreadableShelf, match=rf"toys\.toml.*{complaint}"):
        read_shelf(path)
