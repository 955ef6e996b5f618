"""The site where scripts do not run: plain forms, plain links, the same game."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.support.browsing import Person, expect
from tests.support.haggling import BOOK, Haggle, sells_the_book, starts
from tests.support.servers import Site


@pytest.fixture
def plain(chromium: Browser, site: Site) -> Iterator[Person]:
    """Asha, whose browser runs no scripts."""
    with Person(chromium, site.url, java_script_enabled=False) as person:
        yield person
        # A refused form is answered with 422, which Chromium mentions.
        person.saw_no_errors(but="status of 422")


def test_a_brief_found_by_the_search_form_starts_a_game(plain: Person) -> None:
    page = plain.page
    page.goto("/sell/")
    page.get_by_role("searchbox", name="Search").fill("sharma maths")
    page.get_by_role("button", name="Find").click()
    expect(page.locator("#stall")).to_contain_text("1 thing found")
    page.get_by_role("link", name=BOOK).click()
    haggle = starts(plain)
    haggle.my_turn(1)


def test_words_prices_and_refusals_work_by_plain_forms(plain: Person, site: Site) -> None:
    haggle = sells_the_book(plain, site, scripts=False)
    page, price = plain.page, plain.page.get_by_label("This price counts")
    haggle.words.fill("im sorry 170 and im making a loss, theres 3 other offers that ive got")
    haggle.send.click()
    haggle.my_turn(2)
    haggle.asked(170)
    haggle.words.fill("bas itna hi")
    page.get_by_text("Price apart from the words").click()
    price.fill("165")
    haggle.send.click()
    haggle.my_turn(3)
    haggle.asked(165)
    haggle.words.fill("160 ya 155?")
    haggle.send.click()
    expect(page.locator("[data-error]")).to_contain_text("160")
    expect(haggle.words).to_have_value("160 ya 155?")
    known = site.numbers(haggle.game_id)
    assert known == list(range(1, len(known) + 1))


def test_two_prices_are_settled_by_one_press(plain: Person, site: Site) -> None:
    haggle = sells_the_book(plain, site, scripts=False)
    haggle.words.fill("160 ya 155?")
    haggle.send.click()
    plain.page.locator("[data-error]").get_by_role("button", name="155").click()
    haggle.my_turn(2)
    haggle.asked(155)


def test_a_deal_shows_the_sheet_and_the_replay_moves_by_links(plain: Person, site: Site) -> None:
    haggle = sells_the_book(plain, site, scripts=False)
    page = plain.page
    haggle.words.fill("150")
    haggle.send.click()
    haggle.my_turn(2)
    page.get_by_role("button", name="Accept").click()
    haggle.ended(re.compile("Sold for ₹"))
    page.get_by_role("link", name="Open the replay").click()
    place = page.locator("[data-place]")
    before = place.inner_text()
    page.get_by_role("link", name="Next event").click()
    expect(page).to_have_url(re.compile(r"\?seq=\d+$"))
    expect(place).not_to_have_text(before)
    page.get_by_role("link", name="Previous event").click()
    expect(place).to_have_text(before)


def test_walking_away_ends_the_game(plain: Person, site: Site) -> None:
    haggle: Haggle = sells_the_book(plain, site, scripts=False)
    plain.page.get_by_role("button", name="Walk away").click()
    haggle.ended("You walked away")
