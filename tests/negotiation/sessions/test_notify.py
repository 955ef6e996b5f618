"""The bell carries a number and nothing else, and nobody waits for it."""

from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from negotiation.bargain import sessions
from negotiation.games import notify
from tests.support.builders import a_sale, numbers

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_viewer_hears_the_number_and_nothing_else() -> None:
    game = a_sale()
    layer = get_channel_layer()
    async_to_sync(layer.group_add)(notify.group_of(game.pk), "bilal")
    sessions.opponent_turn(game.pk)
    heard = async_to_sync(layer.receive)("bilal")
    assert heard == {"type": "log.grew", "game": game.pk, "seq": 2}


def test_a_broken_bell_does_not_break_the_move(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def is_cut(*_: Any) -> None:
        raise ConnectionError("no Redis")

    game = a_sale()
    monkeypatch.setattr(notify, "ring", is_cut)
    assert sessions.opponent_turn(game.pk)
    assert numbers(game) == [1, 2]
    assert "no Redis" in caplog.text
