"""Nothing that axe calls serious stands on any page, by day and by night."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.support.browsing import Person
from tests.support.haggling import SLOPPY, sells_the_book
from tests.support.servers import Site

SERIOUS = ("serious", "critical")
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


@pytest.fixture(params=["light", "dark"])
def asha(request: pytest.FixtureRequest, chromium: Browser, site: Site) -> Iterator[Person]:
    desk = {"viewport": {"width": 1280, "height": 900}, "color_scheme": request.param}
    with Person(chromium, site.url, **desk, reduced_motion="reduce") as person:
        yield person


def test_no_page_has_a_serious_fault(asha: Person, site: Site) -> None:
    haggle = sells_the_book(asha, site, share=True)
    haggle.says(SLOPPY[0][0])
    haggle.my_turn(2)
    faults = _faults(asha, "a live sale")
    haggle.walks()
    faults += _faults(asha, "a finished sale")
    asha.page.goto(f"/replays/{haggle.game_id}/")
    faults += _faults(asha, "a replay")
    for address in PAGES:
        asha.page.goto(address)
        faults += _faults(asha, address)
    assert faults == []


def _faults(person: Person, where: str) -> list[str]:
    found = Axe().run(person.page).response["violations"]
    return [
        f"{where}: {one['id']} ({one['help']}) at {one['nodes'][0]['target']}"
        for one in found
        if one["impact"] in SERIOUS
    ]


def test_a_planted_fault_is_found(asha: Person) -> None:
    asha.page.goto("/learn/")
    asha.page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert [fault for fault in _faults(asha, "/learn/") if "button-name" in fault]
