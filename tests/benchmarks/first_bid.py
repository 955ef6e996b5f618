"""How long a stranger with a phone waits: the front page, one click, her first bid on the screen.

A real site with its usual pauses and voice, a phone's window, an empty cache, and a line and a
processor slowed down as Lighthouse slows them (slow 4G: 150 ms, 1.6 Mbit/s, a fourth of the
processor), and worse (3G: 300 ms, 0.7 Mbit/s). Seconds, median and worst of the visits.

    python -m tests.benchmarks.first_bid --visits 5
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.support.browsing import LAUNCH_ARGS
from tests.support.servers import Site
from tests.support.services import CHROMIUM

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
LINES = {"as it is": (0, 0, 1), "slow 4G": (150, 1600, 4), "3G": (300, 700, 4)}
"""Delay in ms, kbit/s, how many times slower the processor is."""
USUAL_PAUSE_S = "0.6"
HER_BID = "#transcript [data-kind=offer][data-actor=buyer]"


def visit(browser: Browser, url: str, line: tuple[int, int, int]) -> tuple[float, float, float]:
    """Return seconds to the first paint, to the page, and from the address to her first bid."""
    delay, speed, slower = line
    context = browser.new_context(**PHONE)
    page = context.new_page()
    tools = context.new_cdp_session(page)
    if speed:
        tools.send("Network.enable")
        limits = {"latency": delay, "downloadThroughput": speed * 125, "uploadThroughput": 93_750}
        tools.send("Network.emulateNetworkConditions", {"offline": False, **limits})
        tools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    began = time.perf_counter()
    page.goto(url)
    loaded = time.perf_counter() - began
    paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    painted: float = page.evaluate(paint) / 1000
    page.get_by_role("button", name="Start haggling").click()
    page.wait_for_selector(HER_BID, timeout=60_000)
    bid = time.perf_counter() - began
    context.close()
    return painted, loaded, bid


def main() -> None:
    """Print one row for each line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visits", type=int, default=5)
    visits = parser.parse_args().visits
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        Site(Path(folder), BAZAAR_BUYER_PAUSE_S=USUAL_PAUSE_S) as site,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=LAUNCH_ARGS)
        print(f"{'line':<12}{'first paint':>14}{'page':>14}{'first bid':>14}")
        for name, line in LINES.items():
            seen = [visit(browser, site.url, line) for _ in range(visits)]
            cells = (
                f"{statistics.median(one):.1f} ({max(one):.1f})" for one in zip(*seen, strict=True)
            )
            print(f"{name:<12}" + "".join(f"{cell:>14}" for cell in cells))
        browser.close()


if __name__ == "__main__":
    main()
