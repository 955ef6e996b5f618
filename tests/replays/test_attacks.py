"""Mallory and the replays: what is private stays so, and nobody keeps the site busy."""

import copy
import json
from typing import Any

import pytest
from django.test import Client

from bazaarbatna.bargain.quantities import Paise
from negotiation.games import fork as forking
from negotiation.games.fork import fork
from negotiation.games.game import Choice
from negotiation.models import Game
from replays.preview.views import withdraw
from replays.transfer.reading import MOST_ROUNDS
from tests.support.finished import a_haggle, store
from tests.support.tables import a_match, plays_out
from tests.support.visitors import a_visitor, key_of

pytestmark = pytest.mark.django_db


def shares(client: Client, pk: str, public: str) -> None:
    assert client.post(f"/replays/{pk}/share/", {"public": public}).status_code == 302


def asks(client: Client, pk: str, **body: object) -> dict[str, Any]:
    answer = client.post(f"/api/replays/{pk}/fork/", json.dumps(body), "application/json")
    assert answer.status_code == 201, answer.content
    return dict(answer.json())


def test_a_what_if_of_a_what_if_does_not_publish_a_game_that_was_taken_back(
    asha: Client, chetan: Client, shared: Game
) -> None:
    child = asks(chetan, shared.pk, seq=3, action="offer", price=1750)["id"]
    shares(asha, shared.pk, "0")
    deeper = asks(chetan, child, seq=3, action="offer", price=1740)["id"]
    for own in (deeper, child):
        shares(chetan, own, "1")
        assert a_visitor().get(f"/replays/{own}/").status_code == 404
    shares(asha, shared.pk, "1")
    shares(chetan, deeper, "1")
    # Its own parent is the visitor's own, and nothing above it is private any more.
    assert a_visitor().get(f"/replays/{deeper}/").status_code == 200


def test_a_question_that_was_asked_in_private_has_an_answer_for_everybody(
    asha: Client, chetan: Client, kept: Game
) -> None:
    body = {"seq": 3, "action": "offer", "price": 1750}
    private = asks(asha, kept.pk, **body)
    shares(asha, kept.pk, "1")
    told = asks(chetan, kept.pk, **body)
    assert told["id"] != private["id"]
    assert chetan.get(told["url"]).status_code == 200
    assert asks(chetan, kept.pk, **body) == told
    assert asks(asha, kept.pk, **body) == private
    assert chetan.get(private["url"]).status_code == 404
    assert {**told, "id": "", "url": ""} == {**private, "id": "", "url": ""}


def test_so_it_is_with_matches(chetan: Client) -> None:
    match = a_match(seed=4)
    plays_out(match.pk)
    told = asks(a_visitor(), match.pk, seq=2, action="walk")
    Game.objects.filter(pk=told["id"]).update(share_replay=False)
    again = asks(chetan, match.pk, seq=2, action="walk")
    assert again["id"] != told["id"]
    assert chetan.get(again["url"]).status_code == 200


def test_a_game_that_goes_private_while_a_what_if_is_played_takes_it_along(
    asha: Client, shared: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare = forking.difference

    def slowly(*asked: Any) -> Any:
        withdraw(Game.objects.get(pk=shared.pk), key_of(asha))
        return compare(*asked)

    monkeypatch.setattr(forking, "difference", slowly)
    child = fork(shared, 3, Choice("offer", Paise(175_000)), "mallory")
    assert not Game.objects.get(pk=child.pk).share_replay


def test_a_file_cannot_order_a_game_of_a_thousand_rounds(asha: Client) -> None:
    game = store(a_haggle(), owner=key_of(asha))
    file = json.loads(asha.get(f"/replays/{game.pk}.json").content)
    for rounds in (MOST_ROUNDS + 1, 1000):
        long = copy.deepcopy(file)
        long["game"]["max_rounds"] = long["events"][0]["max_rounds"] = rounds
        answer = asha.post("/api/replays/import/", json.dumps(long), "application/json")
        assert answer.status_code == 400
        assert answer.json()["error"]["code"] == "unreadable-replay"


def test_a_length_of_thousands_of_digits_is_too_long_a_file(asha: Client) -> None:
    answer = asha.generic(
        "POST",
        "/api/replays/import/",
        b"{}",
        content_type="application/json",
        CONTENT_LENGTH="9" * 5000,
    )
    assert answer.status_code == 400
