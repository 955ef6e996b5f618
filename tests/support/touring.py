"""A visitor who has played everything once, and the address of every page they can open."""

from typing import Any

from playwright.sync_api import Browser

from tests.support.browsing import Person, expect, has_no_sideways_scroll
from tests.support.haggling import SLOPPY, Haggle, sells_the_book
from tests.support.servers import Site
from training.pages.public.views import PARTS


class Tour:
    """A visitor with a live game, a finished one that is shared, and one that is not."""

    def __init__(self, chromium: Browser, site: Site, **context: Any) -> None:
        self.person = Person(chromium, site.url, **context)
        self.site = site
        self.page = self.person.page

    def plays(self, *, share: bool, walk: bool) -> str:
        haggle = sells_the_book(self.person, self.site, share=share)
        for at, (words, _) in enumerate(SLOPPY[:1], start=2):
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
            *("/puzzles/", "/puzzles/next/", self.puzzle(), *self.daily()),
            *("/learn/", "/learn/people/", "/learn/handbook/", "/learn/handbook/replays/"),
            *("/search/", "/search/?q=cooker", "/offline/", *self.purchases(listing)),
            *self.records(),
            *self.shared(live, listing),
            *self.seats(),
        ]

    def puzzle(self) -> str:
        """A puzzle that has an answer already."""
        self.page.goto("/puzzles/next/")
        self.page.locator("button[name=choice]").first.click()
        expect(self.page.locator("button[name=choice]")).to_have_count(0)
        self.page.goto("/puzzles/next/")
        return self.page.url.removeprefix(self.site.url)

    def daily(self) -> list[str]:
        """Today's game after its end, and the card to pass on."""
        self.page.goto("/daily/")
        self.page.get_by_role("button", name="Play today's game").click()
        self.page.wait_for_selector("#transcript [data-actor=buyer]")
        own = self.page.url.removeprefix(self.site.url)
        Haggle(self.page).walks()
        self.page.goto("/daily/")
        told = self.page.locator("#daily-text").input_value()
        return ["/daily/", own, told.split(self.site.url)[-1].strip()]

    def purchases(self, listing: int) -> list[str]:
        """A purchase that is on, and one that has ended."""
        found = []
        for ends in (False, True):
            self.page.goto(f"/buy/new/?listing={listing}")
            self.page.get_by_role("button", name="Start the haggle").click()
            self.page.wait_for_selector("#sale-standing")
            found.append(self.page.url.removeprefix(self.site.url))
            if ends:
                Haggle(self.page).walks()
        return found

    def records(self) -> list[str]:
        """A receipt and a run, where any is published."""
        found = []
        for page, kind in (("/training/receipts/", "receipts"), ("/training/runs/", "runs")):
            self.page.goto(page)
            links = self.page.locator(f"main a[href^='/training/{kind}/']:not([href*='.'])")
            found += [page, *(link.get_attribute("href") or "" for link in links.all()[:1])]
        return found

    def shared(self, live: str, listing: int) -> list[str]:
        """A game that a friend watches, and a table for two that waits for one."""
        self.page.goto(f"/sell/{live}/")
        self.page.get_by_role("button", name="Let a friend watch").click()
        watched = self.page.locator("#guests-link").input_value().removeprefix(self.site.url)
        self.page.goto(f"/sell/new/?listing={listing}")
        self.page.locator("details").evaluate_all("(all) => all.map((one) => (one.open = true))")
        self.page.get_by_label("Your name at the table").fill("Asha")
        self.page.get_by_role("button", name="Make the link").click()
        self.page.wait_for_selector("#friend-link")
        return [watched, self.page.url.removeprefix(self.site.url)]

    def seats(self) -> list[str]:
        """A chair in a match, and the first trade of a lab."""
        found = []
        for page, name, seated in (
            ("/arena/", "Take a seat", "#match-seat"),
            ("/market/", "Make your first trade", "#market-board"),
        ):
            self.page.goto(page)
            self.page.get_by_role("button", name=name).first.click()
            self.page.wait_for_selector(seated)
            found.append(self.page.url.removeprefix(self.site.url))
        return found
