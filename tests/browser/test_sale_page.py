"""Small things of the game page that only a browser can tell."""

import re

from playwright.sync_api import WebSocketRoute

from tests.support.browsing import Person, expect
from tests.support.haggling import Haggle, sells_the_book
from tests.support.servers import Site


def test_the_seal_of_a_sheet_that_came_by_socket_can_be_checked_in_the_browser(
    asha: Person, site: Site
) -> None:
    haggle = sells_the_book(asha, site)
    haggle.walks()
    checks_the_seal(haggle)
    haggle.page.reload()
    checks_the_seal(haggle)


def checks_the_seal(haggle: Haggle) -> None:
    haggle.sheet.get_by_text("Check the seal").click()
    haggle.sheet.get_by_role("button", name="Check it here").click()
    expect(haggle.sheet.locator(".seal output")).to_contain_text("Kept")


def test_after_a_click_on_send_the_next_line_can_be_typed_at_once(asha: Person, site: Site) -> None:
    haggle = sells_the_book(asha, site)
    haggle.words.fill("175")
    haggle.send.click()
    haggle.my_turn(2)
    expect(haggle.words).to_be_focused()


def test_what_a_frame_leaves_as_it_was_stays_and_the_rest_is_drawn_anew(
    asha: Person, site: Site
) -> None:
    haggle = sells_the_book(asha, site)
    haggle.says("175")
    haggle.my_turn(2)
    panels = (
        "['sale-outcome', 'sale-chart', 'sale-standing'].map((id) => document.getElementById(id))"
    )
    haggle.page.evaluate(f"() => {{ window.drawn = {panels} }}")
    haggle.says("170")
    haggle.my_turn(3)
    assert haggle.page.evaluate("drawn.map((one) => one.isConnected)") == [True, False, False]
    haggle.walks()
    expect(haggle.sheet).to_be_visible()


def test_the_lamp_of_the_line_goes_out_with_the_game(asha: Person, site: Site) -> None:
    haggle = sells_the_book(asha, site)
    haggle.walks()
    expect(haggle.page.locator("[data-connection]")).to_be_hidden()


def test_two_prices_are_asked_back_and_settled_by_one_press(asha: Person, site: Site) -> None:
    haggle = sells_the_book(asha, site)
    haggle.says("160 ya 155?")
    choices = haggle.page.locator("[data-error]").get_by_role("button")
    expect(choices).to_have_count(2)
    expect(haggle.words).to_have_value("160 ya 155?")
    choices.filter(has_text="155").click()
    haggle.my_turn(2)
    haggle.asked(155)


def test_the_page_reads_well_aloud(asha: Person, site: Site) -> None:
    haggle = sells_the_book(asha, site)
    expect(haggle.page.get_by_role("main")).to_match_aria_snapshot("""
      - article:
        - heading "R D Sharma, Mathematics for class 10" [level=1]
        - complementary "Beside the talk":
          - group:
            - heading "Your cards" [level=2]
          - group:
            - heading "Prices" [level=2]
          - group:
            - heading "What Sauda reads" [level=2]
        - region "The haggle":
          - log "What was said":
            - article: You opened at ₹180
            - article: /Round 1/
          - textbox "Your words to Sauda"
          - button "Send"
          - button /Accept ₹\\d+/
          - button "Walk away"
    """)


def test_a_press_counts_while_the_page_is_told_what_it_does_not_show(
    asha: Person, site: Site
) -> None:
    """A button that were drawn anew between press and release would not have been pressed."""
    lines: list[tuple[WebSocketRoute, list[str | bytes]]] = []

    def passes_on(line: WebSocketRoute) -> None:
        server, panels = line.connect_to_server(), list[str | bytes]()

        def hears(message: str | bytes) -> None:
            if '"panels"' in str(message):
                panels.append(message)
            line.send(message)

        server.on_message(hears)
        lines.append((line, panels))

    asha.page.route_web_socket(re.compile("/ws/sell/"), passes_on)
    haggle = sells_the_book(asha, site)
    haggle.says("175")
    haggle.my_turn(2)
    accept = haggle.page.get_by_role("button", name="Accept")
    accept.hover()
    haggle.page.mouse.down()
    line, panels = lines[-1]
    haggle.page.evaluate("addEventListener('page:drawn', () => (document.body.dataset.told = ''))")
    line.send(panels[0])
    haggle.page.wait_for_timeout(500)
    told = haggle.page.locator("body[data-told]")
    expect(told).to_have_count(0)
    haggle.page.mouse.up()
    expect(told).to_be_attached()
    haggle.ended(re.compile("₹"))
