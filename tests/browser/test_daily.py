"""Asha plays the game of the day, finds her card, and a friend opens it."""

import re

from playwright.sync_api import Browser

from tests.support.browsing import Person, expect, has_no_sideways_scroll
from tests.support.haggling import Haggle
from tests.support.servers import Site


def test_asha_plays_today_once_and_passes_her_card_on(
    asha: Person, chromium: Browser, site: Site
) -> None:
    page = asha.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/daily/")
    has_no_sideways_scroll(page)
    thing = page.locator("#today-title").inner_text()
    page.get_by_role("button", name="Play today's game").click()
    haggle = Haggle(page)
    haggle.connection("live")
    haggle.my_turn(1)
    game = page.url
    page.goto("/daily/")
    page.get_by_role("button", name="Go on with your game").click()
    expect(page).to_have_url(game)
    haggle.connection("live")
    haggle.my_turn(1)
    haggle.walks()
    page.get_by_role("link", name="See today's table").click()

    expect(page.get_by_role("heading", name="Your card")).to_be_visible()
    # Who walks through every page of this site may have played it, too.
    finished = re.compile(r"\d (?:person has|people have) finished this game\.")
    expect(page.locator(".daily-table")).to_contain_text(finished)
    expect(page.get_by_role("button", name="Play today's game")).to_have_count(0)
    has_no_sideways_scroll(page)
    page.get_by_role("button", name="Copy").click()
    expect(page.locator("[data-copied]")).to_have_text(re.compile("Copied|Selected"))
    text = page.get_by_label("As text").input_value()
    assert thing not in text
    assert "₹" not in text
    link = text.split()[-1]

    with Person(chromium, site.url) as bilal:
        bilal.page.goto(link)
        expect(bilal.page.get_by_role("heading", level=1)).to_have_text("The daily haggle")
        expect(bilal.page.locator("main")).not_to_contain_text(thing)
        bilal.page.get_by_role("link", name="Play the same game").click()
        expect(bilal.page.locator("#today-title")).to_have_text(thing)
        expect(bilal.page.locator(".daily-table")).to_have_count(0)
        bilal.saw_no_errors()
