"""A rating drawn on the scale of its table: a dot with its interval."""

from collections.abc import Sequence

import msgspec
from django.utils.safestring import SafeString

from negotiation.charts.svg import element
from training.leaderboard.rating.points import MIDDLE
from training.leaderboard.tables import Place

WIDTH, HEIGHT = 240, 20
MARGIN = 6
THICK = 8
DOT = 2.5


class Scale(msgspec.Struct, frozen=True):
    """The points that all strips of a table run over."""

    low: float
    high: float

    def x(self, points: float) -> float:
        """Place points."""
        part = (points - self.low) / (self.high - self.low)
        return MARGIN + (WIDTH - 2 * MARGIN) * min(max(part, 0.0), 1.0)


def scale_of(places: Sequence[Place]) -> Scale:
    """Give the scale that holds all intervals of a table."""
    low = min([MIDDLE - 50.0, *(place.low for place in places)])
    high = max([MIDDLE + 50.0, *(place.high for place in places)])
    return Scale(low, high)


def strip(place: Place, scale: Scale) -> SafeString:
    """Draw one rating; the numbers beside it say the same."""
    middle, low, high = scale.x(MIDDLE), scale.x(place.low), scale.x(place.high)
    line: dict[str, object] = {
        "class": "strip-middle",
        "d": f"M{middle:.1f} 0V{HEIGHT}",
        "stroke": "currentColor",
    }
    bar: dict[str, object] = {
        "class": "strip-interval",
        "x": low,
        "y": HEIGHT / 2 - THICK / 2,
        "width": high - low,
        "height": THICK,
        "rx": THICK / 2,
        "fill": "currentColor",
    }
    dot: dict[str, object] = {
        "cx": scale.x(place.points),
        "cy": HEIGHT / 2,
        "r": DOT,
        "fill": "currentColor",
    }
    name = "strip is-provisional" if place.is_provisional else "strip"
    return element(
        "svg",
        {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "class": name, "aria-hidden": "true"},
        element("path", line),
        element("rect", bar),
        element("circle", dot),
    )
