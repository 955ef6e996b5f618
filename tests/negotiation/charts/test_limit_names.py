"""The name of a limit keeps clear of what else is written in a chart."""

import re

import pytest

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


def test_a_limit_beside_the_standing_ask_is_named_clear_of_it() -> None:
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
    is_at_the_far_end = 'text-anchor="end"' in name[0]
    assert is_at_the_far_end or float(name[1]) > float(rule[1]) > float(ask[1]) - 13


@pytest.mark.parametrize("budget", [58.0, 66.0, 69.0, 109.4])
def test_a_budget_above_what_was_asked_is_named_clear_of_the_asked_price(budget: float) -> None:
    moves = [("buyer", 27.0), ("seller", 40.0), ("buyer", 28.0), ("seller", 38.0)] * 3
    log = a_log(*moves, ("buyer", 38.0), deal=True, asked=56.8)
    chart = price_path(log, references={"Budget": budget})
    found = r'<text class="{}"[^>]* x="([\d.]+)" y="([\d.]+)"'
    asked = re.findall(found.format("chart-start chart-ask"), chart)[-1]
    named = re.findall(found.format("chart-reference"), chart) or [("999", "0")]
    is_apart = abs(float(asked[1]) - float(named[0][1])) >= 12 or float(named[0][0]) > 100
    assert is_apart, (asked, named)
