"""A case in Chromium: sliders and totals, by keyboard, in a narrow window, without scripts."""

import re

import pytest
from playwright.sync_api import Browser, Page

from bazaarbatna.cases.case import in_library
from negotiation.cases.form import case_from, draft_from
from negotiation.cases.own import to_file
from tests.support.browsing import Person, expect, has_no_sideways_scroll, serious_faults
from tests.support.case_forms import fields_of
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


def test_long_names_of_an_own_case_fit_a_phone(chromium: Browser, site: Site) -> None:
    case = in_library()["scooter"]
    fields = fields_of(case) | {
        "title.en": "Donaudampfschifffahrtsgesellschaft " * 4,
        "a.sheet.en": "Donaudampfschifffahrtsgesellschaftskapitän" * 3,
        "issues.1.label.en": "When the thing changes hands, and where that is to happen",
        "issues.1.options.0.label.en": "today before the shop closes, or tomorrow when it opens",
        "issues.2.options.1.label.en": "Donaudampfschifffahrtsgesellschaftskapitänsmütze",
    }
    with Person(chromium, site.url, viewport={"width": 360, "height": 740}) as asha:
        page = asha.page
        page.goto("/cases/own/")
        page.get_by_text("As a file (TOML)").click()
        page.get_by_label("Paste a file here").fill(to_file(case_from(draft_from(fields))))
        page.get_by_role("button", name="Fill the form from it").click()
        page.get_by_role("button", name="Play as Seller").click()
        page.wait_for_selector(".case-composer.is-ready")
        has_no_sideways_scroll(page)
        page.get_by_role("button", name="Offer this package").click()
        has_no_sideways_scroll(page)
        page.get_by_role("button", name="Leave without a deal").click()
        expect(page.locator(".case-picture svg")).to_be_visible()
        has_no_sideways_scroll(page)


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


def logs_in(page: Page, site: Site) -> None:
    told = site.manage("add_host", "kamala")
    page.goto("/account/login/")
    page.get_by_label("Name").fill("kamala")
    page.get_by_label("Password").fill(told.split("Password: ")[1].split()[0])
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("You are kamala")).to_be_visible()


def comes_in(page: Page, code: str, name: str) -> None:
    page.goto(f"/rooms/{code}/")
    page.get_by_label("What shall we call you here?").fill(name)
    page.get_by_role("button", name="Come in").click()


def test_a_class_settles_a_case_and_looks_at_it_together(chromium: Browser, site: Site) -> None:
    narrow = {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"}
    with (
        Person(chromium, site.url) as host,
        Person(chromium, site.url, **narrow) as asha,
        Person(chromium, site.url) as bilal,
    ):
        desk = host.page
        logs_in(desk, site)
        desk.goto("/rooms/new/?case=scooter")
        desk.get_by_label("Name of the room").fill("Scooters")
        expect(desk.get_by_label("What is played")).to_have_value("scooter")
        desk.get_by_role("button", name="Open the room").click()
        expect(desk).to_have_url(re.compile("/desk/$"))
        code = desk.url.split("/")[-3]
        comes_in(asha.page, code, "Asha")
        comes_in(bilal.page, code, "Bilal")
        expect(desk.locator(".desk-list").get_by_text("Bilal")).to_be_visible()
        desk.get_by_role("button", name="Start").click()
        for person in (asha, bilal):
            person.page.wait_for_selector(".case-composer.is-ready")
            person.page.wait_for_selector("[data-line=live]", state="attached")
            has_no_sideways_scroll(person.page)
        expect(desk.locator(".desk-list").get_by_text("opposite Bilal")).to_be_visible()
        offer = re.compile("Offer this package")
        moves = asha if asha.page.get_by_role("button", name=offer).count() else bilal
        waits = bilal if moves is asha else asha
        waits.page.get_by_label("Words to go with it").fill("I think about it")
        moves.page.get_by_role("spinbutton", name="Price").fill("45000")
        moves.page.get_by_role("radio", name=re.compile("three months")).check()
        moves.page.get_by_role("radio", name=re.compile("on Sunday")).check()
        moves.page.get_by_role("radio", name=re.compile("goes along")).check()
        moves.page.get_by_role("button", name=offer).click()
        expect(waits.page.get_by_role("button", name=re.compile("Accept theirs"))).to_be_visible()
        expect(waits.page.get_by_label("Words to go with it")).to_have_value("I think about it")
        waits.page.get_by_role("button", name=re.compile("Accept theirs")).click()
        for person in (asha, bilal):
            expect(person.page.get_by_role("heading", level=1)).to_have_text("A deal.")
            has_no_sideways_scroll(person.page)
            assert serious_faults(person.page) == []
        asha.page.get_by_role("link", name="Back to the room").click()
        expect(asha.page.get_by_role("heading", name="You have played your game")).to_be_visible()
        desk.goto(f"/rooms/{code}/debrief/")
        expect(desk.locator(".debrief-deal")).to_have_count(1)
        for width in (360, 1440):
            desk.set_viewport_size({"width": width, "height": 800})
            has_no_sideways_scroll(desk)
            assert serious_faults(desk) == []
        for person in (host, asha, bilal):
            person.saw_no_errors()
