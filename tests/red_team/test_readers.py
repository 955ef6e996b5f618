"""Every address that names somebody's thing answers whom it should, and tells others nothing."""

import re

import pytest
from django.test import Client

from tests.support.oracle.asking import names_in, patterns
from tests.support.oracle.readers import (
    ALL,
    MATRIX,
    READERS,
    REFUSES,
    address,
    belongings,
    is_let_in,
)
from tests.support.oracle.worlds import TOKEN, a_world

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
                for who in READERS:
                    answer = people[who].get(path)
                    let_in = is_let_in(answer, pattern)
                    if let_in != (who in readers):
                        wrong.append(f"{who} {path} {thing}: {answer.status_code}")
    assert wrong == []
