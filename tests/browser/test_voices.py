"""A visitor compares two voices: by key, without leaving the page, and without scripts."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.test_keyboard import goes_to
from tests.support.browsing import Person, expect, has_no_sideways_scroll
from tests.support.servers import Site


@pytest.fixture
def plain(chromium: Browser, site: Site) -> Iterator[Person]:
    """A visitor whose browser runs no scripts."""
    with Person(chromium, site.url, java_script_enabled=False) as person:
        yield person
        person.saw_no_errors()


def test_a_pick_by_key_names_both_voices_and_the_next_pair_has_none(asha: Person) -> None:
    page = asha.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/voices/")
    has_no_sideways_scroll(page)
    page.evaluate("window.stays = true")
    goes_to(page, page.get_by_role("button", name="I’d rather hear B"))
    page.keyboard.press("Enter")
    heading = page.get_by_role("heading", level=2, name=re.compile("You picked the"))
    expect(heading).to_be_focused()
    expect(page.get_by_role("article")).to_have_count(2)
    expect(page.get_by_text("Your pick", exact=True)).to_have_count(1)
    expect(page.get_by_role("heading", name="What the judges thought")).to_be_visible()
    assert page.evaluate("window.stays") is True
    has_no_sideways_scroll(page)
    # The address is that of the answer: it can be sent to a friend, and going back asks again.
    expect(page).to_have_url(re.compile(r"/voices/\?at=v\d+&pick=\w{4}"))
    first = page.url
    page.get_by_role("link", name="Next pair").click()
    expect(page.get_by_role("button", name="I’d rather hear A")).to_be_visible()
    expect(page.get_by_role("heading", name="What the judges thought")).to_have_count(0)
    page.goto(first)
    expect(heading).to_be_visible()


def test_a_pick_works_by_a_plain_form(plain: Person) -> None:
    page = plain.page
    page.goto("/voices/")
    page.get_by_role("button", name="I’d rather hear A").click()
    expect(page.get_by_role("heading", level=2, name=re.compile("You picked the"))).to_be_visible()
