"""What tests of the front page share."""

import pytest

from negotiation import ttl_cache


@pytest.fixture(autouse=True)
def fresh_front_page() -> None:
    """What the front page remembers of another test's database is not this one's."""
    ttl_cache.forget()
