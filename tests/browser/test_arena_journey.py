"""One evening in the arena: watch, sit down, win, and ask what if, as a person would."""

import re
from collections.abc import Iterator
from itertools import count

import pytest
from playwright.sync_api import Browser, Page

from arena.auction.web.orders import prices_of
from bazaarbatna.auction.making import make_match
from bazaarbatna.auction.scenario import Seat
from negotiation.models import Listing
from tests.support.browsing import IN_MOTION, Person, expect
from tests.support.servers import Site

RIVALS = ("rules:aggressive", "rules:smart", "sauda")
BALL = "Nivia Storm football, size 5"
MATCH_MS = 60_000


@pytest.fixture
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site whose matches take seconds, not minutes."""
    folder = tmp_path_factory.mktemp("evening")
    with Site(folder, BAZAAR_ARENA_PAUSE_S="0.4", BAZAAR_ARENA_GAP_S="3") as site:
        yield site


@pytest.fixture
def asha(chromium: Browser, evening: Site) -> Iterator[Person]:
    with Person(chromium, evening.url, **IN_MOTION) as person:
        yield person
        person.saw_no_errors()


def generous_seed(site: Site) -> int:
    """A seed that gives the first seat a budget close to the opening ask of the football."""
    sql = "SELECT list_price, street_price, title FROM negotiation_listing WHERE title = %s"
    [(list_price, street_price, title)] = site.query(sql, BALL)
    ball = Listing(title=title, list_price=list_price, street_price=street_price)
    seats = tuple(Seat(name, name, "") for name in ("person", *RIVALS))
    for seed in count():
        match = make_match(prices_of(ball, seed), seats, "default", seed)
        mine, *others = match.sealed.budgets
        if mine > 0.97 * match.anchor and max(others) < 0.9 * mine:
            return seed
    raise AssertionError


def sits_down(page: Page, seed: int) -> None:
    page.goto("/arena/")
    page.locator("#start > summary").click()
    page.get_by_label("Search the stall").fill("football")
    page.get_by_role("radio", name=BALL).check()
    for number, who in enumerate(("person", *RIVALS), start=1):
        page.get_by_label(f"Seat {number}").select_option(who)
    page.get_by_role("radio", name="Even-tempered").check()
    page.get_by_label("Seed").fill(str(seed))
    page.get_by_role("button", name="Open the match").click()


def seals(page: Page, round_: int, price: str) -> None:
    expect(page.locator("#match-seat")).to_have_attribute("data-turn", "yours")
    expect(page.locator("#match-seat")).to_have_attribute("data-round", str(round_))
    page.get_by_label("Your bid").fill(price)
    page.get_by_role("button", name="Seal it").click()


def test_from_the_first_look_to_a_shared_what_if(
    asha: Person, chromium: Browser, evening: Site
) -> None:
    page = asha.page

    # Watch a match to its end.
    page.goto("/arena/")
    page.locator(".on-now h3 a").click(timeout=MATCH_MS)
    expect(page.get_by_role("link", name="Watch the replay")).to_be_visible(timeout=MATCH_MS)

    # Take a seat and win.
    sits_down(page, generous_seed(evening))
    seals(page, 1, "100")
    seals(page, 2, "150")
    seals(page, 3, "200")
    expect(page.locator("#match-seat")).to_have_attribute("data-round", "4")
    page.get_by_role("button", name=re.compile("^Take it at")).click()
    expect(page.locator("[data-outcome]")).to_contain_text("You", timeout=MATCH_MS)
    # The house opens matches of its own meanwhile, now and then about a football too.
    own = "SELECT outcome FROM negotiation_game WHERE title = %s AND owner <> ''"
    assert evening.query(own, BALL) == [("deal",)]

    # Open the replay and scrub it with the keyboard.
    page.get_by_role("link", name="Watch the replay").click()
    slider = page.get_by_role("slider")
    expect(slider).to_be_visible()
    page.keyboard.press("Home")
    expect(slider).to_have_value("0")
    words = page.locator(".step:visible .step-words")
    for _ in range(40):
        if "Round 3" in words.inner_text():
            break
        page.keyboard.press("ArrowRight")
    expect(words).to_contain_text("Round 3")

    # What if it had been 175 at turn three?
    step = page.locator(".step:visible")
    chair = step.get_by_label("this buyer had")
    chair.select_option(chair.locator("option", has_text="Visitor").get_attribute("value"))
    step.get_by_label("bid").fill("175")
    step.get_by_role("button", name="See").click()
    page.wait_for_url(re.compile(r"/replays/[a-z0-9]{12}/"))
    answer = page.locator(".answer")
    expect(answer).to_contain_text("175")
    expect(answer.locator(".answer-verdict")).to_contain_text("This move, played on: about")
    expect(answer.locator(".answer-difference")).to_contain_text("Visitor")
    expect(answer.locator(".answer-difference")).to_contain_text("100")

    # Share it; a stranger opens the link in a clean browser.
    link = page.get_by_label("Link", exact=False).first.input_value()
    with Person(chromium, evening.url) as bilal:
        bilal.page.goto(link)
        expect(bilal.page.locator(".answer")).to_contain_text("175")
        image = bilal.page.locator('meta[property="og:image"]').get_attribute("content")
        assert image
        picture = bilal.page.request.get(image)
        assert picture.headers["content-type"] == "image/png"
        bilal.saw_no_errors()
