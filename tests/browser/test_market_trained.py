"""A market that a trained lab plays, in Chromium: chosen on the front page, then walked through."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.support.browsing import Person, expect, has_no_sideways_scroll
from tests.support.market_pages import open_all, opens, orders, shows_moment, steps_from_the_start
from tests.support.servers import Site
from tests.support.toy_lab import break_weights, make_lab


@pytest.fixture(scope="module")
def trained(site: Site) -> str:
    """The site has a lab, which came while it ran, and one whose files are broken."""
    home = site.data_dir / "labs"
    make_lab(home / "toy")
    break_weights(make_lab(home / "broken", name="lab-broken"))
    return "lab toy (trained)"


@pytest.fixture
def bilal(chromium: Browser, site: Site) -> Iterator[Person]:
    """Bilal, who looks on."""
    with Person(chromium, site.url) as person:
        yield person
        # What cannot be opened is answered by 422, which a browser reports.
        person.saw_no_errors(but="status of 422")


def test_a_demo_of_a_trained_lab_is_started_and_stepped(trained: str, bilal: Person) -> None:
    page = bilal.page
    opens(page, trained)
    expect(page.locator(".strip-facts").first).to_contain_text("lab toy")
    count = steps_from_the_start(page)
    expect(page.locator("#market-log")).to_contain_text("into a coalition")
    page.keyboard.press("End")
    shows_moment(page, count)


def test_a_person_plays_against_trained_labs(trained: str, bilal: Person) -> None:
    page = bilal.page
    page.goto("/market/tasks/")
    page.get_by_label("Who plays the others?").select_option(label=trained)
    page.get_by_label("Who plays Aravalli Lab?").select_option(label="You")
    orders(page, seed=15)
    expect(page.locator(".now-turn")).to_contain_text("Your turn")
    page.get_by_role("button", name="Wait", exact=True).click()
    expect(page.locator(".now-round")).to_have_text(re.compile(r"^Round 2 of "))
    expect(page.locator("#market-log")).to_contain_text("into a coalition")


def test_a_broken_lab_leaves_the_form_as_it_was_and_says_why(trained: str, bilal: Person) -> None:
    page = bilal.page
    page.goto("/market/tasks/")
    page.get_by_label("Who plays Aravalli Lab?").select_option(label="lab broken (trained)")
    page.get_by_label("Seed").fill("77")
    page.get_by_role("button", name="Open the market").click()
    expect(page.get_by_role("alert")).to_contain_text("its files cannot be loaded")
    expect(page.get_by_label("Seed")).to_have_value("77")
    expect(page.get_by_label("Who plays Aravalli Lab?")).to_have_value("lab-broken")
    open_all(page)
    has_no_sideways_scroll(page)
