"""What holds on every page: nothing complains, sticks out, is endless or too small for a finger."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browsing import Person, expect, has_no_sideways_scroll
from tests.support.servers import Site
from tests.support.touring import Tour

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1440, "height": 900}}
NIGHT = {**DESK, "color_scheme": "dark", "reduced_motion": "reduce", "locale": "hi-IN"}
NARROW = PHONE["viewport"]
"""Without a touch screen: a narrow window is treated like a phone."""
SCREENS = {360: 10, 1440: 5}
"""How many screens a page may be long, by the width of the window."""
TO_READ = ("/learn/handbook/replays/",)
"""Texts: as long as they have to be."""

TOO_SMALL = """() => {
  const least = 43.5;
  const targets =
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button]";
  const labelled = "input[type=checkbox], input[type=radio]";
  const labelOf = (input) => input.closest("label") ?? input.labels[0] ?? input;
  const inSentence = (link) => {
    let block = link.parentElement;
    while (getComputedStyle(block).display === "inline") block = block.parentElement;
    const rest = block.cloneNode(true);
    for (const part of rest.querySelectorAll("a, button, svg, .sr-only")) part.remove();
    return rest.textContent.replace(/[^\\p{L}\\p{M}]/gu, "").length >= 12;
  };
  const reach = (element) => {
    const boxes = [element.getBoundingClientRect()];
    for (const name of ["::before", "::after"]) {
      const style = getComputedStyle(element, name);
      if (style.content === "none" || style.position !== "absolute") continue;
      boxes.push({ width: parseFloat(style.width), height: parseFloat(style.height) });
    }
    return ["width", "height"].map((side) => Math.max(...boxes.map((box) => box[side] || 0)));
  };
  return [...document.querySelectorAll(targets)].flatMap((element) => {
    // The marks of a drawing repeat what stands beside it as a table or a list.
    if (element.closest("svg") || !element.checkVisibility({ visibilityProperty: true })) return [];
    const [width, height] = reach(element.matches(labelled) ? labelOf(element) : element);
    if (!width || !height || (width >= least && height >= least)) return [];
    const inline = getComputedStyle(element).display === "inline";
    if (element.matches("a") && inline && inSentence(element)) return [];
    const words = (element.textContent || element.name || "").trim().slice(0, 40);
    const where = element.parentElement.className || element.parentElement.tagName;
    return [`${Math.round(width)}x${Math.round(height)} "${words}" in ${where}`];
  });
}"""
OPEN_ALL = """() => {
  for (const part of document.querySelectorAll("details, dialog")) part.setAttribute("open", "");
}"""
OPEN_DETAILS = "(parts) => parts.forEach((part) => (part.open = true))"
LENGTH = "document.documentElement.scrollHeight"


@pytest.fixture(scope="module")
def tour(chromium: Browser, site: Site) -> Iterator[Tour]:
    """A visitor who has played everything, on a phone."""
    site.manage("record_games", "--games", "30")
    site.manage("load_receipts")
    tour = Tour(chromium, site, **PHONE)
    with tour.person:
        yield tour


@pytest.fixture(scope="module")
def addresses(tour: Tour) -> list[str]:
    """Every address that they know."""
    found = list(dict.fromkeys(tour.addresses()))
    tour.person.saw_no_errors()
    return found


@pytest.fixture
def again(request: pytest.FixtureRequest, chromium: Browser, tour: Tour) -> Iterator[Person]:
    """The same visitor at another screen, with as much left undone as on the first."""
    known: Any = tour.person.context.storage_state()
    with Person(chromium, tour.site.url, **request.param, storage_state=known) as person:
        yield person
        person.saw_no_errors()


def settles(page: Page) -> None:
    """Wait until the page's modules have run: the theme toggle shows itself."""
    toggle = page.locator("[data-behaviour=toggle-theme]")
    if toggle.count():
        expect(toggle).to_be_visible()


def opens(page: Page, address: str) -> None:
    """Go to a page and look whether it is one, as wide as the window."""
    answer = page.goto(address)
    assert answer is not None
    assert answer.ok, f"{address}: {answer.status}"
    settles(page)
    assert page.get_by_role("heading", level=1).count() == 1, address
    has_no_sideways_scroll(page)


def screens(page: Page) -> float:
    """How many windows high the page is."""
    window = page.viewport_size
    assert window is not None
    return float(page.evaluate(LENGTH)) / window["height"]


def too_long(page: Page, address: str) -> list[str]:
    """Say how long it is, if it is longer than it may be."""
    assert page.viewport_size is not None
    long = screens(page)
    is_fine = address in TO_READ or long <= SCREENS[page.viewport_size["width"]]
    return [] if is_fine else [f"{address}: {long:.1f} screens"]


def test_on_a_phone(tour: Tour, addresses: list[str]) -> None:
    faults: list[str] = []
    for address in addresses:
        opens(tour.page, address)
        tour.page.wait_for_load_state("networkidle")
        faults += too_long(tour.page, address)
        if address.startswith(("/sell/", "/replays/")):
            tour.page.locator("details").evaluate_all(OPEN_DETAILS)
            has_no_sideways_scroll(tour.page)
    assert faults == []
    tour.person.saw_no_errors()


def too_small(page: Page, address: str) -> list[str]:
    """Make the window narrow, open what opens, and say what no finger finds."""
    page.set_viewport_size(NARROW)
    page.evaluate(OPEN_ALL)
    return [f"{address}: {one}" for one in page.evaluate(TOO_SMALL)]


@pytest.mark.soak
@pytest.mark.parametrize("again", [DESK], ids=["desk"], indirect=True)
def test_at_a_desk(again: Person, addresses: list[str]) -> None:
    faults: list[str] = []
    for address in addresses:
        again.page.set_viewport_size(DESK["viewport"])
        opens(again.page, address)
        again.page.wait_for_load_state("networkidle")
        faults += too_long(again.page, address)
        faults += too_small(again.page, address)
    assert faults == []


@pytest.mark.soak
@pytest.mark.parametrize("again", [NIGHT], ids=["night"], indirect=True)
def test_by_night_in_hindi(again: Person, addresses: list[str]) -> None:
    faults: list[str] = []
    for address in addresses:
        again.page.set_viewport_size(DESK["viewport"])
        opens(again.page, address)
        faults += too_small(again.page, address)
    assert faults == []


def test_a_small_button_and_a_long_page_are_found(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url, viewport=NARROW) as person:
        person.page.goto("/learn/")
        person.page.evaluate(
            """() => {
              const page = document.querySelector("main");
              page.insertAdjacentHTML("beforeend", "<p><a href='/'>Tiny</a></p>");
              page.style.minHeight = "9000px";
            }"""
        )
        small = person.page.evaluate(TOO_SMALL)
        assert len(small) == 1
        assert '"Tiny"' in small[0]
        assert screens(person.page) > SCREENS[360]


def test_a_page_that_is_not_there_is_a_page_too(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url, **PHONE) as chetan:
        answer = chetan.page.goto("/sell/nothinghere1/")
        assert answer is not None
        assert answer.status == 404
        settles(chetan.page)
        expect(chetan.page.get_by_role("heading", level=1)).to_be_visible()
        has_no_sideways_scroll(chetan.page)
        chetan.saw_no_errors(but="status of 404")


def test_nothing_of_the_admin_login_is_blocked(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url) as chetan:
        chetan.page.goto("/admin/login/")
        expect(chetan.page.get_by_label("Username")).to_be_visible()
        # Django's own page names no icon: Chromium tries the old address, which leads to ours.
        chetan.saw_no_errors()
