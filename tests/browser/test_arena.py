"""The arena under the fingers: watching at a pace of one's own, and playing a seat."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page

from arena.auction.web.orders import name_of
from tests.browser.test_keyboard import goes_to
from tests.support.arena import PAUSELESS
from tests.support.browsing import Person, expect, has_no_sideways_scroll
from tests.support.servers import Site

QUICK = {**PAUSELESS, "BAZAAR_ARENA_PAUSE_S": "0.25", "BAZAAR_ARENA_GAP_S": "3"}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
LONG_MATCH = {"seats": ("rules:boulware", "rules:micro"), "seed": "3"}
"""Two patient buyers: a match of many rounds."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site whose matches are quick, but not too quick for eyes."""
    with Site(tmp_path_factory.mktemp("arena"), **QUICK) as running:
        yield running


@pytest.fixture
def bilal(chromium: Browser, site: Site) -> Iterator[Person]:
    """Bilal, who spectates."""
    with Person(chromium, site.url) as person:
        yield person
        person.saw_no_errors()


def starts(person: Person, *seats: str, seed: str = "3") -> str:
    """Start a match with the form and give its address."""
    page = person.page
    page.goto("/arena/")
    page.locator("#start > summary").click()
    for number in range(1, 5):
        chosen = seats[number - 1] if number <= len(seats) else ""
        page.get_by_label(f"Seat {number}").select_option(chosen)
    page.get_by_label("Seed").fill(seed)
    page.get_by_role("button", name="Open the match").click()
    page.wait_for_url(re.compile(r"/arena/[a-z0-9]{12}/$"))
    return page.url


def moment(page: Page) -> Locator:
    """The moment that is shown: always exactly one."""
    shown = page.locator("#match-moments > [data-beat]:visible")
    expect(shown).to_have_count(1)
    return shown


def seq_of(page: Page) -> int:
    return int(moment(page).get_attribute("data-seq") or 0)


def latest(page: Page) -> int:
    seqs = page.locator("#match-moments > [data-beat]").evaluate_all(
        "(moments) => moments.map((moment) => Number(moment.dataset.seq))"
    )
    return max(seqs)


def nothing_later_is_shown(page: Page) -> None:
    """Strips, prices, talk, tells and the sheet stand where the moment stands."""
    found = page.evaluate(
        """() => {
          const moments = [...document.querySelectorAll("#match-moments > [data-beat]")];
          const at = moments.findIndex((moment) => !moment.hidden);
          const until = Number(moments[at + 1]?.dataset.seq ?? Infinity);
          const parts = document.querySelectorAll(
            ".match-strips [data-seq], .match-prices [data-seq], .said, .outcome");
          return [...parts]
            .filter((part) => Number(part.dataset.seq) >= until && part.getClientRects().length)
            .filter((part) => getComputedStyle(part).visibility !== "hidden")
            .map((part) => part.outerHTML.slice(0, 80));
        }"""
    )
    assert not found, found


def is_over(page: Page, words: str | re.Pattern[str] = "") -> None:
    sheet = page.locator("#outcome-title")
    expect(sheet).to_be_visible(timeout=60_000)
    if words:
        expect(sheet).to_contain_text(words)


def is_live(page: Page) -> None:
    expect(page.locator("[data-connection]")).to_have_attribute("data-state", "live")


def test_bilal_watches_a_match_to_its_end_and_opens_the_replay(bilal: Person) -> None:
    page = bilal.page
    starts(bilal, "rules:aggressive", "rules:smart", "rules:og", "sauda", seed="8")
    is_live(page)
    for lane in ("Vikram", "Arundhati", name_of("rules:og"), "Sauda"):
        expect(page.locator(".lane-name", has_text=lane)).to_be_visible()
    is_over(page, re.compile("got it for ₹"))
    expect(page.locator(".lane-stamp")).to_have_count(1)
    assert page.locator("#match-talk .said").count() > 4
    numbers = page.get_by_role("complementary", name="The numbers")
    expect(numbers).to_contain_text("The least the seller would take")
    numbers.get_by_text("Check the seal").click()
    numbers.get_by_role("button", name="Check it here").click()
    expect(numbers.locator("output")).to_contain_text("Kept")
    expect(page.get_by_role("complementary", name="What comes next")).to_contain_text("Next: ")
    won = page.locator("#outcome-title").inner_text()
    page.get_by_role("link", name="Watch the replay").click()
    expect(page.locator(".lede")).to_contain_text(won)
    expect(page.get_by_role("slider")).to_be_visible()
    page.keyboard.press("Home")
    expect(page.locator(".step:visible")).to_contain_text("The seller asks")
    expect(page.locator(".lane-stamp")).to_be_hidden()
    # The strips can be dragged once their script is there.
    expect(page.locator(".match-strips.is-draggable")).to_be_visible()
    # By the locator: it scrolls, and waits until what the fonts move has come to rest.
    strips = page.locator(".match-strips")
    size = strips.bounding_box()
    assert size is not None
    far = {"x": size["width"] - 2, "y": 60}
    strips.drag_to(strips, source_position={"x": 40, "y": 60}, target_position=far)
    expect(page.locator("[data-place]")).to_contain_text("in front")
    page.keyboard.press("End")
    expect(page.locator(".lane-stamp")).to_be_visible()


def test_live_pages_and_late_joiners_show_the_same_in_the_end(bilal: Person) -> None:
    page = bilal.page
    address = starts(bilal, *LONG_MATCH["seats"])
    expect(page.locator("#match-talk .said.is-round").nth(1)).to_be_visible()
    late = bilal.context.new_page()
    late.goto(address)
    assert late.locator("#match-talk .said").count() >= 3
    for tab in (page, late):
        is_over(tab)
    texts = [tab.locator("#match-talk").inner_text() for tab in (page, late)]
    page.reload()
    assert texts[0] == texts[1] == page.locator("#match-talk").inner_text()


def test_a_viewer_may_fall_behind_and_jump_back_to_now(bilal: Person) -> None:
    page = bilal.page
    starts(bilal, *LONG_MATCH["seats"])
    page.get_by_text("Pause", exact=True).click()
    at = seq_of(page)
    expect(page.locator("[data-behind]")).to_contain_text("round", timeout=20_000)
    assert seq_of(page) == at
    nothing_later_is_shown(page)
    page.get_by_role("button", name="One moment on").click()
    expect(moment(page)).not_to_have_attribute("data-seq", str(at))
    assert at < seq_of(page) < latest(page)
    nothing_later_is_shown(page)
    page.get_by_role("button", name="Jump to now").click()
    expect(page.get_by_role("radio", name="Live")).to_be_checked()
    expect(page.locator("[data-behind]")).to_be_hidden()
    expect(page.locator("#match-moments > :last-child")).to_be_visible()
    is_over(page)


def test_the_end_is_not_given_away_to_whoever_is_slower(bilal: Person) -> None:
    page = bilal.page
    starts(bilal, "rules:aggressive", "rules:smart", seed="8")
    page.get_by_text("Pause", exact=True).click()
    expect(page.locator("#outcome-title")).to_be_attached(timeout=60_000)
    expect(page.locator("#outcome-title")).to_be_hidden()
    nothing_later_is_shown(page)
    page.get_by_role("button", name="Jump to now").click()
    is_over(page)


def test_a_pace_and_a_place_outlive_a_reload(bilal: Person) -> None:
    page = bilal.page
    starts(bilal, *LONG_MATCH["seats"])
    expect(page.locator("#match-talk .said.is-round").first).to_be_visible()
    page.get_by_text("Pause", exact=True).click()
    # What was under way has come. An envelope is a moment only while its round is the newest: a
    # page that comes later shows the one before.
    expect(page.locator("[data-behind]")).to_contain_text("round", timeout=20_000)
    while moment(page).get_attribute("data-beat") == "placed":
        page.get_by_role("button", name="One moment back").click()
    at = seq_of(page)
    page.reload()
    expect(page.get_by_role("radio", name="Pause")).to_be_checked()
    expect(moment(page)).to_have_attribute("data-seq", str(at))
    page.get_by_text("Slow", exact=True).click()
    page.reload()
    expect(page.get_by_role("radio", name="Slow")).to_be_checked()


def test_steady_viewers_are_led_through_every_moment(bilal: Person) -> None:
    page = bilal.page
    starts(bilal, "rules:aggressive", "rules:smart", seed="8")
    page.get_by_text("Pause", exact=True).click()
    expect(page.locator("#outcome-title")).to_be_attached(timeout=60_000)
    page.clock.install()
    page.reload()
    page.get_by_role("button", name="One moment back").click()
    page.get_by_role("button", name="One moment back").click()
    seen = [seq_of(page)]
    page.get_by_text("Steady", exact=True).click()
    while seen[-1] < latest(page):
        page.clock.run_for(4_000)
        seen.append(seq_of(page))
        nothing_later_is_shown(page)
        assert len(seen) < 10
    assert seen == sorted(seen)
    is_over(page)


def test_keys_step_and_pause(bilal: Person) -> None:
    page = bilal.page
    starts(bilal, *LONG_MATCH["seats"])
    expect(page.locator("#match-talk .said.is-round").first).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("radio", name="Pause")).to_be_checked()
    at = seq_of(page)
    page.keyboard.press("ArrowRight")
    expect(moment(page)).not_to_have_attribute("data-seq", str(at))
    page.keyboard.press("Space")
    expect(page.get_by_role("radio", name="Steady")).to_be_checked()
    page.keyboard.press("Home")
    expect(moment(page)).to_have_attribute("data-beat", "opened")
    nothing_later_is_shown(page)
    page.keyboard.press("End")
    expect(page.get_by_role("radio", name="Live")).to_be_checked()


def test_asha_takes_a_seat_and_wins_it(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url, **PHONE) as asha:
        page = asha.page
        starts(asha, "rules:boulware", "rules:micro", "person", seed="127")
        seat = page.locator("#match-seat")
        expect(seat).to_contain_text("Your budget")
        is_live(page)
        has_no_sideways_scroll(page)
        page.locator("[data-price]").fill("1800")
        page.keyboard.press("Enter")
        # The round opens once all envelopes are in.
        expect(page.locator(".said.is-round").first).to_contain_text("₹1,800")
        expect(page.locator(".said.is-round").first).to_contain_text("Sealed:")
        take = page.get_by_role("button", name="Take it")
        hold = page.get_by_role("button", name=re.compile("Hold|Wait"))
        for _ in range(14):
            expect(seat.locator("button").first.or_(page.locator("#outcome-title"))).to_be_attached(
                timeout=20_000
            )
            if page.locator("#outcome-title").count():
                break
            number = seat.get_attribute("data-round") or ""
            (take if take.is_enabled() else hold).click()
            expect(
                page.locator(f"#match-seat[data-round='{number}'][data-turn=yours]")
            ).to_have_count(0, timeout=20_000)
        is_over(page, "You got it for")
        has_no_sideways_scroll(page)
        asha.saw_no_errors()


def test_a_newcomer_bids_at_once_against_the_house(chromium: Browser, site: Site) -> None:
    """Two presses from the arena's door to a sealed bid; nobody is waited for."""
    with Person(chromium, site.url, **PHONE) as asha:
        page = asha.page
        page.goto("/arena/")
        page.get_by_role("button", name="Take a seat", exact=True).click()
        page.wait_for_url(re.compile(r"/arena/[a-z0-9]{12}/$"))
        expect(page.locator("#match-seat[data-turn=yours]")).to_be_visible()
        is_live(page)
        has_no_sideways_scroll(page)
        page.locator("[data-chips] button").first.click()
        page.get_by_role("button", name="Seal it").click()
        expect(page.locator(".said.is-round").first).to_contain_text("You bid")
        page.get_by_role("button", name="Leave").click()
        page.get_by_role("dialog").get_by_role("button", name="Leave").click()
        is_over(page)
        expect(page.locator(".outcome-better")).not_to_be_empty()
        before = page.url
        page.get_by_role("button", name="Next game").click()
        page.wait_for_url(lambda url: "/arena/" in url and url != before)
        expect(page.locator("#match-seat[data-turn=yours]")).to_be_visible()
        asha.saw_no_errors()


def test_every_move_is_in_sight_on_a_desk(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url, viewport={"width": 1440, "height": 900}) as asha:
        page = asha.page
        page.goto("/arena/")
        page.get_by_role("button", name="Take a seat", exact=True).click()
        page.wait_for_selector("#match-seat[data-turn=yours]")
        is_live(page)
        page.locator("[data-chips] button").first.click()
        page.get_by_role("button", name="Seal it").click()
        expect(page.locator("#match-seat[data-round='2'][data-turn=yours]")).to_be_visible()
        for name in ("Seal it", "Take it", "Hold", "Leave"):
            expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
        asha.saw_no_errors()


def test_two_friends_meet_at_a_table_by_its_link(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url) as asha, Person(chromium, site.url) as bilal:
        asha.page.goto("/arena/")
        asha.page.get_by_role("button", name="You and a friend").click()
        link = asha.page.get_by_label("Send this link").input_value()
        bilal.page.goto(link)
        bilal.page.get_by_role("button", name="Take chair").click()
        for person in (asha, bilal):
            expect(person.page.locator("#match-seat")).to_be_visible(timeout=60_000)
            person.saw_no_errors()


def test_asha_plays_a_round_with_keys_and_a_call(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url) as asha:
        page, keys = asha.page, asha.page.keyboard
        starts(asha, "rules:boulware", "person", seed="3")
        is_live(page)
        goes_to(page, page.locator("[data-price]"))
        keys.type("60")
        goes_to(page, page.get_by_label("Say to the table"))
        keys.type("Mine today.")
        goes_to(page, page.get_by_role("radio", name="No call"))
        for _ in range(2):
            keys.press("ArrowRight")
        expect(page.get_by_role("radio", name="Compete")).to_be_checked()
        keys.press("Enter")
        own = page.locator(".said-line.is-own").first
        expect(own).to_contain_text("₹60")
        expect(own).to_contain_text("compete")
        expect(own).to_contain_text("Mine today.")
        expect(page.get_by_label("Say to the table")).to_have_value("")
        # A call holds for one round.
        expect(page.get_by_role("radio", name="No call")).to_be_checked()
        goes_to(page, page.get_by_role("button", name="Leave"))
        keys.press("Enter")
        dialog = page.get_by_role("dialog", name="Leave the match?")
        goes_to(page, dialog.get_by_role("button", name="Leave"))
        keys.press("Enter")
        expect(page.locator(".ring-seat.is-own.is-left").last).to_be_visible(timeout=20_000)
        asha.saw_no_errors()


def test_a_refusal_keeps_the_price(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url) as asha:
        page = asha.page
        starts(asha, "rules:boulware", "person", seed="127")
        is_live(page)
        price = page.locator("[data-price]")
        for text, why in (("kya", "needs a number"), ("4700", "above your budget")):
            price.fill(text)
            page.keyboard.press("Enter")
            expect(page.locator("[data-error]")).to_contain_text(why)
            expect(price).to_have_value(text)
        asha.saw_no_errors()


def test_the_lobby_renews_itself_and_a_seat_turns_into_the_match(
    chromium: Browser, site: Site
) -> None:
    with Person(chromium, site.url) as asha:
        page = asha.page
        page.goto("/arena/")
        expect(page.locator(".on-now").first).to_be_visible(timeout=20_000)
        own = page.locator("#match-seat, .match-waiting .chair.is-own")
        for _ in range(5):
            page.goto("/arena/")
            page.get_by_role("button", name="Take the seat of Sauda", exact=True).click()
            page.wait_for_url(re.compile(r"/arena/[a-z0-9]{12}/"))
            if own.count():
                break
        expect(page.locator("#match-seat")).to_be_visible(timeout=60_000)
        # A match that begins in this very moment takes nobody in any more.
        asha.saw_no_errors(but="status of 409")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_arena_pages_fit_a_phone(chromium: Browser, site: Site, scripts: bool) -> None:
    with Person(chromium, site.url, **PHONE, java_script_enabled=scripts) as bilal:
        page = bilal.page
        address = starts(bilal, "rules:aggressive", "rules:smart", "rules:og", "sauda")
        assert page.get_by_role("heading", level=1).count() == 1
        for path in ("/arena/", address):
            page.goto(path)
            if scripts:
                has_no_sideways_scroll(page)
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            ids = page.locator("[id]").evaluate_all("(parts) => parts.map((part) => part.id)")
            assert len(ids) == len(set(ids))
        bilal.saw_no_errors()
