"""A finished game in which a price was taken back: nobody ever named it, wherever it is told."""

import json

import pytest
from django.test import Client

from bazaarbatna.bargain.events import OfferMade
from bazaarbatna.bargain.moves import Accept, Offer
from negotiation.bargain import sessions
from negotiation.bargain.commands import Say, Withdraw
from negotiation.bargain.continuation import Crossroads
from negotiation.bargain.recorded import record_of
from negotiation.games.game import Choice
from negotiation.models import Game
from tests.support.builders import a_started_sale, rupees
from tests.support.visitors import key_of

pytestmark = pytest.mark.django_db

MISHEARD = "1111 se shuru karte hain"


@pytest.fixture
def game(asha: Client) -> Game:
    """One price replaced by a line, one taken back by the button, then a deal."""
    owner = key_of(asha)
    game = a_started_sale(owner, share_replay=True)
    sessions.play(game.pk, owner, Offer(rupees(1311), MISHEARD))
    sessions.play(game.pk, owner, Say("no, I said 1,900"))
    assert sessions.opponent_turn(game.pk)
    sessions.play(game.pk, owner, Offer(rupees(1411), "1411 hi to bola"))
    sessions.play(game.pk, owner, Withdraw())
    sessions.play(game.pk, owner, Say("1850 final hai bhai"))
    assert sessions.opponent_turn(game.pk)
    sessions.play(game.pk, owner, Accept("le jao"))
    game.refresh_from_db()
    assert game.outcome == "deal"
    return game


def test_the_replay_draws_and_tells_the_prices_that_counted(asha: Client, game: Game) -> None:
    for seq in range(1, game.last_seq + 1):
        page = asha.get(f"/replays/{game.pk}/?seq={seq}")
        assert page.status_code == 200
        html = page.content.decode()
        assert "1,311" not in html
        assert "1,411" not in html
    assert MISHEARD in html
    assert "₹1,900" in html


def test_the_file_that_is_taken_home_comes_back(asha: Client, game: Game) -> None:
    file = json.loads(asha.get(f"/replays/{game.pk}.json").content)
    assert "withdrawn" not in {event["kind"] for event in file["events"]}
    asked = [event["price"] for event in file["events"] if event["kind"] == "offer"]
    assert 1311 not in asked
    body = json.dumps(file).encode()
    answer = asha.post("/api/replays/import/", body, content_type="application/json")
    assert answer.status_code == 201, answer.content
    again = Game.objects.get(pk=answer.json()["id"])
    assert record_of(again).events == record_of(game).events


def test_what_if_plays_on_from_any_move_that_counted(game: Game) -> None:
    record = record_of(game)
    asks = [seq for seq, event in enumerate(record.events, 1) if isinstance(event, OfferMade)]
    for seq in asks:
        at = Crossroads(record, seq)
        price = getattr(record.events[seq - 1], "price", None)
        line = at.play(at.move_of(Choice("offer", price)))
        assert line.events[: seq - 1] == record.events[: seq - 1]
        assert line.events == record.events


def test_the_certificate_counts_no_price_that_was_taken_back(game: Game) -> None:
    assert game.certificate is not None
    assert all(not check["broken"] for check in game.certificate["checks"])
