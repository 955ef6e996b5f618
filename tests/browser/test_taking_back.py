"""A misheard price on the page: a button and a line take it back, with and without scripts."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.support.browsing import Person, expect
from tests.support.haggling import Haggle, sells_the_book
from tests.support.servers import Site

MISHEARD = "150 lijiye bhai"


@pytest.fixture(scope="module")
def slow_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site that gives people time to see what was heard."""
    with Site(tmp_path_factory.mktemp("slow"), BAZAAR_TAKE_BACK_S="10") as running:
        yield running


@pytest.fixture
def meera(chromium: Browser, slow_site: Site) -> Iterator[Person]:
    with Person(chromium, slow_site.url) as person:
        yield person
        person.saw_no_errors()


@pytest.fixture
def plain(chromium: Browser, slow_site: Site) -> Iterator[Person]:
    """Meera, whose browser runs no scripts."""
    with Person(chromium, slow_site.url, java_script_enabled=False) as person:
        yield person
        person.saw_no_errors(but="status of 4")


def is_misheard(haggle: Haggle) -> None:
    haggle.words.fill(MISHEARD)
    haggle.send.click()
    haggle.asked(150)
    expect(haggle.page.locator(".composer-heard")).to_contain_text("Heard: ₹150")


def is_taken_back(haggle: Haggle) -> None:
    haggle.asked(180)
    expect(haggle.standing).to_have_attribute("data-turn", "seller")
    expect(haggle.asks).to_have_count(0)
    gone = haggle.page.locator("#transcript [data-kind=message]")
    expect(gone).to_contain_text(MISHEARD)
    expect(gone).to_contain_text("took back")
    expect(haggle.page.locator(".composer-heard")).to_have_count(0)


def test_the_button_takes_the_price_back(meera: Person, slow_site: Site) -> None:
    haggle = sells_the_book(meera, slow_site)
    is_misheard(haggle)
    haggle.words.fill("170")
    meera.page.get_by_role("button", name="That was not my price").click()
    is_taken_back(haggle)
    expect(meera.page.locator("[data-error]")).to_contain_text("₹150 is taken back")
    # What she was writing already is still there.
    expect(haggle.words).to_have_value("170")
    haggle.words.press("Enter")
    haggle.my_turn(2)
    haggle.asked(170)
    meera.page.reload()
    haggle.asked(170)
    expect(haggle.asks).to_have_count(1)
    expect(meera.page.locator("#transcript s")).to_have_text("₹150")


def test_a_line_replaces_the_price(meera: Person, slow_site: Site) -> None:
    haggle = sells_the_book(meera, slow_site)
    is_misheard(haggle)
    haggle.says("nahi, 175 bola")
    haggle.asked(175)
    expect(haggle.asks).to_have_count(1)
    expect(haggle.words).to_have_value("")


def test_without_scripts_a_button_does_it_too(plain: Person, slow_site: Site) -> None:
    haggle = sells_the_book(plain, slow_site, scripts=False)
    is_misheard(haggle)
    plain.page.get_by_role("button", name="That was not my price").click()
    expect(plain.page.locator("[data-error]")).to_contain_text("₹150 is taken back")
    is_taken_back(haggle)


def test_without_scripts_yes_confirms_what_was_asked(plain: Person, slow_site: Site) -> None:
    haggle = sells_the_book(plain, slow_site, scripts=False)
    asked = plain.page.locator("[data-error]").get_by_role("button")
    haggle.words.fill("160 ya 155?")
    haggle.send.click()
    expect(asked).to_have_count(2)
    haggle.words.fill("haan")
    haggle.send.click()
    expect(asked).to_have_count(2)
    bid = haggle.bids.first.locator("data").get_attribute("value")
    haggle.words.fill(f"{float(bid or 0) - 1:g}")
    haggle.send.click()
    expect(asked).to_have_count(1)
    haggle.words.fill("haan")
    haggle.send.click()
    haggle.ended(f"Sold for ₹{float(bid or 0):g}")


def test_one_press_or_one_word_confirms(meera: Person, slow_site: Site) -> None:
    haggle = sells_the_book(meera, slow_site)
    haggle.says("160 ya 155?")
    asked = meera.page.locator("[data-error]").get_by_role("button")
    expect(asked).to_have_count(2)
    meera.page.keyboard.type("haan")
    expect(haggle.words).to_have_value("haan")
    meera.page.keyboard.press("Enter")
    expect(meera.page.locator("[data-error]")).to_contain_text("Which one?")
    asked.first.click()
    haggle.asked(160)
