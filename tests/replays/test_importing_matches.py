"""A match that was taken home is played again from its envelopes before it is kept."""

import contextlib
import json
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from negotiation.models import EventRow, Game, SealedRecord
from replays.transfer.importing import import_replay
from replays.transfer.reading import ImportRefused
from tests.support.forging import JSON, forged
from tests.support.tables import a_match, plays_out
from tests.support.visitors import a_visitor

pytestmark = pytest.mark.django_db
File = dict[str, Any]


@pytest.fixture
def bilal(db: None) -> Client:
    """Bilal, who brings files."""
    return a_visitor()


@pytest.fixture
def file(bilal: Client) -> File:
    """A finished match of three, as a file."""
    return a_file(bilal, "rules:aggressive", "rules:smart", "sauda", seed=11)


def a_file(client: Client, *line_up: str, seed: int) -> File:
    match = a_match(*line_up, seed=seed)
    plays_out(match.pk)
    return json.loads(client.get(f"/replays/{match.pk}.json").content)


def brings(client: Client, file: File) -> tuple[int, File]:
    response = client.post(
        "/api/replays/import/", json.dumps(file).encode(), content_type="application/json"
    )
    return response.status_code, response.json()


def in_the_match(file: File) -> File:
    """What must come back; the address of the page is another one."""
    events = [{k: v for k, v in event.items() if k != "replay"} for event in file["events"]]
    told = {**file, "events": events, "game": {**file["game"], "id": ""}}
    told.pop("signature", None)
    return told


def stored() -> tuple[int, int, int]:
    return Game.objects.count(), EventRow.objects.count(), SealedRecord.objects.count()


def test_a_match_comes_back_as_it_was(bilal: Client, file: File) -> None:
    status, answer = brings(bilal, file)
    assert status == 201, answer
    again = json.loads(bilal.get(f"/replays/{answer['id']}.json").content)
    assert in_the_match(again) == in_the_match(file)
    assert brings(bilal, file) == (200, answer)
    assert bilal.get(answer["url"]).status_code == 200
    assert bilal.get(f"{answer['url']}card.png").status_code == 200
    assert "Three buyers" in bilal.get("/replays/?source=import").content.decode()
    assert a_visitor().get(answer["url"]).status_code == 404
    assert answer["id"] not in bilal.get("/arena/").content.decode()


FORGERIES = {
    "a bid": ("events.1.price", 1.0, None),
    "words of the seller": ("events.-4.text", "free", None),
    "the price": ("events.-1.price", 1.0, None),
    "the winner": ("game.winner", "buyer-4", "wrong-summary"),
    "a share": ("game.seller_share", 0.5, "wrong-summary"),
    "a name": ("game.buyers.0.name", "Mallory", "not-a-game"),
    "a budget": ("opened.budgets.buyer-1", 99999.0, "broken-promise"),
    "no budget": ("opened.budgets", {}, "unreadable-replay"),
    "the promise": ("commitment", "0" * 64, "broken-promise"),
    "the persona": ("opened.persona", "saint", "unreadable-replay"),
    "a signal": ("events.1.signal", "wink", "unreadable-replay"),
    "the rounds": ("game.max_rounds", 2, None),
    "nobody": ("game.buyers", [], "unreadable-replay"),
    "no events": ("events", [], "unreadable-replay"),
    "the asking price": ("game.opening_ask", 1e12, "unreadable-replay"),
    "the version": ("versions.buyers.buyer-1", "x@9", "wrong-summary"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_mallorys_match_is_refused(name: str, bilal: Client, file: File) -> None:
    path, value, code = FORGERIES[name]
    place, *way = file, *path.split(".")
    for part in way[:-1]:
        place = place[int(part) if part.lstrip("-").isdecimal() else part]
    place[way[-1]] = value
    before = stored()
    status, answer = brings(bilal, file)
    assert 400 <= status < 500
    assert answer["error"]["code"] in ((code,) if code else ("not-a-game", "wrong-summary"))
    assert stored() == before
    page = bilal.post("/replays/import/", {"text": json.dumps(file)})
    assert page.status_code == status


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), value=JSON)
def test_no_value_in_any_place_breaks_the_import(data: Any, value: Any, file: File) -> None:
    body = json.dumps(forged(data, file, value)).encode(errors="surrogatepass")
    with contextlib.suppress(ImportRefused):
        import_replay("mallory", body)
