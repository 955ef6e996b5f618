"""A puzzle by keyboard, by thumb, and without scripts."""

import re

from playwright.sync_api import Browser, Route

from tests.support.browsing import Person, expect, has_no_sideways_scroll, listens
from tests.support.haggling import HURRY, walks_from_the_book
from tests.support.servers import Site

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def test_a_puzzle_is_solved_by_keyboard_and_the_next_one_follows(asha: Person) -> None:
    page = asha.page
    page.goto("/puzzles/")
    page.get_by_role("link", name="Start").click()
    expect(page.locator(".puzzle")).to_be_visible()
    listens(page)
    first = page.url
    page.keyboard.press("1")
    expect(page.locator("#verdict")).to_be_visible()
    listens(page)
    assert page.url == first
    expect(page.locator(".puzzle-worth.is-best")).to_have_count(1)
    page.keyboard.press("Shift+N")
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


def test_when_the_minute_is_over_there_is_no_hurry_any_more(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url) as person:
        page = person.page
        page.clock.install()
        page.goto("/puzzles/next/")
        clock = page.locator("[data-clock]")
        listens(page)
        page.clock.fast_forward(30_000)
        expect(clock).to_have_text(re.compile(r"^\d+ s$"))
        page.clock.fast_forward(31_000)
        expect(clock).to_have_text("Take your time now")
        expect(page.locator("[data-late]")).to_be_visible()
        person.saw_no_errors()


def test_the_clock_counts_in_the_words_of_the_page(asha: Person) -> None:
    """As in a language that puts the number between two words."""

    def translated(route: Route) -> None:
        response = route.fetch()
        words = '<i data-text="{seconds} s">noch {seconds} Sekunden</i>'
        body = f'<template id="script-words">{words}</template></body>'
        # Time enough for a busy machine to look.
        page_of_it = re.sub(r'data-(left|seconds)="\d+"', r'data-\1="600"', response.text())
        route.fulfill(response=response, body=page_of_it.replace("</body>", body))

    page = asha.page
    page.goto("/puzzles/next/")
    page.route(page.url, translated)
    page.reload()
    expect(page.locator("[data-clock]")).to_have_text(re.compile(r"^noch \d+ Sekunden$"))


def test_the_moves_can_be_pressed_again_on_a_page_that_comes_back(asha: Person) -> None:
    page = asha.page
    page.goto("/puzzles/next/")
    listens(page)
    # The answer is on its way, and the page stays: as it lies in the history when one goes on.
    page.route("**/answer/**", lambda route: route.fulfill(status=204))
    move = page.locator(".puzzle-move").first
    move.click()
    expect(move).to_be_disabled()
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(move).to_be_enabled()
    expect(page.locator(".is-pressed")).to_have_count(0)
    page.unroute("**/answer/**")
    move.click()
    expect(page.locator("#verdict")).to_be_visible()


def test_a_move_that_cost_much_waits_as_a_puzzle_once_it_has_grades(
    asha: Person, site: Site
) -> None:
    """From the table to the puzzle, with the site's own grader."""
    address = walks_from_the_book(asha, site, HURRY)
    page = asha.page
    page.goto(address)
    expect(page.locator(".grades-done")).to_be_attached()
    page.goto("/puzzles/you/")
    expect(page.get_by_text("Comes back on")).to_be_visible()
    site.execute("update replays_lesson set due = %s", "2026-01-01 00:00:00")  # a day goes by
    page.reload()
    page.get_by_role("link", name="1 to solve now").click()
    expect(page.get_by_role("heading", name="Your move")).to_be_visible()
    assert "/puzzles/you/" in page.url
    listens(page)
    page.keyboard.press("1")
    expect(page.locator("#verdict")).to_be_visible()
    expect(page.get_by_text(re.compile(r"[01] of 2 solved"))).to_be_visible()
