"""What holds on every page: nothing in the console, nothing blocked, nothing sticking out."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browsing import Person, expect, has_no_sideways_scroll
from tests.support.haggling import SLOPPY, sells_the_book
from tests.support.servers import Site
from training.pages.public.views import PARTS

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1440, "height": 900}}
NIGHT = {**DESK, "color_scheme": "dark", "reduced_motion": "reduce"}


class Tour:
    """A visitor with a live game, a finished one that is shared, and one that is not."""

    def __init__(self, chromium: Browser, site: Site, **context: Any) -> None:
        self.person = Person(chromium, site.url, **context)
        self.site = site
        self.page = self.person.page

    def plays(self, *, share: bool, walk: bool) -> str:
        haggle = sells_the_book(self.person, self.site, share=share)
        for at, (words, _) in enumerate(SLOPPY[:2], start=2):
            haggle.says(words)
            haggle.my_turn(at)
            has_no_sideways_scroll(self.page)
        if walk:
            haggle.walks()
            has_no_sideways_scroll(self.page)
        return haggle.game_id

    def asks_what_if(self, game_id: str) -> str:
        """Let Sauda walk away at once in a finished game; gives the address of that branch."""
        self.page.goto(f"/replays/{game_id}/?seq=2")
        self.page.locator("#what-if").get_by_role("button", name="walked away").click()
        expect(self.page.locator(".answer")).to_be_visible()
        return self.page.url.removeprefix(self.site.url)

    def matches(self) -> list[str]:
        """A match that is on, one that waits with free seats, and the replay of one that ended."""
        self.page.goto("/arena/")
        self.page.locator("#start > summary").click()
        self.page.get_by_role("button", name="Open the match").click()
        self.page.wait_for_selector("#outcome-title", timeout=120_000)
        has_no_sideways_scroll(self.page)
        replay = self.page.get_by_role("link", name="Watch the replay").get_attribute("href")
        self.page.goto("/arena/")
        links = self.page.locator(".on-now a, .lobby-next .next-item a").all()
        return [replay or "", *(link.get_attribute("href") or "" for link in links)]

    def markets(self) -> list[str]:
        """A market that this visitor plays, and one that has ended with its other worlds."""
        self.page.goto("/market/tasks/")
        self.page.get_by_label("Who plays Aravalli Lab?").select_option("you")
        self.page.get_by_role("button", name="Open the market").click()
        self.page.wait_for_selector("[data-yours]")
        own = self.page.url.removeprefix(self.site.url)
        self.page.goto("/market/tasks/")
        self.page.get_by_role("button", name="Open the market").click()
        self.page.wait_for_selector("#result-title", timeout=120_000)
        ended = self.page.url.removeprefix(self.site.url)
        turn = self.page.locator(".turns a").first.get_attribute("href") or ""
        return [own, ended, f"{ended}twin/", f"{ended}twin/?shock=0", turn]

    def addresses(self) -> list[str]:
        """Every page of the site that a visitor can open."""
        live = self.plays(share=False, walk=False)
        ended = self.plays(share=True, walk=True)
        listing = self.site.query("select max(id) from negotiation_listing")[0][0]
        return [
            *(
                "/",
                "/evidence/",
                "/evidence/how/",
                "/sell/",
                "/sell/?q=saree",
                "/sell/?q=nothinglikethis",
                "/sell/new/",
            ),
            *(f"/sell/new/?listing={listing}", f"/sell/{live}/", f"/sell/{ended}/"),
            *("/replays/", "/replays/?q=nothinglikethis", f"/replays/{ended}/"),
            *(
                "/replays/?source=what-if&sort=price&mine=1",
                "/replays/import/",
                "/leaderboard/",
                "/leaderboard/suites/",
                "/leaderboard/people/",
                "/training/",
                *(f"/training/{part}/" for part in PARTS),
                "/voices/",
                "/daily/",
                "/bots/",
            ),
            *(f"/replays/{ended}/?seq=2", self.asks_what_if(ended)),
            *("/buy/", "/buy/?q=saree", f"/buy/new/?listing={listing}"),
            *("/arena/", f"/arena/?listing={listing}", *self.matches()),
            *("/market/", "/market/tasks/", "/market/rewards/", "/market/judge/"),
            *("/market/actions/", "/market/results/", "/market/lab/", *self.markets()),
        ]


@pytest.fixture(params=[PHONE, DESK, NIGHT], ids=["phone", "desk", "night"])
def tour(request: pytest.FixtureRequest, chromium: Browser, site: Site) -> Iterator[Tour]:
    tour = Tour(chromium, site, **request.param)
    with tour.person:
        yield tour


def settles(page: Page) -> None:
    """Wait until the page's modules have run: the theme toggle shows itself."""
    toggle = page.locator("[data-behaviour=toggle-theme]")
    if toggle.count():
        expect(toggle).to_be_visible()


def test_no_page_complains_or_sticks_out(tour: Tour) -> None:
    for address in tour.addresses():
        answer = tour.page.goto(address)
        assert answer is not None
        assert answer.ok, f"{address}: {answer.status}"
        settles(tour.page)
        assert tour.page.get_by_role("heading", level=1).count() == 1, address
        has_no_sideways_scroll(tour.page)
    tour.person.saw_no_errors()


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


def test_everything_open_still_fits_a_phone(chromium: Browser, site: Site) -> None:
    tour = Tour(chromium, site, **PHONE)
    with tour.person:
        game_id = tour.plays(share=True, walk=True)
        for address in (f"/sell/{game_id}/", f"/replays/{game_id}/"):
            tour.page.goto(address)
            settles(tour.page)
            tour.page.locator("details").evaluate_all(
                "(parts) => parts.forEach((part) => (part.open = true))"
            )
            has_no_sideways_scroll(tour.page)
        tour.person.saw_no_errors()
