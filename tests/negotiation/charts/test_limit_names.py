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


def test_a_limit_beside_the_standing_ask_is_named_below_its_line() -> None:
    chart = price_path(
        a_log(("buyer", 410.0), ("seller", 610.0), ("buyer", 410.0), ("seller", 610.0)),
        references={"Your budget": 598.0},
    )
    name = re.search(r'<text class="chart-reference"[^>]* y="([\d.]+)"[^>]*>Your budget', chart)
    rule = re.search(r'<g class="chart-theory">.*?M[\d.]+ ([\d.]+)H', chart)
    ask = re.search(r'class="chart-end chart-ask"[^>]* y="([\d.]+)"', chart)
    assert name is not None
    assert rule is not None
    assert ask is not None
    assert float(name[1]) > float(rule[1]) > float(ask[1]) - 13
