"""What if: another move is typed in at a moment, and the page tells what it had changed."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browsing import Person, expect
from tests.support.haggling import walks_from_the_book
from tests.support.servers import Site

LINES = ("179 se kam nahi bhai", "178, it has a cover", "176 and its yours")
"""Asks in rupees that leave room for 175 at turn three."""


@pytest.fixture(scope="module")
def replay(chromium: Browser, site: Site) -> str:
    """Address of a shared game that Asha walked away from after three asks."""
    with Person(chromium, site.url) as asha:
        address = walks_from_the_book(asha, site, LINES)
        asha.saw_no_errors()
        return address


@pytest.fixture
def bilal(chromium: Browser, site: Site) -> Iterator[Person]:
    """Bilal, who was not there."""
    with Person(chromium, site.url) as person:
        yield person
        person.saw_no_errors(but="status of 4")


def scrub_to(page: Page, words: str) -> None:
    """Press the right arrow from the first moment until one begins with these words."""
    expect(page.get_by_role("slider", name="Event of the haggle")).to_be_visible()
    page.keyboard.press("Home")
    moments = page.locator("[data-words]").evaluate_all("all => all.map(one => one.dataset.words)")
    place = next(at for at, told in enumerate(moments) if told.startswith(words))
    for _ in range(place):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".step:visible")).to_have_attribute("data-words", moments[place])


def test_bilal_scrubs_to_turn_three_says_175_and_shares_what_came_of_it(
    bilal: Person, replay: str, chromium: Browser, site: Site
) -> None:
    page = bilal.page
    page.goto(replay)
    step = page.locator(".step:visible")
    scrub_to(page, "Round 3: the seller asks")
    price = step.get_by_label("asked")
    expect(price).to_have_accessible_description(re.compile("Any price from ₹80.85 to ₹178"))
    price.fill("175")
    # The keys belong to the field while somebody writes in it.
    price.press("ArrowLeft")
    expect(step).to_have_attribute("data-words", re.compile("Round 3"))
    price.press("Enter")
    expect(page.get_by_role("heading", level=2).first).to_have_text(
        "What if the seller had asked ₹175 in round 3?"
    )
    expect(page.locator(".step:visible")).to_have_attribute(
        "data-words", "Round 3: the seller asks ₹175"
    )
    answer = page.locator(".answer")
    expect(answer).to_contain_text(
        re.compile(r"As it was played: \d+\. *This move, played on: about")
    )
    expect(page.locator(".chart-ghost").first).to_be_attached()
    here = page.locator(".branch-tree [aria-current=page]")
    expect(here).to_have_text("Round 3: the seller asks ₹175")
    with Person(chromium, site.url) as somebody:
        somebody.page.goto(page.url)
        expect(somebody.page.locator(".answer h2")).to_have_text(
            "What if the seller had asked ₹175 in round 3?"
        )
        somebody.page.get_by_role("link", name="As it was played").click()
        expect(somebody.page).to_have_url(f"{site.url}{replay}")
        expect(somebody.page.locator(".branches")).to_contain_text("the seller asks ₹175")
        somebody.saw_no_errors()


def test_a_price_that_could_not_be_asked_is_explained_where_it_was_typed(
    bilal: Person, replay: str
) -> None:
    page = bilal.page
    page.goto(replay)
    scrub_to(page, "Round 1: the seller asks")
    step = page.locator(".step:visible")
    step.get_by_label("asked").fill("5000")
    step.get_by_role("button", name="See").click()
    expect(step.get_by_role("alert")).to_have_text(re.compile("An ask never goes up"))
    expect(step.get_by_label("asked")).to_have_value("5000")
    expect(step).to_have_attribute("data-words", re.compile("Round 1: the seller asks"))


def test_what_if_works_on_a_narrow_screen_without_scripts(
    chromium: Browser, site: Site, replay: str
) -> None:
    narrow = {"width": 360, "height": 740}
    with Person(chromium, site.url, java_script_enabled=False, viewport=narrow) as plain:
        page = plain.page
        page.goto(f"{replay}?seq=1")
        page.get_by_role("link", name="Next event").click()
        page.locator(".what-if:visible").get_by_role("button", name="walked away").click()
        expect(page.locator(".answer h2")).to_have_text("What if Sauda had walked away in round 1?")
        plain.saw_no_errors()
    with Person(chromium, site.url, viewport=narrow) as person:
        person.page.goto(replay)
        person.page.locator(".branches").get_by_role("link").first.click()
        wide = person.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 360
