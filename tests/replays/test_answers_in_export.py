"""How a game was goes into its file, and everything else in it stays the bytes it was."""

import json
from typing import Any

import pytest
from django.test import Client

from negotiation.models import Game, GameAnswer
from tests.replays.test_thumbs_in_export import brings, downloads, rates, unsigned
from tests.support.finished import a_haggle, store
from tests.support.visitors import key_of

pytestmark = pytest.mark.django_db


def says(game: Game, **answers: int) -> None:
    for question, value in answers.items():
        GameAnswer.objects.create(game=game, side="seller", question=question, value=value)


def test_the_file_holds_the_answers_under_the_next_number(asha: Client, shared: Game) -> None:
    before = downloads(asha, shared)
    says(shared, again=0, instrumental=5)
    file = unsigned(downloads(asha, shared))
    assert (file["format"], list(file)[-1]) == ("bazaarbatna.replay/3", "answers")
    assert file["answers"] == {"instrumental": 5, "again": 0}
    rest = {**file, "format": "bazaarbatna.replay/1"}
    del rest["answers"]
    assert rest == unsigned(before)
    rates(asha, shared, 2, "up")
    assert list(unsigned(downloads(asha, shared)))[-2:] == ["thumbs", "answers"]
    rates(asha, shared, 2, "none")
    GameAnswer.objects.all().delete()
    assert downloads(asha, shared) == before


def test_a_file_with_answers_comes_back_as_a_game_without(asha: Client, shared: Game) -> None:
    says(shared, self=2)
    status, told = brings(asha, json.loads(downloads(asha, shared)))
    assert status == 201, told
    again = Game.objects.get(pk=told["id"])
    assert json.loads(downloads(asha, again))["format"] == "bazaarbatna.replay/1"
    assert GameAnswer.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"answers": {}}, "wrong-summary"),
        ({"format": "bazaarbatna.replay/1"}, "wrong-summary"),
        ({"format": "bazaarbatna.replay/2"}, "wrong-summary"),
        ({"answers": {"self": 0}}, "wrong-summary"),
        ({"answers": {"again": 2}}, "wrong-summary"),
        ({"answers": {"self": 8}}, "unreadable-replay"),
        ({"answers": {"self": 2.5}}, "unreadable-replay"),
        ({"answers": {"mood": 2}}, "unreadable-replay"),
        ({"answers": [2]}, "unreadable-replay"),
    ],
)
def test_answers_that_cannot_be_are_refused(
    asha: Client, change: dict[str, Any], code: str
) -> None:
    game = store(a_haggle(), owner=key_of(asha))
    says(game, self=2)
    count = Game.objects.count()
    status, told = brings(asha, {**json.loads(downloads(asha, game)), **change})
    assert (status >= 400, told["error"]["code"]) == (True, code)
    assert Game.objects.count() == count
