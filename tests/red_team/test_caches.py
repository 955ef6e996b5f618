"""No cache, no proxy and no next person at a browser is given what was somebody else's."""

import pytest

from tests.support.oracle.caches import cache_faults
from tests.support.oracle.readers import belongings
from tests.support.oracle.worlds import a_world

pytestmark = pytest.mark.django_db


def test_what_is_one_persons_says_so() -> None:
    with a_world():
        looked_at, faults = cache_faults(*belongings())
    assert faults == [], "\n".join(faults)
    assert looked_at > 100
