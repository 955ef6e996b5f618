"""A line that breaks in the middle of a game: the page says so, waits, and catches up."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, WebSocketRoute

from tests.support.browsing import Person, expect
from tests.support.haggling import sells_the_book
from tests.support.servers import Site

CUT = r"WebSocket connection to .* failed|ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED"
"""What a console says about a line that was cut on purpose."""


@pytest.fixture
def fragile(tmp_path: Path) -> Iterator[Site]:
    """A site of one's own whose buyer takes a second: time to be killed in."""
    with Site(tmp_path, BAZAAR_BUYER_PAUSE_S="1") as running:
        yield running


def test_a_server_killed_in_mid_turn_comes_back_to_the_same_game(
    chromium: Browser, fragile: Site
) -> None:
    with Person(chromium, fragile.url) as asha:
        haggle = sells_the_book(asha, fragile)
        haggle.says("im sorry 170 and im making a loss")
        expect(haggle.page.locator("[data-thinking]")).to_be_visible()
        expect(haggle.asks).to_have_count(1)
        fragile.kill()
        haggle.connection("reconnecting")
        before = haggle.numbers()
        haggle.words.fill("165, last")
        haggle.words.press("Enter")
        expect(haggle.words).to_have_value("165, last")

        fragile.start()
        haggle.connection("live")
        haggle.my_turn(2)
        assert haggle.numbers()[: len(before)] == before
        expect(haggle.words).to_have_value("165, last")
        haggle.words.press("Enter")
        haggle.my_turn(3)
        haggle.asked(165)
        known = fragile.numbers(haggle.game_id)
        assert known == list(range(1, len(known) + 1))
        haggle.walks()
        asha.saw_no_errors(but=CUT)


def test_a_phone_without_network_keeps_the_words_and_catches_up(asha: Person, site: Site) -> None:
    haggle = sells_the_book(asha, site)
    asha.context.set_offline(True)
    haggle.connection("offline")
    haggle.says("170, tunnel mein hoon")
    expect(haggle.page.locator("[data-error]")).to_contain_text("offline")
    expect(haggle.words).to_have_value("170, tunnel mein hoon")
    asha.context.set_offline(False)
    haggle.connection("live")
    haggle.words.press("Enter")
    haggle.my_turn(2)
    haggle.asked(170)
    asha.complaints = [line for line in asha.complaints if "ERR_INTERNET_DISCONNECTED" not in line]


def test_what_is_sent_before_the_line_is_open_goes_with_its_opening(
    asha: Person, site: Site
) -> None:
    haggle = sells_the_book(asha, site)
    opening: list[WebSocketRoute] = []

    def opens_late(line: WebSocketRoute) -> None:
        opening.append(line)
        haggle.says("170, slow train")
        expect(haggle.send).to_be_disabled()
        line.connect_to_server()

    haggle.page.route_web_socket(re.compile("/ws/sell/"), opens_late)
    haggle.page.reload()
    haggle.my_turn(2)
    haggle.asked(170)
    assert len(opening) == 1
