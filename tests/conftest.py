"""What every test shares."""

import os

import pytest

# The engine under pytest-asyncio and Playwright runs inside an event loop; our tests that touch
# the database from there do so on purpose and from one thread.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    """Every test starts with unspent rate limits; those in the database go with its rollback."""
    from negotiation import limits

    limits.forget_settings()
