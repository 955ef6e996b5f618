"""What holds on every page: nothing in the console, nothing blocked, nothing sticking out."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browsing import Person, expect, has_no_sideways_scroll
from tests.support.servers import Site
from tests.support.touring import Tour

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1440, "height": 900}}
NIGHT = {**DESK, "color_scheme": "dark", "reduced_motion": "reduce"}


@pytest.fixture(params=[PHONE, DESK, NIGHT], ids=["phone", "desk", "night"])
def tour(request: pytest.FixtureRequest, chromium: Browser, site: Site) -> Iterator[Tour]:
    tour = Tour(chromium, site, **request.param)
    with tour.person:
        yield tour


def settles(page: Page) -> None:
    """Wait until the page's modules have run: the theme toggle shows itself."""
    toggle = page.locator("[data-behaviour=toggle-theme]")
    if toggle.count():
        expect(toggle).to_be_visible()


def test_no_page_complains_or_sticks_out(tour: Tour) -> None:
    for address in tour.addresses():
        answer = tour.page.goto(address)
        assert answer is not None
        assert answer.ok, f"{address}: {answer.status}"
        settles(tour.page)
        assert tour.page.get_by_role("heading", level=1).count() == 1, address
        has_no_sideways_scroll(tour.page)
    tour.person.saw_no_errors()


def test_a_page_that_is_not_there_is_a_page_too(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url, **PHONE) as chetan:
        answer = chetan.page.goto("/sell/nothinghere1/")
        assert answer is not None
        assert answer.status == 404
        settles(chetan.page)
        expect(chetan.page.get_by_role("heading", level=1)).to_be_visible()
        has_no_sideways_scroll(chetan.page)
        chetan.saw_no_errors(but="status of 404")


def test_nothing_of_the_admin_login_is_blocked(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url) as chetan:
        chetan.page.goto("/admin/login/")
        expect(chetan.page.get_by_label("Username")).to_be_visible()
        # Django's own page names no icon: Chromium tries the old address, which leads to ours.
        chetan.saw_no_errors()


def test_everything_open_still_fits_a_phone(chromium: Browser, site: Site) -> None:
    tour = Tour(chromium, site, **PHONE)
    with tour.person:
        game_id = tour.plays(share=True, walk=True)
        for address in (f"/sell/{game_id}/", f"/replays/{game_id}/"):
            tour.page.goto(address)
            settles(tour.page)
            tour.page.locator("details").evaluate_all(
                "(parts) => parts.forEach((part) => (part.open = true))"
            )
            has_no_sideways_scroll(tour.page)
        tour.person.saw_no_errors()
