"""Asha brings a bot in her browser; phones get the same pages without sideways scrolling."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browsing import Person
from tests.support.servers import Site

NO_SCROLL = "document.documentElement.scrollWidth <= window.innerWidth"


@pytest.fixture
def on_a_phone(chromium: Browser, site: Site) -> Iterator[Person]:
    """Asha with a phone, at night."""
    phone = {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"}
    with Person(chromium, site.url, **phone) as person:
        yield person
        person.saw_no_errors()


def test_asha_registers_a_client_and_keeps_its_token(on_a_phone: Person) -> None:
    page = on_a_phone.page
    page.goto("/bots/")
    assert page.evaluate(NO_SCROLL)
    page.get_by_label("Name on the board").fill("Phone bot")
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("is registered")
    assert re.fullmatch(r"bzr_[\w-]{43}", page.locator("#token").inner_text())
    assert page.evaluate(NO_SCROLL)
    page.get_by_role("link", name="To the bot’s page").click()
    expect(page.locator("#standing")).to_contain_text("Its first reset begins the play")
    page.get_by_text("Withdraw", exact=True).click()
    page.get_by_role("button", name="Withdraw for good").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bring your own bot")
    expect(page.locator("body")).not_to_contain_text("Phone bot")


def test_a_wrong_name_is_named_at_its_field_and_kept(chromium: Browser, site: Site) -> None:
    # The browser itself reports a 422 in its console, so this is a person who may see one.
    with Person(chromium, site.url) as asha:
        page = asha.page
        page.goto("/bots/")
        page.get_by_label("Name on the board").fill("Sauda")
        page.keyboard.press("Enter")
        field = page.get_by_label("Name on the board")
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(page.get_by_role("alert")).to_be_visible()
        expect(field).to_have_value("Sauda")
