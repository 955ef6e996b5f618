"""A market in Chromium: the live demo at one's own pace, a lab played to the end, other worlds."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browsing import Person, expect, has_no_sideways_scroll, listens
from tests.support.market_pages import (
    is_over,
    open_all,
    opens,
    orders,
    place,
    shows_moment,
    steps_from_the_start,
)
from tests.support.servers import Site

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def bilal(chromium: Browser, site: Site) -> Iterator[Person]:
    """Bilal, who looks on."""
    with Person(chromium, site.url) as person:
        yield person
        # What the rules refuse is answered by 422, which a browser reports.
        person.saw_no_errors(but="status of 422")


def opens_slowly(page: Page) -> None:
    """Start a demo of a turn in two seconds, so that it can be stopped on its way."""
    page.goto("/market/")
    token = next(one["value"] for one in page.context.cookies() if one["name"] == "csrftoken")
    answer = page.request.post(
        "/api/market/",
        data={"task": "market_round", "seed": 5, "pace": 2},
        headers={"X-CSRFToken": token, "Referer": page.url},
    )
    assert answer.status == 201, answer.text()
    page.goto(answer.json()["url"])


def test_a_demo_is_followed_paused_stepped_and_played(bilal: Person) -> None:
    page = bilal.page
    opens(page)
    count = steps_from_the_start(page)
    expect(page.get_by_label("One moment on")).to_be_focused()
    page.clock.install()
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(2_000)
    shows_moment(page, 3)
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(20_000)
    shows_moment(page, 3)
    page.keyboard.press("ArrowLeft")
    shows_moment(page, 2)
    page.keyboard.press("End")
    shows_moment(page, count)
    page.get_by_role("slider", name="Moment of the market").focus()
    page.keyboard.press("Home")
    shows_moment(page, 1)


def test_a_live_demo_comes_to_the_page_by_itself(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url) as asha, Person(chromium, site.url) as chetan:
        opens(asha.page, seed=5)
        chetan.page.goto(asha.page.url)
        for person in (asha, chetan):
            is_over(person.page)
            assert place(person.page)[0] == place(person.page)[1]
            person.saw_no_errors()


def test_its_starter_pauses_a_demo_for_everybody_steps_it_twice_and_lets_it_go_on(
    chromium: Browser, site: Site
) -> None:
    with Person(chromium, site.url) as asha, Person(chromium, site.url) as chetan:
        opens_slowly(asha.page)
        listens(asha.page)
        chetan.page.goto(asha.page.url)
        pages = (asha.page, chetan.page)
        assert chetan.page.get_by_role("button", name="Pause the market").count() == 0
        asha.page.get_by_role("button", name="Pause the market").click()
        expect(asha.page.locator(".clock-words")).to_have_text(re.compile("You have paused"))
        expect(asha.page.get_by_role("button", name="Let it go on")).to_be_focused()
        expect(chetan.page.locator(".clock-words")).to_contain_text("paused it for everybody")
        stands = turns(site, asha.page)
        asha.page.wait_for_timeout(2_500)
        assert turns(site, asha.page) == stands
        before = [last_frame(page) for page in pages]
        part = chetan.page.locator("#market-board details").first
        part.locator("summary").hover()
        chetan.page.mouse.down()
        asha.page.get_by_role("button", name="One turn").click()
        expect(asha.page.locator("#market-board")).not_to_have_attribute("data-last", before[0])
        chetan.page.wait_for_timeout(1_000)
        assert last_frame(chetan.page) == before[1], "drawn anew under a finger"
        chetan.page.mouse.up()
        expect(part).to_have_attribute("open", "")
        expect(chetan.page.locator("#market-board")).not_to_have_attribute("data-last", before[1])
        before = [last_frame(page) for page in pages]
        asha.page.get_by_role("button", name="One turn").click()
        for page, last in zip(pages, before, strict=True):
            expect(page.locator("#market-board")).not_to_have_attribute("data-last", last)
        assert turns(site, asha.page) == stands + 2
        assert last_frame(asha.page) == last_frame(chetan.page)
        expect(asha.page.locator(".clock-words")).to_have_text(re.compile("You have paused"))
        hurries(site, asha.page)
        asha.page.get_by_role("button", name="Let it go on").click()
        expect(chetan.page.locator("[data-clock]")).to_be_hidden()
        for person in (asha, chetan):
            is_over(person.page)
            expect(person.page.locator("[data-clock]")).to_have_count(0)
            person.saw_no_errors()


def hurries(site: Site, page: Page) -> None:
    """Let no time pass between the turns from now on: nobody has to watch the rest."""
    sql = "update arena_marketmatch set pace_s = 0.05 where game_id = %s"
    site.execute(sql, page.url.rstrip("/").split("/")[-1])


def last_frame(page: Page) -> str:
    return page.locator("#market-board").get_attribute("data-last") or ""


def turns(site: Site, page: Page) -> int:
    sql = "select count(*) from negotiation_eventrow where kind = 'turn' and game_id = %s"
    found: int = site.query(sql, page.url.rstrip("/").split("/")[-1])[0][0]
    return found


def test_a_person_plays_to_the_end_and_asks_what_if(bilal: Person) -> None:
    page = bilal.page
    opens(page, "You", seed=15)
    expect(page.locator(".now-turn")).to_contain_text("Your turn")
    card = page.locator(".offer.is-for-you", has_text="I give you 4 GPUs in rounds 7–8")
    card.get_by_role("button", name="Accept").click()
    shows_round(page, 1)
    expect(page.locator("#market-log")).to_contain_text("Deal: Deccan Models gives")
    job = page.locator(".job", has_text="Paper run")
    job.get_by_role("button", name="Run it now").click()
    shows_round(page, 2)
    # With coalitions the further moves lie open.
    page.locator("summary", has_text="Hold blocks back").click()
    page.get_by_role("button", name="Set free").click()
    expect(page.locator("[data-problem]")).to_be_focused()
    shows_round(page, 2)
    for number in range(3, 9):
        page.get_by_role("button", name="Wait", exact=True).click()
        shows_round(page, number)
    page.get_by_role("button", name="Wait", exact=True).click()
    is_over(page)
    # The replay: one moment back and on, by keys.
    last = place(page)[1]
    page.keyboard.press("ArrowLeft")
    shows_moment(page, last - 1)
    page.keyboard.press("ArrowRight")
    shows_moment(page, last)
    page.get_by_role("link", name=re.compile("Round 1 Accept offer 1 of Deccan")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 1: what if?")
    page.get_by_role("radio", name="Wait").check()
    page.get_by_role("button", name="Play it to the end").click()
    expect(page.locator("#answer-title")).to_have_text("Round 1: wait?")
    expect(page.locator(".answer")).to_contain_text("With other luck, 100 times")


def test_the_twin_of_the_first_shock_stands_beside_the_market(bilal: Person) -> None:
    page = bilal.page
    opens(page)
    is_over(page)
    page.get_by_role("link", name="Without the capacity failure of round 4").click()
    expect(page.locator(".lede")).to_contain_text("cost Banyan Compute 8.82 credits")
    expect(page.locator(".small-strips")).to_have_count(2)


def test_no_page_of_the_market_sticks_out_of_a_phone(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url, **PHONE) as asha:
        page = asha.page
        opens(page, "You", seed=15)
        open_all(page)
        has_no_sideways_scroll(page)
        opens(page)
        is_over(page)
        open_all(page)
        has_no_sideways_scroll(page)
        for name in ("Without any shock", "Round 3"):
            match = page.url
            page.get_by_role("link", name=name).first.click()
            has_no_sideways_scroll(page)
            page.goto(match)
        for name in ("", "tasks/", "rewards/", "judge/", "actions/", "results/", "lab/"):
            page.goto(f"/market/{name}")
            has_no_sideways_scroll(page)
        asha.saw_no_errors()


def test_the_first_trade_is_learnt_by_trading(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url) as asha:
        page = asha.page
        page.goto("/market/")
        page.get_by_role("button", name="Make your first trade").click()
        expect(page.locator(".now-round")).to_have_text("Round 1 of 3")
        lesson = page.locator(".lesson")
        expect(lesson).to_contain_text("read the label")
        listens(page)
        page.get_by_label("Offer for them").fill("5")
        page.get_by_role("button", name="Make this offer").click()
        # The other lab says why and names a price; it costs no turn.
        expect(page.locator("[data-problem]")).to_contain_text("5 is far off.")
        expect(page.get_by_role("button", name="Agree on")).to_be_visible()
        expect(page.locator(".now-round")).to_have_text("Round 1 of 3")
        page.get_by_role("button", name="Wait a round").click()
        expect(page.locator(".now-round")).to_have_text("Round 2 of 3")
        expect(lesson).to_contain_text("know your price")
        lesson.locator("summary").click()
        # What is refused costs no turn, and a hint that was put away stays away.
        page.get_by_label("Offer for them").fill("5000")
        page.get_by_role("button", name="Make this offer").click()
        expect(page.locator("[data-problem]")).to_contain_text("more than your budget")
        expect(lesson).to_have_js_property("open", False)
        page.get_by_label("Offer for them").fill("62")
        page.get_by_role("button", name="Make this offer").click()
        expect(page.locator(".now-words")).to_contain_text("Deal")
        expect(page.locator(".first-done")).to_contain_text("are yours")
        page.get_by_role("button", name="Run the whole job").click()
        is_over(page)
        expect(page.locator(".yardsticks .is-you")).to_be_visible()
        made = re.compile(r"You made \d+ of the \d+ credits")
        expect(page.locator("#result-title")).to_have_text(made)
        page.get_by_role("button", name="Next market: three labs").click()
        expect(page.locator(".now-round")).to_have_text("Round 1 of 5")
        asha.saw_no_errors(but="status of 422")


def test_all_that_a_newcomer_needs_is_on_one_screen(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url, viewport={"width": 1440, "height": 900}) as asha:
        page = asha.page
        page.goto("/market/")
        page.get_by_role("button", name="Make your first trade").click()
        page.get_by_role("button", name="Take this swap").wait_for()
        # The button may stand there before the last style sheet; nobody sees it then.
        page.wait_for_load_state("load")
        for name in ("Take this swap", "Make this offer", "Run half the job", "Wait a round"):
            box = page.locator("button, summary", has_text=name).first.bounding_box()
            assert box, name
            assert box["y"] + box["height"] <= 900, name


def test_a_lab_can_be_played_without_scripts(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url, java_script_enabled=False) as asha:
        page = asha.page
        page.goto("/market/tasks/")
        page.get_by_label("Who plays Aravalli Lab?").select_option(label="You")
        orders(page, seed=15)
        page.get_by_role("button", name="Turn down").first.click()
        shows_round(page, 1)
        page.locator("summary", has_text="Look back").click()
        page.get_by_label("One moment back").click()
        expect(page.locator(".now-round")).to_have_text(re.compile("Round 1"))


def test_a_demo_is_paused_and_stepped_without_scripts(chromium: Browser, site: Site) -> None:
    with Person(chromium, site.url, java_script_enabled=False) as asha:
        page = asha.page
        opens_slowly(page)
        page.get_by_role("button", name="Pause the market").click()
        expect(page.locator(".clock-words")).to_have_text(re.compile("You have paused"))
        stands = turns(site, page)
        page.get_by_role("button", name="One turn").click()
        assert turns(site, page) == stands + 1
        page.get_by_role("button", name="Let it go on").click()
        expect(page.get_by_role("button", name="Pause the market")).to_be_visible()


def shows_round(page: Page, number: int) -> None:
    expect(page.locator(".now-round")).to_have_text(re.compile(rf"^Round {number + 1} of "))
