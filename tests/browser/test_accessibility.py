"""Nothing that axe calls serious stands on any page, by day and by night."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.support.browsing import Person, serious_faults
from tests.support.haggling import SLOPPY, sells_the_book
from tests.support.servers import Site

PAGES = (
    "/",
    "/sell/",
    "/sell/new/",
    "/buy/",
    "/arena/",
    "/market/",
    "/replays/",
    "/replays/import/",
    "/puzzles/",
    "/puzzles/next/",
    "/puzzles/you/",
    "/learn/",
    "/learn/handbook/",
    "/learn/handbook/replays/",
    "/search/?q=cooker",
    "/leaderboard/",
    "/training/",
    "/evidence/",
    "/voices/",
    "/daily/",
    "/bots/",
    "/rooms/",
    "/account/login/",
)


@pytest.fixture
def asha(chromium: Browser, site: Site) -> Iterator[Person]:
    desk = {"viewport": {"width": 1280, "height": 900}}
    with Person(chromium, site.url, **desk, reduced_motion="reduce") as person:
        yield person


def test_no_page_has_a_serious_fault(asha: Person, site: Site) -> None:
    haggle = sells_the_book(asha, site, share=True)
    haggle.says(SLOPPY[0][0])
    haggle.my_turn(2)
    faults = _faults(asha, "a live sale")
    haggle.walks()
    faults += _faults(asha, "a finished sale")
    for address in (f"/replays/{haggle.game_id}/", *PAGES):
        asha.page.goto(address)
        faults += _faults(asha, address)
    assert faults == []


def _faults(person: Person, where: str) -> list[str]:
    return [f"{where}: {one}" for one in serious_faults(person.page)]


def test_a_planted_fault_is_found_by_day_and_by_night(asha: Person) -> None:
    asha.page.goto("/learn/")
    asha.page.evaluate(
        """() => {
          const page = document.querySelector("main");
          page.append(document.createElement("button"));
          const words = document.createElement("p");
          words.id = "dim";
          words.textContent = "Hard to read by night";
          words.style.color = "light-dark(#000, #333)";
          page.append(words);
        }"""
    )
    nameless, dim = _faults(asha, "/learn/")
    assert "button-name" in nameless
    assert "color-contrast" in dim
    assert "Hard to read" in dim
