from collections.abc import Iterator

import pytest
from django.core.cache import cache

from negotiation import ttl_cache
from tests.support.course_platform import CoursePlatform


@pytest.fixture
def platform(db: None) -> Iterator[CoursePlatform]:
    """A platform that staff has connected."""
    cache.clear()
    for name in [name for name in ttl_cache._known if name.startswith("lti-")]:
        del ttl_cache._known[name]
    with CoursePlatform() as made:
        made.connect()
        yield made
