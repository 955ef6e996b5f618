"""What happens on a small screen happens where its reader looks."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browsing import Person, expect, listens
from tests.support.servers import Site

PHONE = {"viewport": {"width": 360, "height": 800}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def phone(chromium: Browser, site: Site) -> Iterator[Page]:
    with Person(chromium, site.url, **PHONE) as person:
        yield person.page
        person.saw_no_errors(but="status of 4(09|22)")


def test_an_answered_puzzle_opens_at_its_verdict(phone: Page) -> None:
    phone.goto("/puzzles/next/")
    phone.locator(".puzzle-move").last.tap()
    for part in ("#verdict", ".puzzle-why", "[data-next]"):
        expect(phone.locator(part)).to_be_in_viewport(ratio=1)
    listens(phone)
    phone.keyboard.press("Enter")
    expect(phone.locator(".puzzle-moves")).to_be_visible()


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"asking_price": "6"}, "Asking price"), ({"title": ""}, "What is it?")],
)
def test_a_refused_form_opens_at_its_first_wrong_field(
    phone: Page, wrong: dict[str, str], field: str
) -> None:
    phone.goto("/pair/")
    phone.get_by_label("Something of your own").check()
    for name, value in ({"title": "samosa", "asking_price": "15", "name": "Asha"} | wrong).items():
        phone.locator(f"[name={name}]").fill(value)
    phone.get_by_role("button", name="Make the link").tap()
    expect(phone.get_by_label(field)).to_be_focused()
    expect(phone.get_by_label(field)).to_be_in_viewport(ratio=1)
    expect(phone.locator(".problem").first).to_be_in_viewport(ratio=1)


def test_a_fault_in_a_fold_opens_it(phone: Page) -> None:
    phone.goto("/arena/")
    phone.locator("#start > summary").click()
    phone.get_by_label("Seed").fill("no number")
    phone.get_by_role("button", name="Open the match").click()
    expect(phone.get_by_label("Seed")).to_be_focused()
    expect(phone.get_by_label("Seed")).to_be_in_viewport(ratio=1)


def test_start_is_in_sight_and_below_the_choice(phone: Page) -> None:
    phone.goto("/buy/?q=royal+enfield")
    phone.get_by_role("link", name="Royal Enfield").first.tap()
    start = phone.get_by_role("button", name="Start the haggle")
    expect(start).to_be_in_viewport(ratio=1)
    phone.get_by_text("more stalls").tap()
    expect(start).to_be_in_viewport(ratio=1)
    start.tap()
    expect(phone).to_have_url(re.compile(r"/buy/\w{12}/$"))


def test_who_writes_to_a_table_still_sees_it(phone: Page) -> None:
    phone.goto("/arena/")
    phone.locator("#start > summary").click()
    phone.get_by_label("Seat 4").select_option("person")
    phone.get_by_role("button", name="Open the match").click()
    phone.wait_for_selector("#match-seat[data-turn=yours]")
    listens(phone)
    phone.set_viewport_size({"width": 360, "height": 740})
    moves = [
        phone.get_by_role("button", name=one) for one in ("Seal it", "Take it", "Wait", "Leave")
    ]
    for one in moves:
        expect(one).to_be_in_viewport(ratio=1)
    phone.get_by_text("Say or call something").tap()
    expect(phone.get_by_label("Say to the table")).to_be_in_viewport(ratio=1)
    for one in moves:
        expect(one).to_be_in_viewport(ratio=1)
    box = phone.locator(".seat-composer").bounding_box()
    assert box is not None
    assert box["height"] < 740 / 2


def test_what_is_said_of_a_turn_goes_with_it(phone: Page, chromium: Browser, site: Site) -> None:
    phone.goto("/pair/")
    phone.get_by_label("Your name at the table").fill("Asha")
    phone.get_by_role("button", name="Make the link").tap()
    link = phone.get_by_label("Link for your friend").input_value()
    with Person(chromium, site.url) as ravi:
        ravi.page.goto(link)
        ravi.page.get_by_label("Your name at the table").fill("Ravi")
        ravi.page.get_by_role("button", name="Sit down").click()
        expect(phone).to_have_url(re.compile(r"/sell/\w+/$"))
        for page in (phone, ravi.page):
            listens(page)
        ask = int(re.sub(r"\D", "", phone.locator("#sale-standing .is-ask b").inner_text()))
        phone.locator("[data-text]").fill(f"{ask * 9 // 10} last")
        phone.locator("[data-send]").tap()
        expect(phone.locator("[data-error]")).to_contain_text("Ravi's turn")
        ravi.page.locator("[data-text]").fill(f"{ask // 2}")
        ravi.page.keyboard.press("Enter")
        expect(phone.locator(".sale")).to_have_attribute("data-turn", "seller")
        expect(phone.locator("[data-error]")).to_be_empty()
        expect(phone.locator("[data-text]")).to_have_value(f"{ask * 9 // 10} last")
