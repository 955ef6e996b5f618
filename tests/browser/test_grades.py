"""Grades on a replay in a real browser: they arrive, and every mark leads to its move."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.support.browsing import Person, expect, listens
from tests.support.haggling import HURRY, walks_from_the_book
from tests.support.servers import Site

GRADED_WITHIN_MS = 60_000
"""Nobody works in the background here: the site waits a while and then grades by itself."""


@pytest.fixture(scope="module")
def replay(chromium: Browser, site: Site) -> Iterator[tuple[Person, str]]:
    """Asha in front of her own shared game, which nobody has graded yet."""
    with Person(chromium, site.url) as asha:
        address = walks_from_the_book(asha, site, HURRY)
        yield asha, address
        asha.saw_no_errors()


def test_grades_arrive_while_the_page_is_open(replay: tuple[Person, str]) -> None:
    asha, address = replay
    page = asha.page
    page.goto(address)
    strip = page.locator(".grades-strip")
    expect(strip).to_be_visible(timeout=GRADED_WITHIN_MS)
    marks = strip.get_by_role("link")
    moves = page.locator(".step-offer, .step-accept, .step-walk")
    expect(marks).to_have_count(moves.count())
    assert page.locator(".step .grade").count() == moves.count()


def test_a_mark_leads_to_its_move_by_mouse_and_by_keyboard(replay: tuple[Person, str]) -> None:
    asha, address = replay
    page = asha.page
    page.goto(address)
    mark = page.locator(".grades-strip a").nth(1)
    expect(mark).to_be_visible()
    listens(page)
    seq = mark.get_attribute("data-to-seq")
    mark.scroll_into_view_if_needed()
    scrolled = page.evaluate("scrollY")
    mark.click()
    expect(page.locator(f'.step[data-seq="{seq}"]')).to_be_visible()
    expect(mark).to_have_attribute("aria-current", "step")
    assert page.url.endswith(f"#{seq}")
    assert page.evaluate("scrollY") == scrolled, "the page stays where the reader put it"
    last = page.locator(".grades-strip a").last
    last.focus()
    page.keyboard.press("Enter")
    expect(last).to_have_attribute("aria-current", "step")
    expect(mark).not_to_have_attribute("aria-current", "step")
    page.keyboard.press("Home")
    expect(page.locator(".grades-strip [aria-current]")).to_have_count(0)


def test_the_strip_fits_a_small_phone_and_works_without_scripts(
    chromium: Browser, site: Site, replay: tuple[Person, str]
) -> None:
    _, address = replay
    narrow = {"width": 360, "height": 740}
    with Person(chromium, site.url, viewport=narrow, java_script_enabled=False) as bilal:
        page = bilal.page
        page.goto(address)
        mark = page.locator(".grades-strip a").first
        if not mark.count():
            # Without scripts a page of its own asks again until the grades are there.
            page.get_by_role("link", name="Show the grades").click()
            expect(mark).to_be_visible(timeout=GRADED_WITHIN_MS)
        seq = mark.get_attribute("data-to-seq")
        mark.click()
        expect(page.locator(f'.step[data-seq="{seq}"] .grade')).to_be_visible()
    with Person(chromium, site.url, viewport=narrow) as bilal:
        bilal.page.goto(address)
        assert bilal.page.evaluate("document.documentElement.scrollWidth") == 360
        bilal.saw_no_errors()
