"""Addresses, API, task names and tables are promises: they change on purpose or not at all."""

import pytest

from tests.pins.write import HERE, PINS


@pytest.mark.django_db
@pytest.mark.parametrize("name", PINS)
def test_what_others_rely_on_is_unchanged(name: str) -> None:
    assert PINS[name]() + "\n" == (HERE / name).read_text(), (
        "If this change is meant: python -m tests.pins.write, and say why in the commit."
    )
