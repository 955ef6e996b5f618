"""A puzzle by keyboard, by thumb, and without scripts."""

from playwright.sync_api import Browser

from tests.support.browsing import Person, expect, has_no_sideways_scroll
from tests.support.servers import Site

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def test_a_puzzle_is_solved_by_keyboard_and_the_next_one_follows(asha: Person) -> None:
    page = asha.page
    page.goto("/puzzles/")
    page.get_by_role("link", name="Start").click()
    expect(page.locator("[data-behaviour=solve-puzzle].is-ready")).to_be_visible()
    first = page.url
    page.keyboard.press("1")
    expect(page.locator("#verdict")).to_be_visible()
    assert page.url == first
    expect(page.locator(".puzzle-worth.is-best")).to_have_count(1)
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="Your move")).to_be_visible()
    assert page.url != first


def test_on_a_phone_every_move_is_under_the_thumb(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url, **PHONE) as person:
        page = person.page
        page.goto("/puzzles/next/")
        for move in page.locator(".puzzle-move").all():
            expect(move).to_be_in_viewport(ratio=1)
            box = move.bounding_box()
            assert box is not None
            assert box["height"] >= 44
        has_no_sideways_scroll(page)
        page.locator(".puzzle-move").last.tap()
        expect(page.locator("#verdict")).to_be_visible()
        has_no_sideways_scroll(page)
        person.saw_no_errors()


def test_a_puzzle_works_without_scripts(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url, java_script_enabled=False) as person:
        page = person.page
        page.goto("/puzzles/")
        page.get_by_role("link", name="Start").click()
        page.locator(".puzzle-move").first.click()
        expect(page.locator("#verdict")).to_be_visible()
        page.get_by_role("link", name="Next puzzle").click()
        expect(page.locator(".puzzle-move").first).to_be_visible()
