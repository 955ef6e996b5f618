"""A rating drawn on the scale of its table: a dot with its interval."""

from collections.abc import Sequence

import msgspec
from django.utils.safestring import SafeString

from negotiation.charts.svg import element
from training.leaderboard.rating.points import MIDDLE
from training.leaderboard.tables import Place

WIDTH, HEIGHT = 240, 20
MARGIN = 6


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
    middle = scale.x(MIDDLE)
    parts = (
        ("strip-middle", f"M{middle:.1f} 0V{HEIGHT}"),
        ("strip-whisker", f"M{scale.x(place.low):.1f} {HEIGHT / 2}H{scale.x(place.high):.1f}"),
    )
    name = "strip is-provisional" if place.is_provisional else "strip"
    return element(
        "svg",
        {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "class": name, "aria-hidden": "true"},
        *(element("path", {"class": kind, "d": d, "fill": "none", "stroke": "currentColor"})
          for kind, d in parts),
        element("circle", {"cx": scale.x(place.points), "cy": HEIGHT / 2, "r": 5,
                           "fill": "currentColor"}),
    )  # fmt: skip
