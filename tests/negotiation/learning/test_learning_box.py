"""Whether models may learn from a game: one box at its end, off until somebody ticks it."""

import pytest
from django.test import Client

from bazaarbatna.bargain.moves import Walk
from negotiation.bargain import sessions
from negotiation.bargain.web import game_page
from negotiation.errors import NotOver, UnknownGame
from negotiation.models import Game
from tests.support.builders import a_started_sale
from tests.support.visitors import a_visitor, key_of

pytestmark = pytest.mark.django_db


def one_who_plays() -> tuple[Client, str]:
    client = a_visitor()
    return client, key_of(client)


def a_finished_sale(owner: str) -> Game:
    game = a_started_sale(owner)
    sessions.play(game.pk, owner, Walk())
    game.refresh_from_db()
    assert game.status == Game.Status.ENDED
    return game


def box(client: Client, game: Game) -> bool | None:
    """Whether the box of a game's page is ticked; None: there is none."""
    page = client.get(f"/sell/{game.pk}/").content.decode()
    if 'id="learn"' not in page:
        return None
    return 'name="may_train" value="yes" checked' in page


def test_it_is_off_until_it_is_ticked_and_can_be_taken_back() -> None:
    client, owner = one_who_plays()
    game = a_finished_sale(owner)
    assert box(client, game) is False
    assert not game.may_train
    path = f"/sell/{game.pk}/learn/"
    assert client.post(path, {"may_train": "yes"})["Location"] == f"/sell/{game.pk}/#learn"
    game.refresh_from_db()
    assert game.may_train
    assert box(client, game) is True
    fragment = client.post(path, {}, HTTP_HX_REQUEST="true")
    assert "It is left out." in fragment.content.decode()
    game.refresh_from_db()
    assert not game.may_train


def test_a_stranger_says_nothing_of_it() -> None:
    client, owner = one_who_plays()
    game = a_finished_sale(owner)
    other = a_visitor()
    assert other.post(f"/sell/{game.pk}/learn/", {"may_train": "yes"}).status_code == 404
    game.refresh_from_db()
    assert not game.may_train
    assert client.get(f"/sell/{game.pk}/learn/").status_code == 405


def test_a_game_that_goes_on_is_not_asked_yet() -> None:
    client, owner = one_who_plays()
    game = a_started_sale(owner)
    with pytest.raises(NotOver):
        game_page.agree(game.pk, owner, yes=True)
    assert client.post(f"/sell/{game.pk}/learn/", {"may_train": "yes"}).status_code == 409
    game.refresh_from_db()
    assert not game.may_train


@pytest.mark.parametrize(
    "change",
    [{"suite": "pair@1"}, {"terms": {"back": "/rooms/ABCDEF/"}}, {"source": Game.Source.WHAT_IF}],
)
def test_where_people_are_asked_elsewhere_there_is_no_box(change: dict[str, object]) -> None:
    client, owner = one_who_plays()
    game = a_finished_sale(owner)
    Game.objects.filter(pk=game.pk).update(**change)
    assert box(client, game) is None
    with pytest.raises(UnknownGame):
        game_page.agree(game.pk, owner, yes=True)
