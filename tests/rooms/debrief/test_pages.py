"""What the pages of a debrief show of classes of every size."""

import re
import xml.etree.ElementTree as ET

import pytest

from rooms.models import Room
from rooms.plan import Plan
from tests.rooms.debrief.test_access import address, as_host
from tests.support.class_rooms import a_game, a_member, a_room, ask, bid, fill, takes, walks

SVG = re.compile(r"<svg viewBox=.*?</svg>", re.DOTALL)


def charts(body: str) -> dict[str, ET.Element]:
    """The pictures of a page by the key that begins their ids; each must be well formed."""
    found = {}
    for text in SVG.findall(body):
        if "aria-labelledby" in text:
            svg = ET.fromstring(text)
            found[svg.attrib["aria-labelledby"].removesuffix("-title")] = svg
    return found


def page_of(room: Room, page: str = "debrief/") -> str:
    """A page as the host sees it."""
    answer = as_host(room).get(address(room, page))
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_a_class_shows_every_slide(db: None) -> None:
    room = a_room()
    fill(room, people=13, rounds=2)
    drawn = charts(page_of(room))
    assert set(drawn) >= {"zones", "money", "shares", "bids", "course"}
    for svg in drawn.values():
        title, words = svg[0], svg[1]
        assert (title.tag, words.tag) == ("title", "desc")
        assert title.text
        assert words.text
        assert svg.attrib["role"] == "group"


def test_every_game_is_a_point_that_opens_its_replay(four: Room) -> None:
    drawn = charts(page_of(four))

    def opened(key: str) -> set[str]:
        return {link.attrib["href"].split("/")[2] for link in drawn[key].iter("a")}

    games = {row.round * 10 + place: row.game_id for place, row in enumerate(four.games.all())}
    first, second, third, fourth = games.values()
    assert opened("zones") == {first, second, fourth}
    assert opened("money") == {first, second, third, fourth}
    assert opened("shares") == {first, fourth}
    assert opened("lost") == {second}
    assert "bids" not in drawn  # two deals say nothing
    for link in drawn["zones"].iter("a"):
        assert link[0].tag == "title"
        assert link.attrib["tabindex"] == "-1"


def test_the_deal_stands_where_the_hand_puts_it(four: Room) -> None:
    drawn = charts(page_of(four))["zones"]
    (people,) = [one for one in drawn.iter("circle") if "is-people" in one.get("class", "")]
    (policy,) = [one for one in drawn.iter("circle") if "is-policy" in one.get("class", "")]
    ticks = {one.text: float(one.attrib["y"]) for one in drawn.iter("text") if one.text}
    top, bottom = ticks["100\N{NO-BREAK SPACE}%"], ticks["0\N{NO-BREAK SPACE}%"]
    letter = float(drawn.attrib["font-size"]) * 0.32

    def place(circle: ET.Element) -> float:
        return (bottom - float(circle.attrib["cy"]) - letter) / (bottom - top)

    assert place(people) == pytest.approx(0.6, abs=0.005)
    assert place(policy) == pytest.approx(1.0, abs=0.005)


def test_an_empty_room_says_so(db: None) -> None:
    room = a_room("Nobody")
    body = page_of(room)
    assert "No game has ended yet." in body
    assert not charts(body)
    assert "Nobody is here yet." in page_of(room, "progress/")
    assert len(page_of(room, "gradebook.csv").splitlines()) == 1


@pytest.mark.parametrize(
    "deeds",
    [
        [bid(1100), ask(1800), bid(1500), takes("seller")],
        [bid(1100), walks("seller")],
        [walks("buyer")],
        [bid(1200), takes("seller")],
        [bid(1100), ask(1700), takes("buyer")],
    ],
)
def test_one_game_of_any_end_is_drawn(db: None, deeds: list[object]) -> None:
    room = a_room()
    a_game(room, a_member(room, "Asha"), a_member(room, "Ravi"), deeds)  # type: ignore[arg-type]
    body = page_of(room)
    assert charts(body)
    assert "on average" not in body
    assert body.count("<li><p>") >= 4


def test_a_room_without_any_zone_is_drawn(db: None) -> None:
    room = a_room()
    limits = (1000.0, 900.0, 800.0)
    deeds = [bid(500), walks("seller")]
    a_game(room, a_member(room, "Asha"), a_member(room, "Ravi"), deeds, limits=limits)
    body = page_of(room)
    assert "zones" not in charts(body)
    assert "No deal was missed" in body


def test_a_zone_of_one_price_is_shared_evenly(db: None) -> None:
    room = a_room()
    limits = (1000.0, 800.0, 800.0)
    deeds = [bid(800), takes("seller")]
    a_game(room, a_member(room, "Asha"), a_member(room, "Ravi"), deeds, limits=limits)
    assert "50\N{NO-BREAK SPACE}%" in page_of(room)


def test_two_hundred_games_are_drawn_once_each(db: None) -> None:
    room = a_room(plan=Plan(games=2))
    people = [a_member(room, f"P{number}") for number in range(40)]
    for number in range(5):
        for seller, buyer in zip(people[::2], people[1::2], strict=True):
            deeds = [bid(1100 + 10 * number), ask(1800), bid(1300 + 20 * number), takes("seller")]
            a_game(room, seller, buyer, deeds, number=number + 1)
    drawn = charts(page_of(room))["zones"]
    circles = [one for one in drawn.iter("circle") if "debrief-deal" in one.get("class", "")]
    assert len(circles) == 100
    across = [float(one.attrib["cx"]) for one in circles]
    assert len(set(across)) == 100
    assert max(across) <= 640


def test_the_counting_part_asks_again(four: Room) -> None:
    part = as_host(four).get(address(four, "progress/"), HTTP_HX_REQUEST="true").content.decode()
    assert part.lstrip().startswith('<div id="progress"')
    assert 'hx-trigger="every 3s"' in part
