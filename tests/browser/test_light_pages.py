"""How much a first visit costs: bytes over the line, requests, and nothing that jumps."""

from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.support.servers import Site

MOST_BYTES, MOST_REQUESTS, MOST_SHIFT = 200_000, 30, 0.05
COUNT_SHIFTS = """
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.parametrize("address", ["/", "/sell/", "/arena/", "/market/", "/learn/"])
def test_a_first_visit_is_light(chromium: Browser, site: Site, address: str) -> None:
    context = chromium.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.add_init_script(COUNT_SHIFTS)
    loaded: list[float] = []
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    line.on("Network.loadingFinished", lambda event: loaded.append(event["encodedDataLength"]))
    page.goto(f"{site.url}{address}", wait_until="networkidle")
    shifted: Any = page.evaluate("window.shifted")
    context.close()
    assert loaded
    assert len(loaded) < MOST_REQUESTS
    assert sum(loaded) < MOST_BYTES
    assert shifted <= MOST_SHIFT
