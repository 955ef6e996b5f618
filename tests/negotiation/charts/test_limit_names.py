"""The name of a limit keeps clear of what else is written in a chart."""

import re

from negotiation.charts.price_path import price_path
from tests.negotiation.charts.test_ghost_path import a_log

LOG = a_log(("buyer", 100.0), ("seller", 190.0), ("buyer", 120.0))


def anchor_of(name: str, price: float) -> str | None:
    drawn = re.search(
        rf'<text class="chart-reference"([^>]*)>{name}', price_path(LOG, references={name: price})
    )
    assert drawn is not None
    found = re.search(r'text-anchor="(\w+)"', drawn[1])
    return found[1] if found else None


def test_a_limit_beside_the_first_bid_leaves_its_price_readable() -> None:
    assert anchor_of("Your floor", 78.0) == "end"


def test_a_limit_far_from_everything_begins_at_the_left() -> None:
    assert anchor_of("Your floor", 155.0) is None
