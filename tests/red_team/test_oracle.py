"""Nothing that is asked while a game runs depends on what is sealed; and what would, is found."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any
from unittest import mock

import pytest

from bazaarbatna.bargain.quantities import Paise
from negotiation.bargain import visibility
from negotiation.bargain.scenarios import stored_scenario
from negotiation.bargain.web import views
from negotiation.errors import UnknownGame
from negotiation.models import Game
from tests.support.oracle import bargains, days, information, rooms, tables
from tests.support.oracle.bargains import by
from tests.support.oracle.worlds import NOT_ASKED, World, a_world, measure

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def deaf() -> Iterator[None]:
    """A buyer whose bids do not depend on what it can pay."""
    with bargains.a_deaf_buyer():
        yield


few = by("asha", depth="few")

SURFACES: dict[str, tuple[Sequence[Any], Callable[[Any], World], Any]] = {
    "a sale": (bargains.BUDGETS[:2], bargains.a_sale("sauda"), few),
    "a sale to a buyer whose bids say nothing": (bargains.WIDE, bargains.a_sale("rules:deaf"), few),
    "a purchase": (bargains.FLOORS[:2], bargains.a_purchase("seller:default"), few),
    "the other one's budget": (bargains.WIDE[1:3], bargains.a_table("budget"), few),
    "rivals' limits": (tables.LIMITS[:2], tables.a_match, few),
    "a rival's envelope": (tables.ENVELOPES[:2], tables.an_envelope, few),
    "other labs": (tables.CHANGES, tables.a_market, few),
    "a day": ((20_000, 90_000), days.a_day, by("chetan", depth="few")),
    "a private game": (bargains.WIDE[:2], bargains.a_private_game, by("chetan", depth="few")),
}


@pytest.mark.parametrize("name", SURFACES)
def test_no_answer_depends_on_what_is_sealed(name: str) -> None:
    variants, deal, asks = SURFACES[name]
    found = measure(name, variants, deal, asks)
    if any(NOT_ASKED.decode() in (leak.one, leak.other) for leak in found.leaks):
        # A thread that another test left draws from the same dice, so that the two worlds name
        # their games differently; what depends on the sealed value does so again.
        found = measure(name, variants, deal, asks)
    assert found.leaks == []
    # A measurement in which nothing could be compared would say nothing.
    assert found.compared > 50


def test_a_number_that_is_told_is_found() -> None:
    shown = visibility._opened

    def telling(event: Any, row: Any, game: Game) -> dict[str, Any]:
        budget = stored_scenario(game).sealed.budget
        return {**shown(event, row, game), "max_rounds": 10 + (budget > 170_000)}

    with mock.patch.dict(visibility.VISIBLE["opened"], {"seller": telling}):
        found = measure("planted", bargains.BUDGETS[:2], bargains.a_sale("rules:deaf"), few)
    assert any("GET /api/sell/" in leak.ask for leak in found.leaks)
    assert any("socket sell" in leak.ask for leak in found.leaks)


def test_a_refusal_that_depends_on_it_is_found() -> None:
    again = views.open_rematch

    def refusing(owner: str, first: Game, **more: Any) -> Game:
        if stored_scenario(first).sealed.budget > 170_000:
            raise UnknownGame("Not now.")
        return again(owner, first, **more)

    with mock.patch.object(views, "open_rematch", refusing):
        found = measure("planted", bargains.BUDGETS[:2], bargains.a_sale("rules:deaf"), few)
    assert [leak.ask for leak in found.leaks if "/again/" in leak.ask] != []
    assert [leak.ask for leak in found.leaks if "/again/" not in leak.ask] == []


def test_worlds_that_part_in_public_are_not_compared() -> None:
    found = measure("apart", (Paise(170_000), Paise(160_000)), bargains.a_sale("rules:og"), few)
    assert (found.worlds, found.compared, found.leaks) == (2, 0, [])


def test_a_study_tells_neither_its_people_nor_its_host() -> None:
    asks = by("asha", "meera", "omar", depth="few")

    def in_the_room(world: World) -> list[Any]:
        code, game = world.things["room"], world.things["game"]
        wanted = ("desk/", "desk/now/", "data/", "export/", "gradebook.csv", "progress/", "lobby/")
        places = [f"/rooms/{code}/{one}" for one in (*wanted, "debrief/", "study/pay.csv", "")]
        mine = [("GET", place, who, {}, None) for place in places for who in ("meera", "chetan")]
        return [ask for ask in asks(world) if game in ask[1]] + mine

    found = measure("a study", (1700, 1750), rooms.a_live_study, in_the_room)
    assert found.leaks == []
    assert found.compared > 20


def test_an_episode_tells_a_program_nothing_but_the_sellers_moves() -> None:
    found = measure("an episode", (0, 0, 100), rooms.an_episode, lambda _: [])
    assert found.leaks == []
    assert found.compared >= 6


INFORMATION = {one.name: one for one in information.surfaces()}


@pytest.mark.parametrize("name", ["challenges", "share cards", "ETags"])
def test_a_client_receives_no_bit_of_what_is_sealed(name: str) -> None:
    found = information.measured(INFORMATION[name], trials=8)
    assert found.bits <= found.floor
    assert found.asks > 20
    assert found.most > 0.5, "the sealed values differ; of eight some may be alike"


def test_a_bit_that_a_client_receives_is_measured() -> None:
    found = information.measured(INFORMATION["planted: a bit in a frame"], trials=16)
    assert found.is_told
    assert found.bits > 0.8


def test_the_image_of_a_card_is_named_by_what_it_shows() -> None:
    names = set()
    for zone in (50_000, 50_100):
        with a_world():
            world = days.a_card(zone)
            place = f"/daily/card/{world.things['card']}.png"
            names.add((world.public, world.people["chetan"].get(place)["ETag"]))
    assert len(names) == 1
