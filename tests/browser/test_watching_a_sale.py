"""Asha sells in one browser and lets Bilal watch in another: the line, and never the secret."""

import re

from playwright.sync_api import Browser

from tests.support.browsing import Person, expect, has_no_sideways_scroll
from tests.support.haggling import sells_the_book
from tests.support.servers import Site

RESERVATION = ("80.85", "8085")


def lets_a_friend_watch(asha: Person) -> str:
    """Press the button and give the link."""
    asha.page.get_by_role("button", name="Let a friend watch").click()
    link = asha.page.get_by_role("textbox", name="Link for your friend")
    expect(link).to_have_value(re.compile(r"/watch/[a-z0-9]{24}/$"))
    return link.input_value()


def test_bilal_watches_asha_sell_and_never_sees_her_number(
    chromium: Browser, asha: Person, site: Site
) -> None:
    haggle = sells_the_book(asha, site)
    link = lets_a_friend_watch(asha)
    with Person(chromium, site.url, viewport={"width": 360, "height": 720}) as bilal:
        heard: list[str] = []
        bilal.page.on(
            "websocket", lambda ws: ws.on("framereceived", lambda x: heard.append(str(x)))
        )
        bilal.page.goto(link)
        expect(bilal.page.locator("[data-connection]")).to_have_attribute("data-state", "live")
        expect(asha.page.locator("[data-guest-count]")).to_have_text("1 watching")
        has_no_sideways_scroll(bilal.page)
        haggle.says("170, theres 3 other offers that ive got")
        said = bilal.page.locator("#transcript").get_by_text("theres 3 other offers")
        expect(said).to_be_visible()
        haggle.my_turn(2)
        expect(bilal.page.locator("#transcript [data-actor=buyer][data-kind=offer]")).to_have_count(
            2
        )
        expect(bilal.page.locator("#sale-standing .is-ask")).to_contain_text("₹170")
        haggle.walks()
        expect(
            bilal.page.get_by_role("heading", level=2, name="The seller walked away")
        ).to_be_visible()
        everything = bilal.page.content() + "".join(heard)
        for number in RESERVATION:
            assert number not in everything
        assert RESERVATION[0] in asha.page.content()
        bilal.page.get_by_role("link", name="Sell something yourself").click()
        bilal.saw_no_errors()


def test_stopping_tells_bilal_at_once(chromium: Browser, asha: Person, site: Site) -> None:
    sells_the_book(asha, site)
    link = lets_a_friend_watch(asha)
    with Person(chromium, site.url) as bilal:
        bilal.page.goto(link)
        lamp = bilal.page.locator("[data-connection]")
        expect(lamp).to_have_attribute("data-state", "live")
        asha.page.get_by_role("button", name="Stop sharing").click()
        expect(lamp).to_have_text("Not shared any more")
        expect(asha.page.get_by_role("button", name="Let a friend watch")).to_be_visible()


def test_sharing_and_watching_work_without_scripts(chromium: Browser, site: Site) -> None:
    with (
        Person(chromium, site.url, java_script_enabled=False) as asha,
        Person(chromium, site.url, java_script_enabled=False) as bilal,
    ):
        sells_the_book(asha, site, scripts=False)
        bilal.page.goto(lets_a_friend_watch(asha))
        expect(bilal.page.locator("#transcript")).to_contain_text("Sauda bid")
        assert RESERVATION[0] not in bilal.page.content()
