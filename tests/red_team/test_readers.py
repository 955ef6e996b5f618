"""Every address that names somebody's thing answers whom it should, and tells others nothing."""

import pytest

from negotiation.models import EventRow, Game
from tests.support.oracle.asking import names_in, patterns
from tests.support.oracle.readers import (
    MATRIX,
    REFUSES,
    belongings,
    reading_faults,
    writing_faults,
)
from tests.support.oracle.worlds import a_world

pytestmark = pytest.mark.django_db


def test_every_address_with_an_object_in_it_stands_in_the_matrix() -> None:
    named = {pattern for pattern in patterns() if names_in(pattern)}
    told = MATRIX.keys() | REFUSES.keys()
    assert named - told == set(), "Say in tests/support/oracle/readers.py who may read it."
    assert told - named == set(), "No such address any more."


def test_everybody_reads_what_is_theirs_and_nothing_else() -> None:
    with a_world():
        asked, faults = reading_faults(*belongings())
    assert faults == [], "\n".join(faults)
    assert asked > 500


def test_nobody_else_changes_anything() -> None:
    with a_world():
        people, things = belongings()
        before = state()
        asked, faults = writing_faults(people, things)
        assert state() == before
    assert faults == [], "\n".join(faults)
    assert asked > 70


def state() -> list[object]:
    """Every event, and whose every game is."""
    games = Game.objects.order_by("pk").values_list("pk", "owner", "rival", "share_replay")
    return [*EventRow.objects.order_by("game", "seq").values_list("game", "seq"), *games]
