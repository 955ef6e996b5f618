"""On a phone everything that is tapped is as large as a fingertip, and no page is endless."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browsing import Person
from tests.support.servers import Site
from tests.support.touring import Tour

PHONE = {"viewport": {"width": 360, "height": 740}}
"""Without a touch screen: a narrow window is treated like a phone."""
DESK = {"viewport": {"width": 1440, "height": 900}}
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
LENGTH = "document.documentElement.scrollHeight"


@pytest.fixture(scope="module")
def visited(chromium: Browser, site: Site) -> Iterator[tuple[Tour, list[str]]]:
    """A visitor who has played everything, and every address that they know."""
    site.manage("record_games", "--games", "30", "--if-empty")
    site.manage("load_receipts")
    tour = Tour(chromium, site, **DESK)
    with tour.person:
        yield tour, list(dict.fromkeys(tour.addresses()))


def screens(page: Page) -> float:
    """How many windows high the page is."""
    window = page.viewport_size
    assert window is not None
    return float(page.evaluate(LENGTH)) / window["height"]


@pytest.mark.parametrize("language", ["en-GB", "hi-IN"])
def test_whatever_is_tapped_is_as_large_as_a_fingertip(
    visited: tuple[Tour, list[str]], chromium: Browser, language: str
) -> None:
    tour, addresses = visited
    faults: list[str] = []
    known = tour.person.context.storage_state()
    with Person(chromium, tour.site.url, **PHONE, storage_state=known, locale=language) as person:
        for address in addresses:
            person.page.goto(address)
            person.page.evaluate(OPEN_ALL)
            faults += [f"{address}: {one}" for one in person.page.evaluate(TOO_SMALL)]
    assert faults == []


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_no_page_is_endless(
    visited: tuple[Tour, list[str]], chromium: Browser, size: dict[str, dict[str, int]]
) -> None:
    tour, addresses = visited
    faults: list[str] = []
    known = tour.person.context.storage_state()
    most = SCREENS[size["viewport"]["width"]]
    with Person(chromium, tour.site.url, **size, storage_state=known) as person:
        for address in addresses:
            if address not in TO_READ:
                person.page.goto(address, wait_until="networkidle")
                long = screens(person.page)
                faults += [f"{address}: {long:.1f} screens"] if long > most else []
    assert faults == []


def test_a_small_button_and_a_long_page_are_found(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url, **PHONE) as person:
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
