"""What is not yours and not shared does not exist."""

import re

import pytest
from django.test import Client

from negotiation.models import Game
from tests.support.finished import Playing, a_haggle, a_scenario, store
from tests.support.visitors import key_of

pytestmark = pytest.mark.django_db
NOBODYS = "zzzzzzzzzzzz"
TOKEN = re.compile(rb"[A-Za-z0-9]{64}")


def told(client: Client, game_id: str, page: str) -> tuple[int, dict[str, str], bytes]:
    """The answer, with the id that was asked for and the per-request CSRF token taken out."""
    response = client.get(f"/replays/{game_id}{page}")
    body = TOKEN.sub(b"TOKEN", response.content).replace(game_id.encode(), b"ID")
    headers = {k: v for k, v in response.headers.items() if k != "Content-Length"}
    return response.status_code, headers, body


@pytest.fixture
def live(asha: Client) -> Game:
    """Asha's game that goes on, shared once it ends."""
    return store(Playing(a_scenario()), owner=key_of(asha), shared=True)


@pytest.mark.parametrize("page", ["/", ".json", "/?seq=3"])
@pytest.mark.parametrize("secret", ["kept", "live"])
def test_a_hidden_game_answers_like_one_that_never_was(
    page: str, secret: str, chetan: Client, request: pytest.FixtureRequest
) -> None:
    game = request.getfixturevalue(secret)
    nothing = told(chetan, NOBODYS, page)
    assert nothing[0] == 404
    assert told(chetan, game.pk, page) == nothing


@pytest.mark.parametrize("page", ["/", ".json"])
def test_a_live_game_is_no_replay_even_for_its_owner(page: str, asha: Client, live: Game) -> None:
    assert told(asha, live.pk, page) == told(asha, NOBODYS, page)


@pytest.mark.parametrize("page", ["/", ".json"])
def test_the_owner_opens_what_she_did_not_share(page: str, asha: Client, kept: Game) -> None:
    assert asha.get(f"/replays/{kept.pk}{page}").status_code == 200


@pytest.mark.parametrize("page", ["/", ".json"])
def test_everybody_opens_what_was_shared(page: str, chetan: Client, shared: Game) -> None:
    assert chetan.get(f"/replays/{shared.pk}{page}").status_code == 200


def test_the_list_shows_strangers_only_what_was_shared(
    asha: Client, chetan: Client, kept: Game, shared: Game, live: Game
) -> None:
    hers = asha.get("/replays/").content.decode()
    his = chetan.get("/replays/").content.decode()
    assert [game.pk in hers for game in (kept, shared, live)] == [True, True, False]
    assert [game.pk in his for game in (kept, shared, live)] == [False, True, False]
    assert "Only you see this" in hers
    assert "Only you see this" not in his


@pytest.mark.parametrize("address", ["/replays/", "/replays/{}/", "/replays/{}.json"])
def test_the_owners_session_key_is_in_no_byte_of_any_answer(
    address: str, asha: Client, chetan: Client
) -> None:
    key = key_of(asha)
    game = store(a_haggle(), owner=key, shared=True)
    for visitor in (asha, chetan):
        response = visitor.get(address.format(game.pk))
        assert response.status_code == 200
        assert key.encode() not in response.content
        assert key not in str(response.headers.items() if visitor is chetan else response["Vary"])


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
@pytest.mark.parametrize("address", ["/replays/", "/replays/{}/", "/replays/{}.json"])
def test_a_replay_can_only_be_read(method: str, address: str, asha: Client, shared: Game) -> None:
    assert getattr(asha, method)(address.format(shared.pk)).status_code == 405
