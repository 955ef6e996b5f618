"""A what-if shows a run that is like the mean of many, and leads with that mean."""

from statistics import fmean

import pytest

from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.quantities import Paise
from negotiation.bargain.continuation import MEASURED, Crossroads
from negotiation.bargain.recorded import record_of
from replays.grade.search import EFFORT
from tests.support.recorded import a_finished_sale, moves_of


def test_grades_and_what_ifs_look_at_the_same_luck() -> None:
    """What the debrief calls typical the what-if calls so, too."""
    first = 1 + EFFORT.first + EFFORT.second
    assert range(first, first + EFFORT.measured) == MEASURED


@pytest.mark.django_db
def test_what_a_what_if_shows_ends_near_the_mean_of_its_move() -> None:
    """One day's luck may be far off: it is not what is shown."""
    away = []
    for number in (5, 8, 11):
        record = record_of(a_finished_sale(number))
        at = Crossroads(record, moves_of(record)[1])
        move = Offer(Paise(150_000))
        if at.is_made(move) or record.setting.zopa <= 0:
            continue
        mean = fmean(at.share(move, luck) for luck in MEASURED)
        away.append(abs((at.typical(move).fields[f"{at.side}_share"] or 0.0) - mean))
        assert away[-1] <= abs((at.play(move).fields[f"{at.side}_share"] or 0.0) - mean)
    assert away
