from collections.abc import Iterator

import pytest
from django.core.cache import cache

from negotiation import ttl_cache
from tests.support.course_platform import CoursePlatform


@pytest.fixture(autouse=True)
def keys_are_unknown() -> None:
    """Rows of rolled-back tests come again under their number, with another platform's keys."""
    cache.clear()
    for name in [name for name in ttl_cache._known if name.startswith("lti-")]:
        del ttl_cache._known[name]


@pytest.fixture
def platform(db: None) -> Iterator[CoursePlatform]:
    """A platform that staff has connected."""
    with CoursePlatform() as made:
        made.connect()
        yield made
