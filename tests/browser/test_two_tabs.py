"""One game in two tabs: what happens in one is seen in the other, and nothing happens twice."""

from tests.support.browsing import Person, expect
from tests.support.haggling import Haggle, sells_the_book
from tests.support.servers import Site


def test_two_tabs_of_one_game_stay_in_step(asha: Person, site: Site) -> None:
    left = sells_the_book(asha, site)
    right = Haggle(asha.context.new_page())
    right.page.goto(left.page.url)
    right.my_turn(1)
    right.connection("live")
    for round_, (speaker, words) in enumerate(
        ((left, "170 bas"), (right, "165 chalo"), (left, "160, aur kam nahi")), start=2
    ):
        speaker.says(words)
        for tab in (left, right):
            tab.my_turn(round_)
            assert tab.said() == words
    assert left.numbers() == right.numbers()
    expect(right.words).to_have_value("")

    right.words.fill("half a senten")
    left.walks()
    right.ended("You walked away")
    assert left.numbers() == right.numbers()
    for tab in (left, right):
        expect(tab.page.locator("[data-connection]")).to_be_hidden()
