"""On the evidence page buyers stand on a plane of share and manners, with their table below."""

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.support.browsing import Person, expect
from tests.support.servers import Site

SHOTS = os.environ.get("FEELINGS_SHOTS")


@pytest.mark.parametrize(("width", "theme"), [(360, "light"), (360, "dark"), (1440, "light")])
def test_the_plane_and_its_table_fit_the_page(
    chromium: Browser, site: Site, width: int, theme: str
) -> None:
    look: dict[str, Any] = {"viewport": {"width": width, "height": 740}, "color_scheme": theme}
    with Person(chromium, site.url, **look) as asha:
        page = asha.page
        page.goto("/evidence/")
        plane = page.get_by_role(
            "img", name="What each buyer keeps, and its games without a slight"
        )
        expect(plane).to_be_visible()
        page.locator("#liking summary").click()
        table = page.get_by_role("table", name="How each buyer goes about its games, means")
        expect(table.get_by_role("row")).to_have_count(12)
        expect(page.get_by_text("Nothing yet: a player is shown when 5 people")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if SHOTS:
            page.locator("#liking").screenshot(path=Path(SHOTS) / f"liking-{width}-{theme}.png")
        asha.saw_no_errors()
