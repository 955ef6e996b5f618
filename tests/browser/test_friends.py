"""Asha and Ravi haggle over one thing, each with a browser, and once more with seats swapped."""

import re

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browsing import Person, expect, has_no_sideways_scroll, listens
from tests.support.servers import Site

LARGEST_SQUARE = 224


def says(page: Page, seat: str, words: str) -> None:
    """Say a price once it is the own turn."""
    expect(page.locator(".sale")).to_have_attribute("data-turn", seat)
    page.locator("[data-text]").fill(words)
    page.keyboard.press("Enter")
    said = page.locator("#transcript .words", has_text=words.split()[0])
    expect(said).to_be_visible()


@pytest.mark.parametrize("width", [390, 1440])
def test_two_friends_play_and_play_again(
    asha: Person, chromium: Browser, site: Site, width: int
) -> None:
    mine = asha.page
    mine.set_viewport_size({"width": width, "height": 800})
    mine.goto("/pair/")
    mine.get_by_label("Your name at the table").fill("Asha")
    mine.get_by_label("Time for each").select_option("300")
    mine.get_by_role("button", name="Make the link").click()
    # The page comes in by itself, its style sheet may come after.
    mine.locator(".guests-square .square").wait_for()
    mine.wait_for_function(
        "most => document.querySelector('.guests-square .square')"
        ".getBoundingClientRect().width <= most",
        arg=LARGEST_SQUARE,
    )
    has_no_sideways_scroll(mine)
    if width > 1000:
        expect(mine.get_by_text("Waiting for your friend.")).to_be_in_viewport()
    with Person(chromium, site.url) as ravi:
        theirs = ravi.page
        theirs.set_viewport_size({"width": width, "height": 800})
        theirs.goto(mine.get_by_label("Link for your friend").input_value())
        theirs.get_by_label("Your name at the table").fill("Ravi")
        theirs.get_by_role("button", name="Sit down").click()
        expect(mine).to_have_url(re.compile(r"/sell/\w+/$"))
        for page in (mine, theirs):
            listens(page)
        shown = mine.locator("#sale-standing .is-ask b").inner_text()
        ask = int(re.sub(r"\D", "", shown))
        mine.locator("#say").fill(f"{ask * 99 // 100} last")
        mine.get_by_role("button", name="Send").click()
        notice = mine.locator("[data-error]")
        expect(notice).to_contain_text("It is Ravi's turn")
        for number in range(4):
            says(theirs, "buyer", f"{ask * (50 + number) // 100} dunga bhai, thoda kam karo")
            expect(notice).not_to_contain_text("turn")
            says(mine, "seller", f"{ask * (99 - number) // 100} last price, box sealed hai")
        for page in (mine, theirs):
            page.evaluate("scrollTo(0, document.body.scrollHeight)")
            expect(page.locator("[data-table-clock]")).to_be_in_viewport(ratio=1)
            expect(page.locator("#sale-standing")).to_be_in_viewport(ratio=1)
            expect(page.locator("#sale-standing .is-initial")).to_be_visible()
        theirs.get_by_role("button", name="Walk away").first.click()
        theirs.get_by_role("dialog").get_by_role("button", name="Walk away").click()
        again = "Rematch, seats swapped"
        theirs.get_by_role("button", name=again).click()
        expect(theirs.get_by_text("a rematch waits")).to_be_visible()
        mine.evaluate("scrollTo(0, document.body.scrollHeight)")
        notice = mine.locator(".rematch-waits")
        expect(notice).to_contain_text("Ravi waits for a rematch.")
        expect(notice).to_be_in_viewport(ratio=1)
        notice.get_by_role("button", name=again).click()
        expect(mine).to_have_url(re.compile(r"/buy/\w+/$"))
        expect(theirs).to_have_url(mine.url.replace("/buy/", "/sell/"))
        ravi.saw_no_errors()
