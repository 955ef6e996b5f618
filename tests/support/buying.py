"""A person at the buy pages: what they read there, and how they answer."""

import re

from playwright.sync_api import Page, expect

from tests.support.browsing import Person
from tests.support.haggling import Haggle
from tests.support.servers import Site

BIKE = "Royal Enfield Classic 350, 2019, gunmetal"
"""A thing of the catalogue at 1,38,000 rupees. Its seller keeps it below 78,771 rupees in any game,
and a bid from 69,000 rupees is no insult: between the two nobody sells and nobody walks."""

ASKED = 138_000
SAFE_BIDS = (70_000, 71_500, 73_000, 74_500, 76_000)
"""Bids in rupees that every seller answers with a counter."""

SLOPPY = (
    ("bhaiya 70k dunga, itna hi hai mere pas", 70_000),
    ("ok 71500 cash abhi ke abhi", 71_500),
    ("73000!! my frnd got same bike for less only", 73_000),
)
"""Lines of a buyer in a hurry, each with the bid that is in it, in rupees."""

PURCHASE_ADDRESS = re.compile(r"/buy/[0-9A-Za-z_-]{6,}/$")


class Purchase(Haggle):
    """The game page of a buyer; every method waits until the page shows what it is about."""

    def __init__(self, page: Page, keeper: str = "Meena") -> None:
        super().__init__(page)
        self.words = page.get_by_role("textbox", name=f"Your words to {keeper}")

    def my_turn(self, round_: int) -> None:
        """The seller has answered the round before, and every part of the page knows."""
        expect(self.asks).to_have_count(round_ - 1)
        expect(self.standing).to_have_attribute("data-turn", "buyer")
        expect(self.standing).to_contain_text(f"Round {round_},")

    def bid(self, price: int) -> None:
        """The bid that stands is this one."""
        expect(self.standing.locator(".is-bid b")).to_have_text(indian(price))


def indian(price: int) -> str:
    """Write a price below a crore as the page does."""
    tail, head = f"{price % 1000:03d}", price // 1000
    if head < 100:
        return f"₹{head},{tail}"
    return f"₹{head // 100},{head % 100:02d},{tail}"


def starts_buying(person: Person, *, share: bool = False) -> None:
    """Press start on the page of a stall and a budget."""
    if share:
        person.page.get_by_role("checkbox", name="Show the replay to others").check()
    person.page.get_by_role("button", name="Start the haggle").click()
    expect(person.page).to_have_url(PURCHASE_ADDRESS)


def buys_the_bike(
    person: Person,
    site: Site,
    *,
    share: bool = False,
    scripts: bool = True,
    budget: int = ASKED,
) -> Purchase:
    """Open the page of a purchase of the bike from Meena."""
    listing = site.query("select id from negotiation_listing where title = %s", BIKE)[0][0]
    http = person.context.request
    http.get("/")
    cookies = {cookie.get("name"): cookie.get("value", "") for cookie in person.context.cookies()}
    answer = http.post(
        "/api/buy/",
        data={"listing": listing, "share_replay": share, "budget": budget},
        headers={"X-CSRFToken": cookies["csrftoken"]},
    )
    assert answer.status == 201, answer.text()
    person.page.goto(f"/buy/{answer.json()['id']}/")
    purchase = Purchase(person.page)
    if scripts:
        purchase.connection("live")
    purchase.my_turn(1)
    return purchase
