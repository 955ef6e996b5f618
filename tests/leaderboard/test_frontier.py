"""The frontier of share and deal rate, and its chart."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazaarbatna.intervals import Interval
from negotiation.charts.frontier import (
    DOT,
    Axes,
    Box,
    Spot,
    frontier,
    frontier_chart,
    names,
    paper_for,
)

AXES = Axes("Deals", "{name}: {across} {up}", has_worth=True)
PARTS = st.floats(0, 1)
SVG = "{http://www.w3.org/2000/svg}"


def around(mean: float, reach: float = 0.02) -> Interval:
    return Interval(mean, max(mean - reach, 0.0), min(mean + reach, 1.0))


def spots(points: list[tuple[float, float]]) -> list[Spot]:
    return [
        Spot(f"Policy {place}", around(deals), around(share))
        for place, (deals, share) in enumerate(points)
    ]


SPOTS = st.lists(st.tuples(PARTS, PARTS), min_size=1, max_size=14).map(spots)


def test_who_is_beaten_in_both_is_not_on_the_frontier() -> None:
    found = frontier(spots([(0.9, 0.3), (0.5, 0.8), (0.5, 0.7), (0.8, 0.2), (0.9, 0.3)]))
    assert [spot.name for spot in found] == ["Policy 1", "Policy 0", "Policy 4"]


@given(SPOTS)
def test_everybody_is_on_the_frontier_or_beaten_by_somebody_on_it(found: list[Spot]) -> None:
    best = frontier(found)
    assert best
    for spot in found:
        assert spot in best or any(
            one.across.mean >= spot.across.mean and one.up.mean >= spot.up.mean for one in best
        )


def touch(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@given(SPOTS)
def test_no_name_lies_on_another_on_a_spot_or_off_the_paper(found: list[Spot]) -> None:
    paper = paper_for(found, 560, 520, has_worth=True)
    written = list(names(paper, found, frontier(found)))
    for place, name in enumerate(written):
        assert name.box[0] >= paper.left
        assert name.box[2] <= paper.width
        assert not any(touch(name.box, other.box) for other in written[:place])
        for spot in found:
            x, y = paper.x(spot.across.mean), paper.y(spot.up.mean)
            assert not touch(name.box, (x - DOT, y - DOT, x + DOT, y + DOT))


@given(SPOTS)
def test_the_chart_is_whole_and_says_its_numbers(found: list[Spot]) -> None:
    chart = ElementTree.fromstring(frontier_chart(found, "A < B", AXES))
    assert chart.findtext("title") == "A < B"
    told = chart.findtext("desc") or ""
    assert all(spot.name in told for spot in frontier(found))
    assert len(list(chart.iter("circle"))) == len(found)
    for circle in chart.iter("circle"):
        assert 0 <= float(circle.get("cx") or "nan") <= 560
        assert 0 <= float(circle.get("cy") or "nan") <= 520


@pytest.mark.parametrize("name", ["<script>", "A & B"])
def test_a_bots_name_is_only_words(name: str) -> None:
    spot = Spot(name, around(0.5), around(0.5))
    chart = frontier_chart([spot], "t", AXES)
    assert "<script>" not in chart
    assert name in (ElementTree.fromstring(chart).findtext("desc") or "")
