"""Photograph every page at three widths, light and dark: `make shots`, then look at var/shots.

Plays one real game in Chromium for each theme, so that the live page, the sheet and the replay have
content.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.support.browsing import LAUNCH_ARGS
from tests.support.servers import Site
from tests.support.services import CHROMIUM

WIDTHS = (360, 768, 1440)
LINES = (
    "500 se kam nahi, im making a loss bhai",
    "470 chalo, teen aur log dekh rahe hain",
    "430. box sealed, never opened",
)
BUYING_LINES = (
    "bhaiya 70k dunga, itna hi hai mere paas",
    "71500, cash abhi. tyre toh ghise hue hain",
    "74,000, aaj hi le jaunga",
)
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SHOTS = Path(__file__).resolve().parents[2] / "var" / "shots"


def main() -> None:
    """Take the pictures and name what is wider than its window."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        Site(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=LAUNCH_ARGS)
        for theme in ("light", "dark"):
            photograph(browser, server.url, theme)
        browser.close()
    print(f"pictures are in {SHOTS.relative_to(Path.cwd())}")


def photograph(browser: Browser, url: str, theme: str) -> None:
    """Visit every page in one theme."""
    context = browser.new_context(color_scheme=theme, bypass_csp=True)  # type: ignore[arg-type]
    page = context.new_page()
    for name, address in (
        ("landing", "/"),
        ("evidence", "/evidence/"),
        ("sell", "/sell/"),
        ("search", "/sell/?q=kullu"),
        ("own", "/sell/new/"),
        ("buy", "/buy/"),
        ("arena", "/arena/"),
        ("leaderboard", "/leaderboard/"),
        ("bots", "/bots/"),
        ("training", "/training/"),
        ("voices", "/voices/"),
        ("missing", "/no-such-page/"),
    ):
        page.goto(url + address)
        shoot(page, name, theme)
    page.goto(f"{url}/sell/?q=kullu")
    page.get_by_role("link", name="Kullu").first.click()
    shoot(page, "brief", theme)
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Start the haggle").click()
    for line in LINES:
        speak(page, line)
    shoot(page, "sale", theme, full=False)
    page.get_by_role("button", name="Walk away").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Walk away").click()
    page.wait_for_selector("#sale-outcome h2")
    shoot(page, "outcome", theme)
    buy(page, url, theme)
    watch(page, url, theme)
    trade(page, url, theme)
    page.goto(f"{url}/replays/")
    shoot(page, "replays", theme)
    page.get_by_role("link", name="Kullu").first.click()
    shoot(page, "replay", theme)
    page.goto(page.url.split("#")[0].split("?")[0] + "?seq=2")
    page.locator("#what-if").get_by_role("button", name="walked away").click()
    page.wait_for_selector(".answer")
    shoot(page, "what-if", theme)
    context.close()


def watch(page: Page, url: str, theme: str) -> None:
    """Sit down at a match, then watch one from the third round to its replay."""
    page.goto(f"{url}/arena/")
    page.locator("#start > summary").click()
    page.get_by_label("Seat 4").select_option("person")
    page.get_by_role("button", name="Open the match").click()
    page.wait_for_selector("#match-seat[data-turn=yours]")
    shoot(page, "arena-seat", theme, full=False)
    page.goto(f"{url}/arena/")
    page.locator("#start > summary").click()
    page.get_by_label("Seed").fill("21")
    page.get_by_role("button", name="Open the match").click()
    page.wait_for_selector(".said.is-round >> nth=1", timeout=60_000)
    shoot(page, "arena-live", theme, full=False)
    page.wait_for_selector("#outcome-title", timeout=120_000)
    shoot(page, "arena-end", theme)
    page.get_by_role("link", name="Watch the replay").click()
    shoot(page, "arena-replay", theme)


def trade(page: Page, url: str, theme: str) -> None:
    """Play a turn of a market, then look at a finished one, its moments and its other worlds."""
    page.goto(f"{url}/market/tasks/")
    page.get_by_label("Who plays Aravalli Lab?").select_option("you")
    page.get_by_label("Seed").fill("15")
    page.get_by_role("button", name="Open the market").click()
    page.get_by_role("button", name="Accept").nth(1).click()
    page.wait_for_selector(".now-round >> text=Round 2 of")
    shoot(page, "market-seat", theme)
    page.goto(f"{url}/market/tasks/")
    page.get_by_role("button", name="Open the market").click()
    page.wait_for_selector(".shocks")
    shoot(page, "market-live", theme)
    page.wait_for_selector("#result-title", timeout=120_000)
    shoot(page, "market-end", theme)
    match = page.url
    page.get_by_role("link", name="Round 2").first.click()
    shoot(page, "market-choices", theme)
    page.get_by_role("button", name="Play it to the end").click()
    page.wait_for_selector("#answer-title")
    shoot(page, "market-what-if", theme)
    page.goto(f"{match}twin/?shock=0")
    shoot(page, "market-twin", theme)
    page.goto(f"{url}/market/")
    shoot(page, "market", theme)


def buy(page: Page, url: str, theme: str) -> None:
    """Play one purchase, and look at it from the choice of a stall to the replay."""
    page.goto(f"{url}/buy/?q=royal+enfield")
    page.get_by_role("link", name="Royal Enfield").first.click()
    shoot(page, "buy-start", theme)
    page.get_by_role("radio", name="Lovely").check()
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Start the haggle").click()
    page.wait_for_selector("[data-send]:not([disabled])")
    shoot(page, "buy-fresh", theme, full=False)
    for line in BUYING_LINES:
        speak(page, line, seat="buyer")
    shoot(page, "buy-game", theme, full=False)
    page.get_by_role("button", name="Accept").click()
    page.wait_for_selector("#sale-outcome h2")
    shoot(page, "buy-outcome", theme)
    page.get_by_role("link", name="Open the replay").click()
    shoot(page, "buy-replay", theme)


def speak(page: Page, line: str, seat: str = "seller") -> None:
    """Say a line when it is our turn and wait for the answer."""
    page.wait_for_selector("[data-send]:not([disabled])")
    bids = page.locator("#sale-standing").get_attribute("data-seq")
    page.locator("[data-text]").fill(line)
    page.keyboard.press("Enter")
    page.wait_for_selector(f"#sale-standing[data-turn={seat}]:not([data-seq='{bids}'])")


def shoot(page: Page, name: str, theme: str, *, full: bool = True) -> None:
    """Take one picture per width and complain about sideways scrolling."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(TWO_FRAMES)
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            print(f"{name} at {width} px is {wide} px wide", file=sys.stderr)
        page.screenshot(path=str(SHOTS / f"{name}-{theme}-{width}.png"), full_page=full)


if __name__ == "__main__":
    main()
