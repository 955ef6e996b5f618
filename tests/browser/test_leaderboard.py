"""The board in a real browser: reading it, choosing a suite, taking a name."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.support.browsing import Person, expect, has_no_sideways_scroll
from tests.support.servers import Site

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
TABLET = {"viewport": {"width": 768, "height": 1024}}


@pytest.fixture(scope="module")
def fair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with a small evaluation that was published by the command."""
    with Site(tmp_path_factory.mktemp("fair")) as running:
        running.manage(
            *("evaluate", "--policies", "sauda,rules:smart,rules:agreeable,rules:boulware"),
            *("--suites", "single_deal,deceptive_seller", "--episodes", "20", "--publish"),
            *("--workers", "1"),
        )
        yield running


def test_a_suite_is_chosen_without_leaving_the_page(chromium: Browser, fair: Site) -> None:
    with Person(chromium, fair.url) as bilal:
        page = bilal.page
        page.goto("/leaderboard/")
        expect(page.get_by_role("row", name=re.compile("Boulware")).first).to_contain_text("1")
        page.get_by_role("link", name="Suite by suite", exact=True).click()
        chart = page.get_by_role("img", name="Share of closed deals against deal rate: All suites")
        expect(chart).to_be_visible()
        page.get_by_role("link", name="A seller who bluffs").click()
        expect(page.get_by_role("img", name=re.compile("A seller who bluffs"))).to_be_visible()
        expect(page).to_have_url(re.compile(r"suite=deceptive_seller"))
        expect(page.get_by_text("rule:deceptive@").first).to_be_visible()
        expect(page.get_by_role("link", name="A seller who bluffs")).to_be_focused()
        page.go_back()
        expect(chart).to_be_visible()
        bilal.saw_no_errors()


def test_the_board_reads_without_scripts(chromium: Browser, fair: Site) -> None:
    with Person(chromium, fair.url, java_script_enabled=False) as bilal:
        page = bilal.page
        page.goto("/leaderboard/suites/")
        page.get_by_role("link", name="One item, one seller").click()
        expect(page.get_by_role("img", name=re.compile("One item, one seller"))).to_be_visible()
        page.goto("/leaderboard/")
        page.get_by_label("Your name").fill("Bilal")
        page.get_by_role("button", name="Take the name").click()
        expect(page.get_by_role("heading", name="You are Bilal")).to_be_visible()


def test_a_name_is_refused_where_it_was_typed_and_then_taken(chromium: Browser, fair: Site) -> None:
    with Person(chromium, fair.url) as asha:
        page = asha.page
        page.goto("/leaderboard/")
        field = page.get_by_label("Your name")
        field.fill("Sauda")
        field.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("belongs to the house")
        expect(page.get_by_label("Your name")).to_be_focused()
        expect(page.get_by_label("Your name")).to_have_value("Sauda")
        page.get_by_label("Your name").fill("Asha of the Lamps")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="You are Asha of the Lamps")).to_be_visible()
        page.get_by_role("button", name="Take my name off").click()
        expect(page.get_by_role("heading", name="Play under a name")).to_be_visible()
        asha.saw_no_errors(but="status of 422")


@pytest.mark.parametrize("screen", [PHONE, TABLET], ids=["phone", "tablet"])
def test_no_table_scrolls_the_page_sideways(
    screen: dict[str, object], chromium: Browser, fair: Site
) -> None:
    with Person(chromium, fair.url, **screen) as bilal:
        for address in ("/leaderboard/", "/leaderboard/?suite=single_deal%40sampled-1"):
            bilal.page.goto(address)
            bilal.page.locator("details").evaluate_all(
                "(parts) => parts.forEach((part) => (part.open = true))"
            )
            has_no_sideways_scroll(bilal.page)
            names = bilal.page.locator(".board-name")
            heights = names.evaluate_all("(all) => all.map((one) => one.offsetHeight)")
            assert max(heights, default=0) < 60, "a name was squeezed into a column of letters"
        bilal.saw_no_errors()
