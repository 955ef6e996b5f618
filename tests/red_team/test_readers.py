"""Every address that names somebody's thing answers whom it should, and tells others nothing."""

from collections.abc import Mapping

import pytest
from django.test import Client

from negotiation.models import EventRow, Game
from tests.support.oracle.asking import names_in, patterns
from tests.support.oracle.readers import (
    DOORS,
    MATRIX,
    NOTHING,
    READERS,
    REFUSES,
    address,
    belongings,
    is_let_in,
)
from tests.support.oracle.worlds import a_world, plain, send

pytestmark = pytest.mark.django_db


def test_every_address_with_an_object_in_it_stands_in_the_matrix() -> None:
    named = {pattern for pattern in patterns() if names_in(pattern)}
    told = MATRIX.keys() | REFUSES.keys()
    assert named - told == set(), "Say in tests/support/oracle/readers.py who may read it."
    assert told - named == set(), "No such address any more."


def test_everybody_reads_what_is_theirs_and_nothing_else() -> None:
    wrong = []
    with a_world():
        people, things = belongings()
        for pattern, rows in MATRIX.items():
            for thing, readers in rows:
                if thing not in things:
                    continue
                path = address(pattern, thing, things)
                nothing = address(pattern, "nothing", things)
                for who in READERS:
                    answer = people[who].get(path)
                    if is_let_in(answer, pattern) != (who in readers):
                        wrong.append(f"{who} {path} {thing}: {answer.status_code}")
                if "chetan" in readers or pattern in DOORS:
                    continue
                if told(people["chetan"], path, things) != told(people["chetan"], nothing, NOTHING):
                    wrong.append(f"{path} is told apart from {nothing}")
    assert wrong == [], "\n".join(wrong)


def told(client: Client, path: str, names: Mapping[str, str]) -> bytes:
    """What a stranger hears, without the name that was asked for."""
    put = {name.encode(): b"NAME" for name in names.values()}
    said = plain(send(client, "GET", path, {}), put)
    return b"\n".join(row for row in said.split(b"\n") if not row.startswith(b"Content-Length"))


def test_nobody_else_changes_anything() -> None:
    wrong = []
    with a_world():
        people, things = belongings()
        before = state()
        for pattern, names in REFUSES.items():
            for thing in names:
                path = address(pattern, thing, things)
                for who in ("chetan", "omar"):
                    answer = people[who].post(path, {"move": "walk", "public": "1", "index": "9"})
                    if is_let_in(answer, pattern):
                        wrong.append(f"{who} {path}: {answer.status_code}")
        assert state() == before
    assert wrong == [], "\n".join(wrong)


def state() -> list[object]:
    """Every event, and whose every game is."""
    games = Game.objects.order_by("pk").values_list("pk", "owner", "rival", "share_replay")
    return [*EventRow.objects.order_by("game", "seq").values_list("game", "seq"), *games]
