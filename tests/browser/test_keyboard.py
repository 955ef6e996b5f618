"""The whole game with a keyboard and nothing else."""

import re

from playwright.sync_api import Locator, Page

from tests.support.browsing import Person, expect
from tests.support.haggling import GAME_ADDRESS, Haggle
from tests.support.servers import Site

LONGEST_WALK = 60


# A ring may be drawn around a card whose link has the focus: one ring within reach is enough.
HAS_RING = """(element) => {
  for (let around = element; around && around !== document.body; around = around.parentElement) {
    if (getComputedStyle(around).outlineStyle !== "none") return true;
  }
  return false;
}"""


def goes_to(page: Page, wanted: Locator, key: str = "Tab") -> None:
    """Press Tab until the element has the focus, and see that a person could see it there."""
    for _ in range(LONGEST_WALK):
        if wanted.evaluate("(element) => element === document.activeElement"):
            assert wanted.evaluate(HAS_RING), f"nobody can see the focus on {wanted}"
            return
        page.keyboard.press(key)
    raise AssertionError(f"{LONGEST_WALK} times {key} do not reach {wanted}")


def test_asha_plays_a_whole_game_without_a_mouse(asha: Person, site: Site) -> None:
    page, keys = asha.page, asha.page.keyboard
    page.goto("/sell/")
    goes_to(page, page.get_by_role("searchbox", name="Search"))
    keys.type("kantha jhola")
    expect(page.locator("#stall")).to_contain_text("1 thing found")
    goes_to(page, page.get_by_role("link", name=re.compile("Kantha")))
    keys.press("Enter")
    expect(page.get_by_role("region", name="Your cards")).to_be_visible()
    goes_to(page, page.get_by_role("button", name="Start the haggle"))
    keys.press("Enter")
    expect(page).to_have_url(GAME_ADDRESS)

    haggle = Haggle(page)
    haggle.connection("live")
    haggle.my_turn(1)
    goes_to(page, haggle.words)
    keys.type("479, wash kiya hua hai")
    keys.press("Shift+Enter")
    keys.type("handle double silai")
    expect(haggle.asks).to_have_count(0)
    keys.press("Enter")
    haggle.my_turn(2)
    assert haggle.said() == "479, wash kiya hua hai\nhandle double silai"
    expect(haggle.words).to_be_focused()

    asks_who_served(page, haggle)
    goes_to(page, page.get_by_role("button", name="Walk away"))
    keys.press("Enter")
    dialog = page.get_by_role("dialog", name="Walk away?")
    expect(dialog.get_by_role("button", name="Stay and haggle")).to_be_focused()
    keys.press("Escape")
    expect(dialog).to_be_hidden()
    expect(haggle.standing).to_have_attribute("data-turn", "seller")
    expect(page.get_by_role("button", name="Walk away")).to_be_focused()
    keys.press("Enter")
    goes_to(page, dialog.get_by_role("button", name="Walk away"))
    keys.press("Enter")

    haggle.ended("You walked away")
    expect(haggle.sheet.get_by_role("heading", level=2)).to_be_focused()
    goes_to(page, page.get_by_role("link", name="Open the replay"))
    keys.press("Enter")
    expect(page).to_have_url(re.compile("/replays/"))


def asks_who_served(page: Page, haggle: Haggle) -> None:
    """Sauda's last bid can be reached backwards from the composer, down to who served it."""
    served = haggle.bids.last.locator(".plan summary")
    goes_to(page, served, "Shift+Tab")
    page.keyboard.press("Enter")
    expect(haggle.bids.last.locator(".plan dl")).to_be_visible()
