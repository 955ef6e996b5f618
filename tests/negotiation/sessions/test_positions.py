"""Positions kept in memory are only ever beginnings of the stored log."""

import pytest

from bazaarbatna.bargain.errors import BrokenLog
from bazaarbatna.bargain.moves import Offer
from negotiation.bargain import sessions
from negotiation.bargain.game import SALE, position_of
from negotiation.models import EventRow, Game
from tests.support.builders import ASHA, a_sale, a_started_sale, rupees

pytestmark = pytest.mark.django_db(transaction=True)


def again(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def test_what_is_kept_is_what_the_log_gives() -> None:
    game = a_started_sale()
    sessions.play(game.pk, ASHA, Offer(rupees(1900)))
    kept = position_of(again(game))
    SALE.positions.forget_all()
    assert position_of(again(game)) == kept


def test_an_old_position_never_replaces_a_newer_one() -> None:
    game = a_sale()
    old = position_of(again(game))
    sessions.opponent_turn(game.pk)
    SALE.positions.remember(game.pk, old)
    assert position_of(again(game)).seq == 2


def test_the_oldest_games_are_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SALE.positions, "most", 2)
    first, second, third = (a_sale() for _ in range(3))
    assert first.pk not in SALE.positions
    assert second.pk in SALE.positions
    assert third.pk in SALE.positions
    assert position_of(again(first)).seq == 1


def test_a_log_that_somebody_changed_is_not_played_on() -> None:
    game = a_started_sale()
    SALE.positions.forget_all()
    row = EventRow.objects.get(game=game, seq=2)
    row.payload = bytes(row.payload).replace(b'"actor":"buyer"', b'"actor":"seller"')
    row.save()
    with pytest.raises(BrokenLog):
        sessions.play(game.pk, ASHA, Offer(rupees(1900)))
