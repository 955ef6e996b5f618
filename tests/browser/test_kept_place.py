"""Too many new people from one network: whoever is last keeps a place, and goes on by itself."""

import re
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.support.browsing import Person
from tests.support.servers import Site


def test_a_kept_place_goes_on_by_itself(chromium: Browser, tmp_path: Path) -> None:
    with (
        Site(tmp_path, BAZAAR_LIMIT_VISITORS="1/hour") as site,
        Person(chromium, site.url) as asha,
        Person(chromium, site.url) as ravi,
    ):
        asha.page.goto(f"{site.url}/")
        asha.page.get_by_role("button", name="Start haggling").click()
        asha.page.wait_for_url(re.compile(r"/sell/(?!new)\w+/"))
        page = ravi.page
        page.clock.install()
        page.goto(f"{site.url}/")
        page.get_by_role("button", name="Start haggling").click()
        expect(page.locator("h1")).to_have_text("Your place is kept")
        button = page.locator("main form button")
        expect(button).to_be_disabled()
        expect(button).to_have_text(re.compile(r"in (60:00|59:\d\d)"))
        with page.expect_request(lambda sent: sent.method == "POST" and "/sell/" in sent.url):
            page.clock.fast_forward(3_600_000)
        # The site's own clock has not moved: the place is the same one.
        expect(page.locator("h1")).to_have_text("Your place is kept")
