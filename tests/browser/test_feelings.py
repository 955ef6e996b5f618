"""Asha's game has ended: how was it? One tap an answer, on a phone, by key, without scripts."""

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.browser.test_keyboard import goes_to
from tests.support.browsing import Person, expect
from tests.support.haggling import SLOPPY, sells_the_book
from tests.support.servers import Site

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
TAP_PX = 44
SHOTS = os.environ.get("FEELINGS_SHOTS")


def question(page: Page, words: str) -> Locator:
    return page.get_by_role("group", name=words)


def says_more(page: Page) -> None:
    """Open what is not asked at once."""
    page.locator(".feelings-more > summary").click()


def stored(site: Site, game_id: str) -> dict[str, int]:
    sql = "select question, value from negotiation_gameanswer where game_id = %s"
    return dict(site.query(sql, game_id))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_on_a_phone_every_answer_is_one_tap_and_a_second_takes_it_back(
    chromium: Browser, site: Site, theme: str
) -> None:
    look: dict[str, Any] = {**PHONE, "color_scheme": theme}
    with Person(chromium, site.url, **look) as asha:
        haggle = sells_the_book(asha, site)
        page = asha.page
        haggle.says(SLOPPY[0][0])
        haggle.my_turn(2)
        expect(page.locator("#feelings")).to_be_hidden()
        haggle.walks()
        fair = question(page, "How fairly did the two of you get to this end?")
        says_more(page)
        expect(fair.get_by_role("button")).to_have_count(7)
        page.evaluate("window.stays = true")
        six = fair.get_by_role("button", name="6", exact=True)
        box = six.bounding_box()
        assert box is not None
        assert box["height"] >= TAP_PX
        six.tap()
        expect(six).to_have_attribute("aria-pressed", "true")
        expect(six).to_be_focused()
        fair.get_by_role("button", name="7, very fairly").tap()
        expect(six).to_have_attribute("aria-pressed", "false")
        again = question(page, "Would you bargain with Sauda again?")
        again.get_by_role("button", name="Yes").tap()
        expect(again.get_by_role("button", name="Yes")).to_have_attribute("aria-pressed", "true")
        assert page.evaluate("window.stays") is True
        assert stored(site, haggle.game_id) == {"process": 7, "again": 1}
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= PHONE["viewport"]["width"]  # type: ignore[index]
        if SHOTS:
            page.locator("#feelings").scroll_into_view_if_needed()
            page.screenshot(path=Path(SHOTS) / f"end-{theme}.png", full_page=True)
            page.locator("#feelings").screenshot(path=Path(SHOTS) / f"form-{theme}.png")

        page.keyboard.press("Shift+Tab")
        goes_to(page, again.get_by_role("button", name="Yes"))
        page.keyboard.press("Space")
        expect(again.get_by_role("button", name="Yes")).to_have_attribute("aria-pressed", "false")
        expect(again.get_by_role("button", name="Yes")).to_be_focused()
        assert stored(site, haggle.game_id) == {"process": 7}
        page.reload()
        says_more(page)
        seven = fair.get_by_role("button", name="7, very fairly")
        expect(seven).to_have_attribute("aria-pressed", "true")
        asha.saw_no_errors()


def test_without_scripts_an_answer_is_one_tap_too(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url, java_script_enabled=False) as asha:
        haggle = sells_the_book(asha, site, scripts=False)
        page, game_id = asha.page, haggle.game_id
        page.get_by_role("button", name="Walk away").first.click()
        expect(haggle.sheet).to_be_visible()
        bad = question(page, "How good is this result for you?")
        says_more(page)
        bad.get_by_role("button", name="2", exact=True).click()
        says_more(page)
        two = bad.get_by_role("button", name="2", exact=True)
        expect(two).to_have_attribute("aria-pressed", "true")
        assert stored(site, game_id) == {"instrumental": 2}
        two.click()
        says_more(page)
        expect(two).to_have_attribute("aria-pressed", "false")
        assert stored(site, game_id) == {}
        asha.saw_no_errors()


def test_what_is_refused_says_why_in_its_place(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url) as asha:
        haggle = sells_the_book(asha, site)
        haggle.says(SLOPPY[0][0])
        haggle.my_turn(2)
        haggle.walks()
        page = asha.page
        long_ago = "update negotiation_game set ended_at = '2020-01-01 00:00:00' where id = %s"
        site.execute(long_ago, haggle.game_id)
        says_more(page)
        question(page, "How good is this").get_by_role("button", name="3", exact=True).click()
        expect(page.get_by_role("alert").get_by_text("more than a week ago")).to_be_visible()
        assert stored(site, haggle.game_id) == {}
        asha.saw_no_errors(but="409")
