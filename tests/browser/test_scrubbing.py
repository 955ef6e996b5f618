"""A replay under the fingers: keys, slider, clock and deep links move everything together."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.support.browsing import Person, expect
from tests.support.haggling import HURRY, walks_from_the_book
from tests.support.servers import Site


@pytest.fixture(scope="module")
def replay(chromium: Browser, site: Site) -> str:
    """Address of a shared game that Asha walked away from after three lines."""
    with Person(chromium, site.url) as asha:
        address = walks_from_the_book(asha, site, HURRY)
        asha.saw_no_errors()
        return address


@pytest.fixture
def bilal(chromium: Browser, site: Site) -> Iterator[Person]:
    """Bilal, who spectates."""
    with Person(chromium, site.url) as person:
        yield person
        person.saw_no_errors()


def slider_of(page: Page) -> Locator:
    return page.get_by_role("slider", name="Event of the haggle")


def is_at(page: Page, index: int) -> None:
    """Slider, place, moment, transcript and chart all show this step."""
    slider = slider_of(page)
    expect(slider).to_have_value(str(index))
    moments = page.locator(".step:visible")
    expect(moments).to_have_count(1)
    words = moments.get_attribute("data-words") or "?"
    expect(slider).to_have_attribute("aria-valuetext", words)
    total = int(slider.get_attribute("max") or 0) + 1
    expect(page.locator("[data-place]")).to_have_text(f"{index + 1} of {total} · {words}")
    newest = page.locator(".replay-talk [data-step]:visible").last
    assert int(newest.get_attribute("data-step") or -1) <= index
    later = int(moments.get_attribute("data-last-seq") or 0)
    shown = page.locator(".replay-chart svg [data-seq]:not(.is-later)")
    numbers = shown.evaluate_all("(marks) => marks.map((mark) => Number(mark.dataset.seq))")
    assert numbers
    assert max(numbers) <= later


def test_arrow_keys_home_and_end_move_everything_together(bilal: Person, replay: str) -> None:
    page = bilal.page
    page.goto(replay)
    last = int(slider_of(page).get_attribute("max") or 0)
    is_at(page, 0)
    for key, index in (
        ("End", last),
        ("ArrowLeft", last - 1),
        ("ArrowLeft", last - 2),
        ("ArrowRight", last - 1),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("ArrowRight", 1),
        ("End", last),
        ("ArrowRight", last),
    ):
        page.keyboard.press(key)
        is_at(page, index)


def test_how_it_was_played_is_told_once_its_end_is_known(bilal: Person, replay: str) -> None:
    page = bilal.page
    grades = page.locator("#grades")
    page.goto(replay)
    is_at(page, 0)
    expect(grades).to_be_hidden()
    page.keyboard.press("End")
    expect(grades).to_be_visible()
    page.keyboard.press("Home")
    expect(grades).to_be_visible()
    page.reload()
    is_at(page, 0)
    expect(grades).to_be_hidden()
    page.locator(".replay-ending > summary").click()
    expect(grades).to_be_visible()


def test_the_slider_with_the_focus_moves_one_step_for_one_key(bilal: Person, replay: str) -> None:
    page = bilal.page
    page.goto(replay)
    slider_of(page).focus()
    page.keyboard.press("Home")
    for index in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        is_at(page, index)


def test_the_address_of_a_moment_opens_that_moment(bilal: Person, replay: str) -> None:
    page = bilal.page
    page.goto(replay)
    expect(slider_of(page)).to_be_visible()
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    seq = page.locator(".step:visible").get_attribute("data-seq")
    expect(page).to_have_url(f"{bilal.url}{replay}#{seq}")
    page.reload()
    is_at(page, 3)
    page.goto(f"{replay}?seq={seq}")
    is_at(page, 3)


def test_play_runs_to_the_end_and_stops(bilal: Person, replay: str) -> None:
    page = bilal.page
    page.clock.install()
    page.goto(replay)
    last = int(slider_of(page).get_attribute("max") or 0)
    play = page.get_by_role("button", name="Play")
    play.click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    is_at(page, 0)
    page.clock.fast_forward(10_000)
    is_at(page, 1)
    page.clock.run_for(60_000)
    is_at(page, last)
    expect(play).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (360, 740)])
def test_slider_chart_and_bubble_share_one_screen(
    chromium: Browser, site: Site, replay: str, width: int, height: int
) -> None:
    size = {"width": width, "height": height}
    with Person(chromium, site.url, viewport=size, is_mobile=width < 500) as person:
        page = person.page
        page.goto(replay)
        expect(page.locator(".grades-done")).to_be_attached()  # its marks make bubbles taller
        slider_of(page).focus()
        for key in ("Home", "ArrowRight", "ArrowRight", "ArrowRight", "End"):
            page.keyboard.press(key)
            expect(slider_of(page)).to_be_in_viewport(ratio=1)
            expect(page.locator(".replay-chart svg")).to_be_in_viewport(ratio=1)
            bubble = page.locator(".replay-talk li:visible").last
            expect(bubble).to_be_in_viewport(ratio=0.75)  # a long one scrolls in its box
            assert page.evaluate("scrollY") == 0
        talk, bar = (page.locator(one).bounding_box() for one in (".transcript", "nav.places"))
        assert talk is not None
        assert bar is not None
        hidden_from = bar["y"] if bar["y"] > height / 2 else height
        assert talk["y"] + talk["height"] <= hidden_from
        person.saw_no_errors()
