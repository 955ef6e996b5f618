"""The whole of it: from the stall to a deal, the opened envelope and the replay."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.support.browsing import A_PRESS_MS, IN_MOTION, Person, expect
from tests.support.haggling import BOOK, LOW_BUDGET, SLOPPY, Haggle, starts
from tests.support.servers import Site


def picks_the_book(asha: Person) -> None:
    """Search the stall and open the brief."""
    page = asha.page
    page.goto("/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Play", exact=True).click()
    page.wait_for_url("**/sell/")
    page.get_by_role("searchbox", name="Search").fill("sharma maths")
    expect(page.locator("#stall")).to_contain_text("1 thing found")
    page.get_by_role("link", name=BOOK, exact=True).click(delay=A_PRESS_MS)
    brief = page.get_by_role("region", name="Your cards")
    expect(brief).to_contain_text("₹180")
    expect(brief).to_contain_text("₹80.85")


def starts_with_a_low_budget(asha: Person, site: Site) -> Haggle:
    while True:
        picks_the_book(asha)
        haggle = starts(asha, share=True)
        if site.scenario(haggle.game_id).sealed.budget in LOW_BUDGET:
            return haggle


@pytest.fixture
def asha(chromium: Browser, site: Site) -> Iterator[Person]:
    """Asha, for whom what moves moves."""
    with Person(chromium, site.url, **IN_MOTION) as person:
        yield person
        person.saw_no_errors()


def test_asha_sells_a_book_reads_the_sheet_and_scrubs_the_replay(asha: Person, site: Site) -> None:
    haggle = starts_with_a_low_budget(asha, site)
    page = asha.page
    expect(page.get_by_role("heading", level=1)).to_have_text(BOOK)
    haggle.connection("live")
    haggle.my_turn(1)

    for at, (words, price) in enumerate(SLOPPY, start=1):
        if at == 4:
            reloads_in_mid_sentence(haggle)
        haggle.says(words)
        haggle.my_turn(at + 1)
        haggle.asked(price)
        assert haggle.said() == words
        expect(haggle.words).to_have_value("")
        expect(haggle.words).to_be_focused()
    excuse = haggle.asks.first.locator("mark", has_text="making a loss")
    expect(excuse).to_have_accessible_description(re.compile("You say you lose money"))

    bid = haggle.bids.last.locator("data").get_attribute("value")
    page.get_by_role("button", name="Accept").click()
    haggle.ended(re.compile(rf"₹{float(bid or 0):g}\b"))
    reads_the_sheet(haggle, site)

    page.get_by_role("link", name="Open the replay").click()
    scrubs_to_the_end_and_back(asha, haggle)


def reloads_in_mid_sentence(haggle: Haggle) -> None:
    before = haggle.page.locator("#transcript").inner_text()
    haggle.words.press_sequentially("half a senten")
    haggle.page.reload()
    haggle.connection("live")
    haggle.my_turn(4)
    haggle.asked(160)
    assert haggle.page.locator("#transcript").inner_text() == before
    expect(haggle.words).to_have_value("half a senten")


def reads_the_sheet(haggle: Haggle, site: Site) -> None:
    sealed = site.scenario(haggle.game_id).sealed
    sheet = haggle.sheet
    numbers = sheet.get_by_role("complementary", name="The numbers")
    expect(numbers).to_contain_text(f"₹{sealed.budget / 100:g}")
    expect(numbers).to_contain_text("₹80.85")
    sheet.get_by_text("What she read in your words").click()
    expect(sheet.locator(".beliefs tbody tr")).to_have_count(len(SLOPPY))


def scrubs_to_the_end_and_back(asha: Person, haggle: Haggle) -> None:
    page = asha.page
    expect(page).to_have_url(re.compile(r"/replays/[0-9A-Za-z_-]+/$"))
    slider = page.get_by_role("slider", name="Event of the haggle")
    last = int(slider.get_attribute("max") or 0)
    assert last > 2 * len(SLOPPY)
    expect(slider).to_have_value("0")
    page.keyboard.press("End")
    expect(slider).to_have_value(str(last))
    words = page.locator(".replay-talk li:visible")
    whole = words.count()
    for step in range(1, 4):
        page.keyboard.press("ArrowLeft")
        expect(slider).to_have_value(str(last - step))
    expect(words).not_to_have_count(whole)
    page.keyboard.press("Home")
    expect(slider).to_have_value("0")
    page.keyboard.press("End")
    expect(slider).to_have_value(str(last))
    expect(words).to_have_count(whole)
