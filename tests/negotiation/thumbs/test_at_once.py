"""Many clicks at once: one row, none refused, and what stands is what somebody asked for."""

from functools import partial

import pytest
from django.db import IntegrityError

from bazaarbatna.bargain.moves import Walk
from negotiation.bargain import sessions
from negotiation.bargain.web.thumbs import rate, read_rating
from negotiation.models import LineThumb
from tests.support.at_once import all_at_once
from tests.support.builders import ASHA, a_started_sale

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_many_thumbs_at_once_one_stands_and_none_fails() -> None:
    game = a_started_sale()
    sessions.play(game.pk, ASHA, Walk("bye"))
    wanted = ("up", "down", "none")

    clicks = [partial(rate, game.pk, ASHA, read_rating(2, one)) for one in 3 * wanted]
    assert all_at_once(*clicks) == []
    assert LineThumb.objects.filter(game=game, seq=2, rater=ASHA).count() <= 1
    rate(game.pk, ASHA, read_rating(2, "up"))
    assert LineThumb.objects.get(game=game).thumb == "up"


def test_the_database_itself_keeps_one_thumb_per_line_and_rater() -> None:
    game = a_started_sale()
    LineThumb.objects.create(game=game, seq=2, rater=ASHA, thumb="up")
    with pytest.raises(IntegrityError):
        LineThumb.objects.create(game=game, seq=2, rater=ASHA, thumb="down")
    with pytest.raises(IntegrityError):
        LineThumb.objects.create(game=game, seq=3, rater=ASHA, thumb="sideways")
