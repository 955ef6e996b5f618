"""A host with a projector, Asha and Bilal at two browsers: from the code to a deal and back."""

import re

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browsing import Person, expect, has_no_sideways_scroll, serious_faults
from tests.support.haggling import Haggle
from tests.support.servers import Site
from tests.support.waiting import until

ROOM = re.compile(r"/rooms/([A-Z]{6})/")
TABLE = re.compile(r"/(sell|buy)/\w+/$")


@pytest.fixture(scope="module")
def password(site: Site) -> str:
    """The password of a host called meera."""
    told = site.manage("add_host", "meera")
    return told.split("Password: ")[1].split()[0]


def logs_in(host: Person, password: str) -> None:
    host.page.goto("/account/login/")
    host.page.get_by_label("Name").fill("meera")
    host.page.get_by_label("Password").fill(password)
    host.page.get_by_role("button", name="Log in").click()
    expect(host.page.get_by_text("You are meera")).to_be_visible()


def opens_first(host: Person) -> str:
    host.page.goto("/rooms/")
    first = host.page.locator(".ready-room").filter(has_text="A first bargain")
    first.get_by_role("button", name="Open this room").click()
    expect(host.page).to_have_url(re.compile("/desk/$"))
    found = ROOM.search(host.page.url)
    assert found is not None
    return found[1]


def comes_in(person: Person, code: str, name: str) -> None:
    person.page.goto("/rooms/")
    person.page.get_by_label("The code of your room").fill(code.lower())
    person.page.get_by_role("button", name="Come in").click()
    person.page.get_by_label("What shall we call you here?").fill(name)
    person.page.get_by_role("button", name="Come in").click()
    expect(person.page.get_by_role("heading", name="You are in")).to_be_visible()


def test_a_class_of_two_bargains_and_comes_back(
    chromium: Browser, site: Site, password: str
) -> None:
    with (
        Person(chromium, site.url) as host,
        Person(chromium, site.url, viewport={"width": 360, "height": 740}) as asha,
        Person(chromium, site.url) as bilal,
    ):
        logs_in(host, password)
        code = opens_first(host)
        comes_in(asha, code, "Asha")
        has_no_sideways_scroll(asha.page)
        desk = host.page.locator(".desk-list")
        expect(desk.get_by_text("Asha", exact=True)).to_be_visible()
        host.page.get_by_role("button", name="Start").hover()
        host.page.mouse.down()
        with host.page.expect_response(lambda answer: answer.status == 200):
            comes_in(bilal, code, "Bilal")
            expect(asha.page.get_by_text("2 people are in the room")).to_be_visible()
        host.page.mouse.up()
        for person in (asha, bilal):
            person.page.wait_for_url(TABLE)
        expect(desk.get_by_text("opposite Bilal")).to_be_visible()
        seller, buyer = (asha, bilal) if "/sell/" in asha.page.url else (bilal, asha)
        asked = buyer.page.get_by_role("button", name=re.compile("Accept")).inner_text()
        bid = int(re.sub(r"\D", "", asked)) // 2
        buyer.page.get_by_label(re.compile("Your words")).fill(str(bid))
        buyer.page.get_by_role("button", name="Send").click()
        expect(seller.page.get_by_role("button", name=re.compile("Accept ₹"))).to_be_visible()
        Haggle(seller.page).walks()
        back = buyer.page.get_by_role("link", name="Back to the room").first
        expect(back).to_be_visible()
        back.click()
        expect(buyer.page.get_by_role("heading", name="You have played your game")).to_be_visible()
        host.page.get_by_role("button", name="Close the room").click()
        expect(buyer.page.get_by_role("heading", name="This room is finished")).to_be_visible()
        for person in (host, asha, bilal):
            person.saw_no_errors()


def has_no_serious_faults(page: Page) -> None:
    page.wait_for_selector(".theme-toggle[aria-label]", state="attached")
    assert serious_faults(page) == []


def test_pages_of_a_room_have_no_serious_faults(
    chromium: Browser, site: Site, password: str
) -> None:
    still = {"reduced_motion": "reduce"}
    with (
        Person(chromium, site.url, **still) as host,
        Person(chromium, site.url, **still) as asha,
    ):
        logs_in(host, password)
        host.page.goto("/rooms/new/")
        host.page.get_by_text("Goods, roles, time").click()
        has_no_serious_faults(host.page)
        code = opens_first(host)
        asha.page.goto(f"/rooms/{code}/")
        has_no_serious_faults(asha.page)
        comes_in(asha, code, "Asha")
        has_no_serious_faults(asha.page)
        host.page.reload()
        host.page.get_by_text("Personal links to hand out").click()
        has_no_serious_faults(host.page)
        host.page.goto(f"/rooms/{code}/wall/")
        has_no_serious_faults(host.page)


def test_the_wall_shows_who_comes_in(chromium: Browser, site: Site, password: str) -> None:
    with Person(chromium, site.url) as host, Person(chromium, site.url) as asha:
        logs_in(host, password)
        code = opens_first(host)
        host.page.goto(f"/rooms/{code}/wall/")
        expect(host.page.get_by_role("img", name=re.compile(code))).to_be_visible()
        comes_in(asha, code, "Asha <b>")
        expect(host.page.locator(".name-chips")).to_have_text(re.compile("Asha"))
        has_no_sideways_scroll(host.page)
        host.saw_no_errors()


def test_a_closed_lobby_is_not_paired(chromium: Browser, site: Site, password: str) -> None:
    with (
        Person(chromium, site.url) as host,
        Person(chromium, site.url) as asha,
        Person(chromium, site.url) as bilal,
    ):
        logs_in(host, password)
        code = opens_first(host)
        # The house takes the odd one soon.
        soon = "update rooms_room set plan = json_set(plan, '$.odd_s', 1) where code = %s"
        site.execute(soon, code)
        comes_in(asha, code, "Asha")
        comes_in(bilal, code, "Bilal")
        goes_away(bilal)
        gone = host.page.locator(".desk-list li").filter(has_text="Bilal")
        expect(gone.get_by_text("away")).to_be_visible()
        host.page.get_by_role("button", name="Start").click()
        asha.page.wait_for_url(TABLE)
        expect(host.page.locator(".desk-list li").filter(has_text="Asha")).to_contain_text(
            "opposite the house"
        )


def goes_away(person: Person) -> None:
    person.page.wait_for_selector("[data-away][data-ready]", state="attached")
    person.page.goto("/learn/")


def test_a_lobby_that_closes_without_a_word_is_away_all_the_same(
    chromium: Browser, site: Site, password: str
) -> None:
    with Person(chromium, site.url) as host, Person(chromium, site.url) as bilal:
        logs_in(host, password)
        code = opens_first(host)
        bilal.context.route("**/away/**", lambda route: route.abort())
        comes_in(bilal, code, "Bilal")
        gone = host.page.locator(".desk-list li").filter(has_text="Bilal")
        expect(gone.get_by_text("ready")).to_be_visible()
        goes_away(bilal)
        expect(gone.get_by_text("away")).to_be_visible()


def test_no_word_of_a_closing_lobby_is_lost_in_the_service_worker(
    chromium: Browser, site: Site, password: str
) -> None:
    with Person(chromium, site.url) as host, Person(chromium, site.url) as bilal:
        logs_in(host, password)
        code = opens_first(host)
        comes_in(bilal, code, "Bilal")
        sql = (
            "select closed_pages from rooms_member m"
            " join rooms_room r on r.id = m.room_id where r.code = %s"
        )
        for _ in range(6):
            bilal.page.goto(f"/rooms/{code}/")
            bilal.page.wait_for_function("navigator.serviceWorker.controller !== null")
            told = bilal.page.locator("[data-away]").get_attribute("data-away") or ""
            goes_away(bilal)
            name = told.split("page=")[1]
            until(lambda name=name: name in site.query(sql, code)[0][0])  # type: ignore[misc]


def test_a_personal_link_takes_the_seat_along(chromium: Browser, site: Site, password: str) -> None:
    with (
        Person(chromium, site.url) as host,
        Person(chromium, site.url) as phone,
        Person(chromium, site.url) as laptop,
    ):
        logs_in(host, password)
        code = opens_first(host)
        comes_in(phone, code, "Asha")
        phone.page.get_by_text("On another device, or away").click()
        link = phone.page.get_by_label(re.compile("Your personal link")).input_value()
        laptop.page.goto(link)
        laptop.page.get_by_role("button", name="Sit down here").click()
        expect(laptop.page.get_by_role("heading", name="You are in")).to_be_visible()
        expect(phone.page.get_by_text("has moved to another device")).to_be_visible()


def test_whoever_was_away_is_told_of_and_finds_the_seat_again(
    chromium: Browser, site: Site, password: str
) -> None:
    long_ago = "datetime(created_at, '-60 seconds')"
    with (
        Person(chromium, site.url) as host,
        Person(chromium, site.url) as asha,
        Person(chromium, site.url) as bilal,
    ):
        logs_in(host, password)
        code = opens_first(host)
        comes_in(asha, code, "Asha")
        comes_in(bilal, code, "Bilal")
        host.page.get_by_role("button", name="Start").click()
        for person in (asha, bilal):
            person.page.wait_for_url(TABLE)
        seller, buyer = (asha, bilal) if "/sell/" in asha.page.url else (bilal, asha)
        table = buyer.page.url
        game = table.split("/")[-2]
        expect(buyer.page.get_by_text("Your move, within")).to_be_visible()
        expect(seller.page.get_by_text("for the other side to move")).to_be_visible()
        seller.page.get_by_label(re.compile("Your words")).fill("It is like new.")
        seller.page.get_by_role("button", name="Send").click()
        expect(buyer.page.locator(".sale-talk")).to_contain_text("like new")

        buyer.page.goto("/learn/")
        site.execute(
            f"update negotiation_eventrow set created_at = {long_ago} where game_id = %s", game
        )
        site.execute(
            f"update negotiation_game set created_at = {long_ago}, buyer_seen_at = null"
            " where id = %s",
            game,
        )
        expect(seller.page.get_by_text("The other side is away")).to_be_visible()
        expect(seller.page.get_by_role("button", name="End the game")).to_be_visible()
        gone = host.page.locator(".desk-list li").filter(has_text="buys")
        expect(gone).to_contain_text("not at the table")
        gone.get_by_role("button", name="The house plays on").click()
        expect(host.page.locator(".desk-list")).to_contain_text("opposite the house")

        buyer.page.goto(f"/rooms/{code}/")
        expect(buyer.page.get_by_role("link", name="Sit down")).to_have_attribute(
            "href", f"/buy/{game}/"
        )
        expect(host.page.locator(".desk-list")).not_to_contain_text("opposite the house")
        for person in (host, asha, bilal):
            person.saw_no_errors()
