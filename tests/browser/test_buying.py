"""The other side of the table: a person buys, with a mouse, with keys, without scripts."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, WebSocketRoute

from tests.browser.test_keyboard import goes_to
from tests.support.browsing import A_PRESS_MS, Person, expect, has_no_sideways_scroll
from tests.support.buying import (
    ASKED,
    BIKE,
    SAFE_BIDS,
    SLOPPY,
    Purchase,
    buys_the_bike,
    indian,
    starts_buying,
)
from tests.support.servers import Site

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def bilal(chromium: Browser, site: Site) -> Iterator[Person]:
    """Bilal, who buys; nothing may go wrong in his console."""
    with Person(chromium, site.url) as person:
        yield person
        person.saw_no_errors()


@pytest.fixture
def plain(chromium: Browser, site: Site) -> Iterator[Person]:
    """Bilal, whose browser runs no scripts."""
    with Person(chromium, site.url, java_script_enabled=False) as person:
        yield person
        person.saw_no_errors(but="status of 4")


def chooses_the_bike(person: Person) -> None:
    """From the landing page to the stalls."""
    page = person.page
    page.goto("/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Play", exact=True).click()
    page.get_by_role("navigation", name="Play").get_by_role("link", name="Buy").click()
    page.get_by_role("searchbox", name="Search").fill("royal enfield gunmetal")
    expect(page.locator("#stall")).to_contain_text("1 thing found")
    page.get_by_role("link", name=BIKE).click(delay=A_PRESS_MS)
    expect(page.get_by_role("heading", level=1)).to_have_text(BIKE)


def test_bilal_buys_a_bike_reads_the_sheet_and_opens_the_replay(bilal: Person, site: Site) -> None:
    page = bilal.page
    chooses_the_bike(bilal)
    expect(page.get_by_role("radio")).to_have_count(3)
    page.get_by_text("16 more stalls").click()
    expect(page.get_by_role("radio")).to_have_count(19)
    page.get_by_role("radio", name=re.compile("Zarina")).check()
    page.get_by_text("More: a budget of your own").click()
    page.get_by_role("textbox", name="Your budget").fill("1,38,000")
    starts_buying(bilal, share=True)
    purchase = Purchase(page, "Zarina")
    purchase.connection("live")
    purchase.my_turn(1)
    expect(page.get_by_text("The first word is yours")).to_be_visible()

    for at, (words, price) in enumerate(SLOPPY, start=1):
        purchase.says(words)
        purchase.my_turn(at + 1)
        purchase.bid(price)
        expect(purchase.words).to_have_value("")
        expect(purchase.words).to_be_focused()
    expect(page.get_by_text("The first word is yours")).to_be_hidden()
    expect(purchase.standing).to_contain_text("apart")

    asked = purchase.asks.last.locator("data").get_attribute("value") or "0"
    purchase.says(f"{int(float(asked))} theek hai, pakka")
    purchase.ended(f"Yours for {indian(int(float(asked)))}")
    reads_the_sheet(purchase, site)
    page.get_by_role("link", name="Open the replay").click()
    expect(page.locator(".kicker")).to_contain_text("A visitor buys from Zarina")
    expect(page.locator(".page-head .lede")).to_contain_text("Bought from Zarina for")


def reads_the_sheet(purchase: Purchase, site: Site) -> None:
    """Every number that was sealed is open, and the seal can be checked here."""
    sealed = site.scenario(purchase.game_id).sealed
    numbers = purchase.sheet.get_by_role("complementary", name="The numbers")
    expect(numbers).to_contain_text(f"Your budget{indian(ASKED)}")
    expect(numbers).to_contain_text(f"{sealed.reservation / 100:,.2f}"[-6:].removesuffix(".00"))
    expect(numbers).to_contain_text("Left in your pocket")
    expect(numbers).to_contain_text("Zarina's honesty, checked")
    broken = purchase.sheet.locator(".certificate .is-broken").filter(has_not_text="untrue")
    expect(broken).to_have_count(0)
    expect(purchase.sheet.locator(".certificate .is-kept").first).to_contain_text(
        re.compile(r"All \d+ prices at or above her floor")
    )
    purchase.sheet.get_by_text("Check the seal").click()
    purchase.sheet.get_by_role("button", name="Check it here").click()
    expect(purchase.sheet.locator(".seal output")).to_contain_text("Kept")


def test_own_words_stand_on_the_own_side(bilal: Person, site: Site) -> None:
    purchase = buys_the_bike(bilal, site)
    purchase.says(f"{SAFE_BIDS[0]} bhaiya")
    purchase.my_turn(2)
    mine = purchase.bids.last.locator(".bubble").bounding_box()
    hers = purchase.asks.last.locator(".bubble").bounding_box()
    assert mine is not None
    assert hers is not None
    assert mine["x"] + mine["width"] > hers["x"] + hers["width"]
    assert mine["x"] > hers["x"]


def test_accepting_the_ask_and_walking_away_are_one_press(bilal: Person, site: Site) -> None:
    purchase = buys_the_bike(bilal, site)
    page = bilal.page
    page.get_by_role("button", name="Walk away").click()
    dialog = page.get_by_role("dialog", name="Walk away?")
    expect(dialog).to_contain_text("is within your budget")
    dialog.get_by_role("button", name="Stay").click()
    page.get_by_role("button", name=f"Accept {indian(ASKED)}").click()
    purchase.ended(f"Yours for {indian(ASKED)}")


def test_an_ask_above_the_budget_cannot_be_pressed(bilal: Person, site: Site) -> None:
    purchase = buys_the_bike(bilal, site, budget=90_000)
    accept = bilal.page.get_by_role("button", name="Accept")
    expect(accept).to_be_disabled()
    purchase.says("95000 final")
    expect(bilal.page.locator("[data-error]")).to_contain_text("above your budget")
    expect(purchase.words).to_have_value("95000 final")
    expect(accept).to_be_disabled()


def test_a_reload_in_mid_sentence_keeps_words_and_talk(bilal: Person, site: Site) -> None:
    purchase = buys_the_bike(bilal, site)
    purchase.says(f"{SAFE_BIDS[0]} only")
    purchase.my_turn(2)
    before = bilal.page.locator("#transcript").inner_text()
    purchase.words.press_sequentially("half a senten")
    bilal.page.reload()
    purchase.connection("live")
    purchase.my_turn(2)
    assert bilal.page.locator("#transcript").inner_text() == before
    expect(purchase.words).to_have_value("half a senten")


def test_two_tabs_of_one_purchase_stay_in_step(bilal: Person, site: Site) -> None:
    left = buys_the_bike(bilal, site)
    right = Purchase(bilal.context.new_page())
    right.page.goto(left.page.url)
    right.connection("live")
    for at, price in enumerate(SAFE_BIDS[:2], start=1):
        (left, right)[at % 2].says(f"{price} bas")
        for tab in (left, right):
            tab.my_turn(at + 1)
            tab.bid(price)
    assert left.numbers() == right.numbers()


def test_words_on_their_way_are_shown_until_they_are_said(bilal: Person, site: Site) -> None:
    lines: list[WebSocketRoute] = []

    def tap(line: WebSocketRoute) -> None:
        line.connect_to_server()
        lines.append(line)

    bilal.page.route_web_socket(re.compile("/ws/buy/"), tap)
    purchase = buys_the_bike(bilal, site)
    thinking = bilal.page.locator("[data-thinking]")
    expect(thinking).to_be_hidden()
    for words in ("Suno bhaiya,", "Suno bhaiya, itne mein <b>to"):
        lines[-1].send(json.dumps({"type": "thinking", "actor": "seller", "text": words}))
        expect(thinking).to_be_visible()
        expect(thinking).to_have_text(words)
    purchase.says(f"{SAFE_BIDS[0]} dunga")
    purchase.my_turn(2)
    expect(thinking).to_be_hidden()
    expect(thinking).to_have_text("Meena is thinking")


def test_the_whole_game_with_keys(bilal: Person, site: Site) -> None:
    page, keys = bilal.page, bilal.page.keyboard
    page.goto("/buy/")
    goes_to(page, page.get_by_role("searchbox", name="Search"))
    keys.type("royal enfield gunmetal")
    expect(page.locator("#stall")).to_contain_text("1 thing found")
    goes_to(page, page.get_by_role("link", name=BIKE))
    keys.press("Enter")
    goes_to(page, page.get_by_role("radio", name=re.compile("Meena"), checked=True))
    keys.press("ArrowDown")
    expect(page.get_by_role("radio", name=re.compile("Zarina"))).to_be_checked()
    goes_to(page, page.get_by_role("button", name="Start the haggle"), "Shift+Tab")
    keys.press("Enter")
    purchase = Purchase(page, "Zarina")
    purchase.connection("live")
    goes_to(page, purchase.words)
    keys.type(f"{SAFE_BIDS[0]} dunga")
    keys.press("Enter")
    purchase.my_turn(2)
    goes_to(page, page.get_by_role("button", name="Walk away"))
    keys.press("Enter")
    dialog = page.get_by_role("dialog", name="Walk away?")
    goes_to(page, dialog.get_by_role("button", name="Walk away"))
    keys.press("Enter")
    purchase.ended("You walked away")
    expect(purchase.sheet.get_by_role("heading", level=2)).to_be_focused()


def test_the_page_reads_well_aloud(bilal: Person, site: Site) -> None:
    purchase = buys_the_bike(bilal, site)
    expect(purchase.page.get_by_role("main")).to_match_aria_snapshot("""
      - article:
        - heading "Royal Enfield Classic 350, 2019, gunmetal" [level=1]
        - complementary "Beside the talk":
          - group:
            - heading "Your cards" [level=2]
          - group:
            - heading "Prices" [level=2]
          - group:
            - heading "What she lets show" [level=2]
        - region "The haggle":
          - log "What was said":
            - article: Meena opened at ₹1,38,000
          - textbox "Your words to Meena"
          - button "Send"
          - button "Accept ₹1,38,000"
          - button "Walk away"
    """)


def test_a_purchase_by_plain_forms(plain: Person, site: Site) -> None:
    page = plain.page
    page.goto("/buy/?q=royal+enfield+gunmetal")
    page.get_by_role("link", name=BIKE).click()
    page.get_by_text("More: a budget of your own").click()
    page.get_by_role("textbox", name="Your budget").fill("2,00,000")
    page.get_by_role("button", name="Start the haggle").click()
    expect(page.get_by_text("nothing to haggle over")).to_be_visible()
    page.get_by_role("textbox", name="Your budget").fill("")
    page.get_by_role("radio", name=re.compile("Meena")).check()
    starts_buying(plain)
    purchase = Purchase(page)
    purchase.my_turn(1)
    for at, price in enumerate(SAFE_BIDS[:2], start=1):
        purchase.words.fill(f"{price} dunga, cash")
        purchase.send.click()
        purchase.my_turn(at + 1)
        purchase.bid(price)
    purchase.words.fill("74000 ya 75000?")
    purchase.send.click()
    expect(page.locator("[data-error]")).to_contain_text("74,000")
    expect(purchase.words).to_have_value("74000 ya 75000?")
    page.locator("[data-error]").get_by_role("button", name="74,000").click()
    purchase.my_turn(4)
    purchase.bid(74_000)
    page.get_by_role("button", name="Walk away").click()
    purchase.ended("You walked away")


def test_every_page_of_a_purchase_fits_a_phone(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url, **PHONE) as bilal:
        page = bilal.page
        for address in ("/buy/", "/buy/?q=nothinglikethis"):
            page.goto(address)
            has_no_sideways_scroll(page)
        chooses_the_bike(bilal)
        has_no_sideways_scroll(page)
        purchase = buys_the_bike(bilal, site, share=True)
        for at, (words, _) in enumerate(SLOPPY, start=1):
            purchase.says(words)
            purchase.my_turn(at + 1)
            has_no_sideways_scroll(page)
        purchase.walks()
        page.locator("details").evaluate_all("(parts) => parts.forEach((p) => (p.open = true))")
        has_no_sideways_scroll(page)
        page.goto(f"/replays/{purchase.game_id}/")
        has_no_sideways_scroll(page)
        bilal.saw_no_errors()


def hidden_px(purchase: Purchase) -> float:
    """How much of the newest words lies under the composer."""
    newest = purchase.page.locator("#transcript .turn").last.bounding_box()
    composer = purchase.page.locator("[data-composer]").bounding_box()
    assert newest is not None
    assert composer is not None
    return newest["y"] + newest["height"] - composer["y"]


def test_the_newest_words_stay_above_the_composer_on_a_phone(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url, **PHONE, reduced_motion="reduce") as bilal:
        purchase = buys_the_bike(bilal, site)
        for at, price in enumerate(SAFE_BIDS, start=1):
            purchase.says(f"{price} dunga bhaiya, cash abhi, koi jhanjhat nahi")
            purchase.my_turn(at + 1)
            expect(bilal.page.locator("[data-thinking]")).to_be_hidden()
            assert hidden_px(purchase) <= 0, f"after round {at}"
        bilal.page.reload()
        purchase.connection("live")
        assert hidden_px(purchase) <= 0


def test_whoever_reads_what_was_said_before_is_left_alone(bilal: Person, site: Site) -> None:
    page = bilal.page
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 800, "height": 500})
    purchase = buys_the_bike(bilal, site)
    for at, price in enumerate(SAFE_BIDS[:4], start=1):
        purchase.says(f"{price} bas")
        purchase.my_turn(at + 1)
    other = Purchase(bilal.context.new_page())
    other.page.goto(page.url)
    other.connection("live")
    page.bring_to_front()
    page.mouse.move(300, 250)
    page.mouse.wheel(0, -5000)
    expect(page.get_by_role("heading", level=1)).to_be_in_viewport()
    other.page.bring_to_front()
    other.says("madam, tyre kab badle the")
    expect(other.page.locator("#transcript [data-kind=message]")).to_have_count(2)
    expect(page.locator("#transcript [data-kind=message][data-actor=seller]")).to_have_count(1)
    page.bring_to_front()
    expect(page.get_by_role("heading", level=1)).to_be_in_viewport()


def test_on_a_phone_every_place_is_under_the_thumb(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url, **PHONE) as bilal:
        page = bilal.page
        page.goto("/")
        has_no_sideways_scroll(page)
        places = page.locator(".nav a")
        for place in ("Play", "Puzzles", "Replays", "Learn", "About"):
            link = page.get_by_role("navigation", name="Main").get_by_role(
                "link", name=place, exact=True
            )
            expect(link).to_be_in_viewport(ratio=1)
        sizes = places.evaluate_all(
            "links => links.map((link) => link.getBoundingClientRect().height)"
        )
        assert all(tall >= 44 for tall in sizes)


def test_chetan_sees_nothing_of_a_purchase(bilal: Person, chromium: Browser, site: Site) -> None:
    purchase = buys_the_bike(bilal, site)
    with Person(chromium, site.url) as chetan:
        answer = chetan.page.goto(f"/buy/{purchase.game_id}/")
        assert answer is not None
        assert answer.status == 404
        assert BIKE not in chetan.page.content()
        chetan.saw_no_errors(but="status of 404")
