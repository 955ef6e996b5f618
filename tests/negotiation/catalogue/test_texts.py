"""What sellers say of their things, in the language of the page."""

import io
import re
import tomllib

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils.translation import override

from negotiation.catalogue.shelving import load_catalogue
from negotiation.catalogue.stock import TEXTS, read_stock, text_in, title_in
from negotiation.models import Listing
from negotiation.templatetags.money import sellers_words, title

HINGLISH = re.compile(r"\b(?:hai|hain|nahi|wala|wali|thoda|ki|ka|mein)\b")


@pytest.mark.parametrize("path", sorted(TEXTS.glob("*.toml")), ids=lambda path: path.stem)
def test_a_text_belongs_to_a_thing_on_the_stall(path: object) -> None:
    keys = {entry.key for shelf in read_stock() for entry in shelf.listing}
    told = tomllib.loads(path.read_text(encoding="utf-8"))  # type: ignore[attr-defined]
    assert set(told) <= keys
    assert all(text.strip() for text in told.values())


def test_an_english_page_has_english_words() -> None:
    for shelf in read_stock():
        for entry in shelf.listing:
            said = text_in("en", entry.text) or entry.text
            assert len(HINGLISH.findall(said)) < 2, entry.key


def test_what_nobody_has_translated_is_shown_as_said() -> None:
    with override("de"):
        assert (
            sellers_words("Bilkul naya <hai>") == '<span lang="en">Bilkul naya &lt;hai&gt;</span>'
        )
    with override("en-in"):  # as the site names it
        text = next(
            entry.text
            for shelf in read_stock()
            for entry in shelf.listing
            if "Demo wale" in entry.text
        )
        assert "The demo man talked us into it" in sellers_words(text)


@pytest.mark.django_db
def test_the_stall_is_readable_in_english(client: Client) -> None:
    load_catalogue()
    for thing in Listing.objects.filter(currency="INR"):
        page = client.get("/sell/new/", {"listing": thing.pk}, headers={"accept-language": "en"})
        (said,) = re.findall(r'start-words"><span lang="en">(.*?)</span>', page.content.decode())
        assert len(HINGLISH.findall(said)) < 2, thing.source_key


def test_every_thing_on_the_stall_has_a_name_in_hindi() -> None:
    numbers = re.compile(r"\d[\d,.]*\d\d|\d+\.\d")  # small counts may be words in one of the two
    for shelf in read_stock():
        for entry in shelf.listing:
            named = title_in("hi", entry.title)
            assert named, entry.key
            assert re.search(r"[\u0900-\u097f]", named), entry.key
            assert set(numbers.findall(named)) <= set(numbers.findall(entry.title)), entry.key
            assert len(named) <= 80, entry.key


def test_a_name_is_in_the_language_of_the_page_and_else_as_it_was_given() -> None:
    english = next(iter(read_stock())).listing[0].title
    with override("hi"):
        assert title(english).startswith('<span lang="hi">')
        assert title("My <own> chair") == "My <own> chair", "the tag escapes it"
    with override("en-in"):  # as the site names it
        assert title(english) == english


@pytest.mark.django_db
def test_a_hindi_page_names_its_goods_in_hindi(client: Client) -> None:
    call_command("load_catalogue", stdout=io.StringIO())
    page = client.get("/sell/", headers={"Accept-Language": "hi"}).content.decode()
    assert page.count('<span lang="hi">') >= 12
