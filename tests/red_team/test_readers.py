"""Every address that names somebody's thing answers whom it should, and tells others nothing."""

import re
from unittest import mock

import pytest

from negotiation.models import EventRow, Game
from tests.support.oracle import readers
from tests.support.oracle.asking import names_in, patterns
from tests.support.oracle.readers import (
    ALL,
    MATRIX,
    READERS,
    REFUSES,
    SHOWN,
    belongings,
    faults_of_reading,
    writing_faults,
)
from tests.support.oracle.worlds import a_world

pytestmark = pytest.mark.django_db


def test_every_address_with_an_object_in_it_stands_in_the_matrix() -> None:
    named = {pattern for pattern in patterns() if names_in(pattern)}
    told = MATRIX.keys() | REFUSES.keys()
    assert named - told == set(), "Say in tests/support/oracle/readers.py who may read it."
    assert told - named == set(), "No such address any more."


def test_everybody_reads_what_is_theirs_and_no_address_tells_anybody_what_is_anothers() -> None:
    assert len(READERS) == 12
    with a_world():
        asked, faults = faults_of_reading(*belongings())
    assert faults == [], "\n".join(faults)
    assert asked > 12 * len(patterns())


def test_what_an_address_tells_and_who_is_kept_out_wrongly_is_found() -> None:
    # A shared replay is everybody's: said to be nobody's, it stands in lists.
    hidden, alone = {"shared": frozenset[str]()}, ("nobody",)
    closed = {"sell/<slug:game_id>/": (("live", ALL),)}
    with (
        a_world(),
        mock.patch.dict(SHOWN, hidden),
        mock.patch.dict(MATRIX, closed),
        mock.patch.object(readers, "READERS", alone),
    ):
        _, faults = faults_of_reading(*belongings())
    assert any(fault.startswith("nobody /replays/: ") for fault in faults)
    assert any(re.fullmatch(r"nobody /sell/\w+/ live: 404", fault) for fault in faults)
    assert {fault.rpartition(": ")[2] for fault in faults} == {"shared", "404"}


def test_nobody_else_changes_anything() -> None:
    with a_world():
        people, things = belongings()
        before = state()
        asked, faults = writing_faults(people, things)
        assert state() == before
    assert faults == [], "\n".join(faults)
    assert asked > 500


def state() -> list[object]:
    """Every event, and whose every game is."""
    games = Game.objects.order_by("pk").values_list("pk", "owner", "rival", "share_replay")
    return [*EventRow.objects.order_by("game", "seq").values_list("game", "seq"), *games]
