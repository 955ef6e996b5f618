"""What tests of the front page share."""

import pytest

from bazaar_site.landing import serving
from negotiation import short_memory


@pytest.fixture(autouse=True)
def fresh_front_page() -> None:
    """What the front page remembers of another test's database is not this one's."""
    short_memory.forget()
    serving.forget()
