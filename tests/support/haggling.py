"""A person at the sell pages: what they read there, and how they answer."""

import re
from collections.abc import Iterable

from playwright.sync_api import Locator, Page, expect

from tests.support.browsing import Person, listens
from tests.support.servers import Site

BOOK = "R D Sharma, Mathematics for class 10"
"""A thing of the catalogue at 180 rupees; its reservation price is 80.85."""

LOW_BUDGET = range(11_000, 14_400)
"""Budgets in paise below every ask of ``SLOPPY``: Sauda can neither take one of those asks nor,
before round nine, leave. From round two on its bids are above the book's reservation price."""

SLOPPY = (
    ("im sorry 170 and im making a loss, theres 3 other offers that ive got", 170),
    ("plz bhai 165 last, cover gaya hai par andar sab hai", 165),
    ("160??? my cousin wud pay that only", 160),
    ("ok ok 155 but come today itself", 155),
    ("haan 150 , dont tell anyone", 150),
    ("145 final.. no lower yaar", 145),
)
"""Lines of a seller in a hurry, each with the ask that is in it, in rupees."""

HURRY = tuple(words for words, _ in SLOPPY[:3])
"""The first of these lines, without the asks."""

GAME_ADDRESS = re.compile(r"/sell/[0-9A-Za-z_-]{6,}/$")


class Haggle:
    """The game page in one tab; every method waits until the page shows what it is about."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.standing = page.locator("#sale-standing")
        self.bids = page.locator("#transcript [data-actor=buyer][data-kind=offer]")
        self.asks = page.locator("#transcript [data-actor=seller][data-kind=offer]")
        self.words = page.get_by_role("textbox", name="Your words to Sauda")
        self.send = page.get_by_role("button", name="Send", exact=True)
        self.sheet = page.locator("#sale-outcome section")

    @property
    def game_id(self) -> str:
        """Id of the game this tab is at."""
        return self.page.url.split("?")[0].rstrip("/").split("/")[-1]

    def my_turn(self, round_: int) -> None:
        """Sauda has bid in this round, and every part of the page knows."""
        expect(self.bids).to_have_count(round_)
        newest = self.bids.nth(round_ - 1).get_attribute("data-seq") or ""
        expect(self.standing).to_have_attribute("data-seq", newest)
        expect(self.standing).to_have_attribute("data-turn", "seller")

    def says(self, words: str) -> None:
        """Write, and send with Enter."""
        self.words.fill(words)
        self.words.press("Enter")

    def asked(self, price: int) -> None:
        """The ask that stands is this one."""
        expect(self.standing.locator(".is-ask")).to_contain_text(f"₹{price}")

    def said(self) -> str:
        """The seller's newest words, without the reasons that hang below the tells."""
        return str(
            self.asks.last.locator(".words").evaluate(
                """(words) => {
                  const copy = words.cloneNode(true);
                  for (const why of copy.querySelectorAll(".why")) why.remove();
                  return copy.textContent;
                }"""
            )
        )

    def walks(self) -> None:
        """Leave, and mean it."""
        listens(self.page)
        dialog = self.page.get_by_role("dialog", name="Walk away?")
        self.page.get_by_role("button", name="Walk away").click()
        try:
            expect(dialog).to_be_visible(timeout=3_000)
        except AssertionError:
            # On a busy machine the buttons may be redrawn under the finger; people press again.
            self.page.get_by_role("button", name="Walk away").click()
        dialog.get_by_role("button", name="Walk away").click()
        self.ended("You walked away")

    def ended(self, headline: str | re.Pattern[str]) -> None:
        """The outcome sheet is there."""
        expect(self.sheet.get_by_role("heading", level=2)).to_have_text(headline)
        expect(self.words).to_be_hidden()

    def connection(self, state: str) -> None:
        """The lamp says this about the line."""
        expect(self.page.locator("[data-connection]")).to_have_attribute("data-state", state)

    def numbers(self) -> list[int]:
        """Sequence numbers of what the transcript shows, from the top."""
        items: Locator = self.page.locator("#transcript [data-seq]")
        return [int(item.get_attribute("data-seq") or 0) for item in items.all()]


def sells_the_book(
    person: Person, site: Site, *, share: bool = False, scripts: bool = True
) -> Haggle:
    """Open the page of a game over the book in which the sealed budget is a low one."""
    game_id = opens_the_book(person, site, share=share)
    person.page.goto(f"/sell/{game_id}/")
    haggle = Haggle(person.page)
    if scripts:
        haggle.connection("live")
    haggle.my_turn(1)
    return haggle


def walks_from_the_book(person: Person, site: Site, lines: Iterable[str]) -> str:
    """Sell the book for all to see, leave after these lines, and give the replay's address."""
    haggle = sells_the_book(person, site, share=True)
    for at, words in enumerate(lines, start=2):
        haggle.says(words)
        haggle.my_turn(at)
    haggle.walks()
    return f"/replays/{haggle.game_id}/"


def opens_the_book(person: Person, site: Site, *, share: bool = False) -> str:
    """Open games over the book until the sealed budget is a low one, and give its id."""
    listing = site.query("select id from negotiation_listing where title = %s", BOOK)[0][0]
    http = person.context.request
    http.get("/")
    cookies = {cookie.get("name"): cookie.get("value", "") for cookie in person.context.cookies()}
    while True:
        answer = http.post(
            "/api/sell/",
            data={"listing": listing, "share_replay": share},
            headers={"X-CSRFToken": cookies["csrftoken"]},
        )
        assert answer.status == 201, answer.text()
        game_id = str(answer.json()["id"])
        if site.scenario(game_id).sealed.budget in LOW_BUDGET:
            return game_id


def starts(person: Person, *, share: bool = False) -> Haggle:
    """Press start on the page of a brief or of an own item."""
    if share:
        person.page.get_by_role("checkbox", name="Show the replay to others").check()
    person.page.get_by_role("button", name="Start the haggle").click()
    expect(person.page).to_have_url(GAME_ADDRESS)
    return Haggle(person.page)
