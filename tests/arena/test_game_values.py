"""The three games of the site as values: what each shows to whom, asked by a game's kind alone."""

import pytest

from arena.auction.web.visibility import Viewer
from arena.auction.web.visibility import frames as match_frames
from bazaarbatna.auction.events import Hold
from negotiation.bargain.visibility import frames as sale_frames
from negotiation.errors import UnknownGame
from negotiation.games.game import Frame, game_of
from negotiation.models import Game
from tests.support.builders import ASHA, CHETAN, a_started_sale
from tests.support.finished import a_haggle, store
from tests.support.markets import a_persons_market
from tests.support.markets import plays_out as plays_market_out
from tests.support.tables import a_match, closes, plays_out

pytestmark = pytest.mark.django_db


def shown(pk: str, visitor: str, after: int = 0) -> list[Frame]:
    """What a visitor may see, read anew."""
    game = Game.objects.get(pk=pk)
    return game_of(game.kind).frames(game, visitor, after)


def test_a_live_sale_is_its_owners_alone_and_a_finished_one_is_open() -> None:
    live = a_started_sale()
    assert shown(live.pk, ASHA) == sale_frames(live, "seller") != []
    assert shown(live.pk, ASHA, after=1) == shown(live.pk, ASHA)[1:]
    assert shown(live.pk, CHETAN) == shown(live.pk, "") == []
    ended = store(a_haggle())
    assert shown(ended.pk, "") == sale_frames(ended, "replay")


def test_a_match_that_waits_for_its_people_has_nothing_to_show() -> None:
    assert shown(a_match("person", "person", "sauda").pk, "asha") == []


def test_a_match_shows_each_chair_its_own() -> None:
    match = a_match("person", "rules:boulware")
    closes(match.pk, 0, Hold("mine"))
    game = Game.objects.get(pk=match.pk)
    assert shown(match.pk, "asha") == match_frames(game, Viewer("seat", 0))
    assert shown(match.pk, "chetan") == shown(match.pk, "") == match_frames(game, Viewer("sealed"))
    plays_out(match.pk)
    game.refresh_from_db()
    assert shown(match.pk, "asha") == match_frames(game, Viewer("replay", 0))
    assert shown(match.pk, "chetan") == match_frames(game, Viewer("replay"))


def test_a_private_market_is_its_owners_alone() -> None:
    match = a_persons_market(public=False)
    opened = shown(match.pk, "asha")[0]["event"]
    assert "budget" in opened
    assert "opened" not in opened
    assert shown(match.pk, "chetan") == []
    plays_market_out(match)
    assert "opened" in shown(match.pk, "asha")[0]["event"]
    assert shown(match.pk, "chetan") == []


def test_a_kind_that_nobody_has_registered_is_no_game() -> None:
    with pytest.raises(UnknownGame):
        game_of("chess")
