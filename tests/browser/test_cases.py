"""A case in Chromium: sliders and totals, by keyboard, in a narrow window, without scripts."""

import re

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browsing import Person, expect, has_no_sideways_scroll, serious_faults
from tests.support.servers import Site

SCREENS = [(360, "light"), (360, "dark"), (1440, "light"), (1440, "dark")]


def sits_down(page: Page, role: str = "Buyer") -> None:
    page.goto("/cases/")
    page.get_by_role("link", name="A used scooter").click()
    page.get_by_role("button", name=f"Play as {role}").click()


@pytest.mark.parametrize(("width", "theme"), SCREENS)
def test_a_case_is_played_to_its_picture(
    chromium: Browser, site: Site, width: int, theme: str
) -> None:
    view = {"viewport": {"width": width, "height": 800}, "color_scheme": theme}
    with Person(chromium, site.url, **view) as asha:
        page = asha.page
        sits_down(page)
        page.wait_for_selector(".case-composer.is-ready")
        has_no_sideways_scroll(page)
        assert serious_faults(page) == []
        total = page.locator("[data-total]")
        expect(total).to_have_text("100")
        page.get_by_role("radio", name=re.compile("one month")).check()
        expect(total).to_have_text("85")
        page.get_by_role("slider", name="Price").fill("45000")
        expect(page.get_by_role("spinbutton", name="Price")).to_have_value("45000")
        expect(total).to_have_text("65")
        page.get_by_label("Words to go with it").fill("on Sunday, 46,000")
        page.get_by_role("button", name="Fill the rows").click()
        expect(page.locator(".case-read")).to_contain_text("Nothing is sent yet")
        expect(page.get_by_role("spinbutton", name="Price")).to_have_value("46000")
        expect(page.get_by_role("radio", name=re.compile("on Sunday"))).to_be_checked()
        page.get_by_role("button", name="Offer this package").click()
        expect(page.locator(".case-talk .is-own")).to_contain_text("₹46,000")
        page.get_by_role("button", name="Leave without a deal").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("No deal.")
        expect(page.locator(".case-picture svg")).to_be_visible()
        has_no_sideways_scroll(page)
        assert serious_faults(page) == []
        asha.saw_no_errors()


def test_the_keyboard_is_enough(asha: Person) -> None:
    page = asha.page
    sits_down(page, "Seller")
    page.wait_for_selector(".case-composer.is-ready")
    slider = page.get_by_role("slider", name="Price")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("spinbutton", name="Price")).to_have_value("59000")
    page.get_by_role("radio", name=re.compile("today")).focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name=re.compile("on Sunday"))).to_be_checked()
    page.get_by_role("button", name="Offer this package").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".case-talk .is-own")).to_contain_text("₹59,000")


def test_plain_forms_are_enough(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url, java_script_enabled=False) as asha:
        page = asha.page
        sits_down(page)
        page.get_by_role("spinbutton", name="Price").fill("")
        page.get_by_role("radio", name=re.compile("three months")).check()
        page.get_by_role("button", name="Offer this package").click()
        expect(page.locator(".case-talk .is-own")).not_to_contain_text("Price")
        page.get_by_role("button", name="Leave without a deal").click()
        expect(page.locator(".case-picture svg")).to_be_visible()
