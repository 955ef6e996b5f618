"""Thumbs go into the file of a game, and everything else in it stays the bytes it was."""

import json
from typing import Any

import pytest
from django.test import Client

from negotiation.models import Game, LineThumb
from tests.support.finished import a_haggle, store
from tests.support.visitors import key_of

pytestmark = pytest.mark.django_db


def unsigned(body: bytes) -> dict[str, Any]:
    """What a file tells, without the signature, which is another one for every other byte."""
    file: dict[str, Any] = json.loads(body)
    del file["signature"]
    return file


def downloads(client: Client, game: Game) -> bytes:
    response = client.get(f"/replays/{game.pk}.json")
    assert response.status_code == 200
    return bytes(response.content)


def rates(client: Client, game: Game, seq: int, thumb: str) -> None:
    body = {"seq": seq, "thumb": thumb}
    answer = client.post(f"/api/sell/{game.pk}/thumbs/", body, content_type="application/json")
    assert answer.status_code == 200


def brings(client: Client, file: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    answer = client.post("/api/replays/import/", json.dumps(file), content_type="application/json")
    return answer.status_code, json.loads(answer.content)


def test_the_file_holds_the_thumbs_under_the_next_number(asha: Client, shared: Game) -> None:
    before = downloads(asha, shared)
    rates(asha, shared, 8, "down")
    rates(asha, shared, 2, "up")
    file = unsigned(downloads(asha, shared))
    assert file["format"] == "bazaarbatna.replay/2"
    assert list(file)[-1] == "thumbs"
    assert file["thumbs"] == [{"seq": 2, "thumb": "up"}, {"seq": 8, "thumb": "down"}]
    said = {event["seq"]: event for event in file["events"]}
    assert said[8]["text"] == "I hear you."
    rest = {**file, "format": "bazaarbatna.replay/1"}
    del rest["thumbs"]
    assert rest == unsigned(before)


def test_without_thumbs_the_file_is_byte_for_byte_the_old_one(asha: Client, shared: Game) -> None:
    before = downloads(asha, shared)
    assert json.loads(before)["format"] == "bazaarbatna.replay/1"
    rates(asha, shared, 2, "up")
    changed = downloads(asha, shared)
    # What lies between the name of the format and the thumbs is the same text.
    told = before[: before.index(b'"signature"')].rstrip()
    assert told.replace(b"replay/1", b"replay/2", 1) in changed
    rates(asha, shared, 2, "none")
    assert downloads(asha, shared) == before


def test_whoever_may_open_the_replay_reads_the_thumbs_and_never_who_gave_them(
    asha: Client, chetan: Client, shared: Game
) -> None:
    rates(asha, shared, 2, "up")
    LineThumb.objects.create(game=shared, seq=4, rater="somebody else", thumb="down")
    body = downloads(chetan, shared)
    assert json.loads(body)["thumbs"] == [{"seq": 2, "thumb": "up"}]
    assert key_of(asha).encode() not in body


def test_a_file_with_thumbs_comes_back_as_a_game_without(asha: Client, shared: Game) -> None:
    rates(asha, shared, 2, "up")
    status, told = brings(asha, json.loads(downloads(asha, shared)))
    assert status == 201, told
    again = Game.objects.get(pk=told["id"])
    assert json.loads(downloads(asha, again))["format"] == "bazaarbatna.replay/1"
    assert LineThumb.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"thumbs": []}, "wrong-summary"),
        ({"format": "bazaarbatna.replay/1"}, "wrong-summary"),
        ({"thumbs": [{"seq": 3, "thumb": "up"}]}, "wrong-summary"),
        ({"thumbs": [{"seq": 2, "thumb": "up"}, {"seq": 2, "thumb": "up"}]}, "wrong-summary"),
        ({"thumbs": [{"seq": 99, "thumb": "up"}]}, "wrong-summary"),
        ({"thumbs": [{"seq": 2, "thumb": "sideways"}]}, "unreadable-replay"),
        ({"thumbs": [{"seq": 2, "thumb": "up", "rater": "me"}]}, "unreadable-replay"),
        ({"format": "bazaarbatna.replay/3"}, "wrong-summary"),
        ({"format": "bazaarbatna.replay/4"}, "unknown-format"),
    ],
)
def test_thumbs_that_cannot_be_are_refused(asha: Client, change: dict[str, Any], code: str) -> None:
    game = store(a_haggle(), owner=key_of(asha))
    rates(asha, game, 2, "up")
    count = Game.objects.count()
    status, told = brings(asha, {**json.loads(downloads(asha, game)), **change})
    assert (status >= 400, told["error"]["code"]) == (True, code)
    assert Game.objects.count() == count
