"""People at the pages of a market: opening one, and walking through its moments."""

import re

from playwright.sync_api import Page, expect


def opens(page: Page, who: str = "rule expert", seed: int = 11) -> None:
    """Start a market from its front page."""
    page.goto("/market/tasks/")
    page.get_by_label("Who plays Aravalli Lab?").select_option(label=who)
    orders(page, seed)
    expect(page.locator("[data-play]")).to_have_js_property("hidden", False)


def orders(page: Page, seed: int) -> None:
    """Start a market of what else the front page says already."""
    page.get_by_label("Seed").fill(str(seed))
    page.get_by_role("button", name="Open the market").click()
    expect(page).to_have_url(re.compile(r"/market/\w+/"))


def is_over(page: Page) -> None:
    """Wait for the end, and until the page that comes with it hears keys."""
    expect(page.locator("#result-title")).to_be_visible(timeout=60_000)
    expect(page.locator("[data-play]")).to_be_visible()


def place(page: Page) -> tuple[int, int]:
    """Which moment is shown, and how many there are."""
    here, count = re.findall(r"\d+", page.locator(".scrub-place").inner_text())
    return int(here), int(count)


def shows_moment(page: Page, number: int) -> None:
    expect(page.locator(".scrub-place")).to_have_text(re.compile(rf"^{number} of \d+$"))


def steps_from_the_start(page: Page) -> int:
    """Go to the first moment of a whole market and one on; give how many there are."""
    is_over(page)
    count = place(page)[1]
    assert count > 15
    page.keyboard.press("Home")
    shows_moment(page, 1)
    page.get_by_label("One moment on").click()
    shows_moment(page, 2)
    return count


def open_all(page: Page) -> None:
    """Unfold everything that is folded."""
    page.locator("details").evaluate_all("(all) => all.forEach((one) => (one.open = true))")
