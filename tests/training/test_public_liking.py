"""Buyers by what they keep and how they are liked: from a table, and from what people answer."""

from html import unescape
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client

from negotiation import ttl_cache
from negotiation.models import Game, GameAnswer
from training.pages.public.liking import FEWEST, liking, people_said
from training.receipts.tables import MannersTable

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh() -> None:
    ttl_cache.forget()


def played(owner: str, policy: str = "sauda-network", **answers: int) -> Game:
    """A finished game whose person answered."""
    extra: dict[str, Any] = {"status": Game.Status.ENDED}
    game = Game.objects.create(owner=owner, title="Lamp", policy=policy, **extra)
    tell(game, **answers)
    return game


def tell(game: Game, **answers: int) -> None:
    for question, value in answers.items():
        GameAnswer.objects.create(game=game, side="seller", question=question, value=value)


def html(client: Client) -> str:
    return unescape(client.get("/evidence/").content.decode())


def test_every_buyer_of_the_table_stands_on_the_plane_and_below_it(client: Client) -> None:
    table, told = MannersTable.shipped(), liking()
    assert table is not None
    assert told is not None
    assert len(told["rows"]) == len(table.rows)
    chart = ElementTree.fromstring(told["chart"])
    assert len(list(chart.iter("circle"))) == len(table.rows)
    text = html(client)
    assert 'id="liking"' in text
    for row in told["rows"]:
        assert row.title in text
    shares = [float(row.share.text) for row in told["rows"] if row.share]
    assert shares == sorted(shares, reverse=True)
    receipt = client.get(told["receipt"])
    assert receipt.status_code == 200
    assert "Nothing yet" in text


def test_nothing_is_said_of_whom_fewer_than_five_people_judged(client: Client) -> None:
    for number in range(FEWEST - 1):
        played(f"person {number}", process=7, again=1)
    told = liking()
    assert told is not None
    assert (told["judged"], told["judged_chart"], told["waiting"]) == ((), "", 1)
    assert "1 more player was judged by fewer than 5 people" in html(client)
    ttl_cache.forget()
    played("person 5", process=7)
    told = liking()
    assert told is not None
    (row,) = told["judged"]
    assert row.people == FEWEST
    fair, again = row.cells[2], row.cells[4]
    assert fair is not None
    assert (fair.text, fair.high) == ("7.0", "7.0")
    assert float(fair.low) < 5, "five people who agree are no certainty"
    assert again is None, "four people said whether they would bargain again"
    assert told["judged_chart"] == ""
    assert "too few" in html(client)


def test_five_people_draw_a_player_by_who_would_bargain_again(client: Client) -> None:
    for number in range(FEWEST):
        played(f"person {number}", again=int(number != 0))
    told = liking()
    assert told is not None
    again = told["judged"][0].cells[4]
    assert again is not None
    assert again.text == "80\N{NO-BREAK SPACE}%"
    chart = ElementTree.fromstring(told["judged_chart"])
    assert "80" in (chart.findtext("desc") or "")
    assert str(told["judged_chart"]) in client.get("/evidence/").content.decode()


def test_a_person_counts_once_however_much_she_plays() -> None:
    for value in (1, 1, 1, 7):
        played("asha", self=value)
    played("ravi", self=7)
    mean, people = people_said()["sauda-network"]["self"]
    assert (mean, people) == (pytest.approx((0.25 + 1) / 2), 2)


def test_practice_pairs_rooms_and_brought_games_count_nowhere() -> None:
    first = played("asha")
    changes: tuple[dict[str, Any], ...] = (
        {"rematch_of": first},
        {"rival": "ravi"},
        {"policy": "person"},
        {"terms": {"back": "/rooms/ABCDEF/", "feelings": True}},
        {"source": Game.Source.IMPORT},
    )
    for change in changes:
        game = played("asha", again=1)
        Game.objects.filter(pk=game.pk).update(**change)
    assert people_said() == {}


def test_without_a_table_and_people_there_is_no_section(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MannersTable, "shipped", classmethod(lambda _: None))
    assert liking() is None
    assert 'id="liking"' not in html(client)
    for number in range(FEWEST):
        played(f"person {number}", again=1)
    ttl_cache.forget()
    told = liking()
    assert told is not None
    assert (told["rows"], told["chart"], len(told["judged"])) == ((), "", 1)
    assert "What people say" in html(client)
