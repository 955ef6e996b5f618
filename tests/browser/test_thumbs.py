"""Asha's game has ended: Sauda's lines take thumbs, by mouse, by key and without scripts."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.browser.test_keyboard import goes_to
from tests.support.browsing import Person, expect
from tests.support.haggling import SLOPPY, Haggle, sells_the_book
from tests.support.servers import Site

TAP_PX = 44


@pytest.fixture
def plain(chromium: Browser, site: Site) -> Iterator[Person]:
    """Asha, whose browser runs no scripts."""
    with Person(chromium, site.url, java_script_enabled=False) as person:
        yield person
        person.saw_no_errors()


def thumbs(page: Page, name: str) -> Locator:
    return page.locator("#transcript").get_by_role("button", name=name)


def plays(person: Person, site: Site) -> Haggle:
    """Two bids of Sauda, and nothing to rate yet."""
    haggle = sells_the_book(person, site)
    haggle.says(SLOPPY[0][0])
    haggle.my_turn(2)
    expect(thumbs(person.page, "Thumb up")).to_have_count(0)
    return haggle


def stored(site: Site, game_id: str) -> list[str]:
    sql = "select thumb from negotiation_linethumb where game_id = %s order by seq"
    return [row[0] for row in site.query(sql, game_id)]


def test_thumbs_come_with_the_end_and_stay_over_a_reload(asha: Person, site: Site) -> None:
    haggle = plays(asha, site)
    page = asha.page
    haggle.walks()
    ups, downs = thumbs(page, "Thumb up"), thumbs(page, "Thumb down")
    expect(ups).to_have_count(2)
    box = ups.first.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= TAP_PX
    page.evaluate("window.stays = true")

    ups.first.click()
    expect(ups.first).to_have_attribute("aria-pressed", "true")
    downs.first.click()
    expect(downs.first).to_have_attribute("aria-pressed", "true")
    expect(ups.first).to_have_attribute("aria-pressed", "false")

    goes_to(page, ups.nth(1))
    page.keyboard.press("Space")
    expect(ups.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(ups.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(ups.nth(1)).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("window.stays") is True
    assert stored(site, haggle.game_id) == ["down"]

    page.reload()
    expect(downs.first).to_have_attribute("aria-pressed", "true")
    expect(ups.nth(1)).to_have_attribute("aria-pressed", "false")


@pytest.fixture
def cut_off(chromium: Browser, site: Site) -> Iterator[Person]:
    """Asha, whose line will break; Chromium mentions it."""
    with Person(chromium, site.url) as person:
        yield person
        person.saw_no_errors(but="ERR_FAILED")


def test_a_thumb_that_does_not_get_through_says_so_at_its_line(cut_off: Person, site: Site) -> None:
    haggle = plays(cut_off, site)
    haggle.walks()
    page = cut_off.page
    page.route("**/thumbs/", lambda route: route.abort())
    thumbs(page, "Thumb up").first.click()
    expect(page.get_by_text("That did not get through.")).to_be_visible()
    expect(thumbs(page, "Thumb up").first).to_have_attribute("aria-pressed", "false")
    page.unroute("**/thumbs/")
    thumbs(page, "Thumb up").first.click()
    expect(page.get_by_text("That did not get through.")).to_have_count(0)
    expect(thumbs(page, "Thumb up").first).to_have_attribute("aria-pressed", "true")


def test_thumbs_work_by_plain_forms(plain: Person, site: Site) -> None:
    haggle = sells_the_book(plain, site, scripts=False)
    page, game_id = plain.page, haggle.game_id
    page.get_by_role("button", name="Walk away").first.click()
    expect(haggle.sheet).to_be_visible()
    up = thumbs(page, "Thumb up").first
    up.click()
    expect(up).to_have_attribute("aria-pressed", "true")
    assert stored(site, game_id) == ["up"]
    up.click()
    expect(up).to_have_attribute("aria-pressed", "false")
    assert stored(site, game_id) == []
