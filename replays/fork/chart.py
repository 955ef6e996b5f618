"""A difference as a picture: a dot for the mean, a whisker for the interval, a line at nothing."""

from django.utils.safestring import SafeString

from negotiation.charts.svg import element, stroke
from negotiation.games.game import Difference
from replays.fork.text import points

LEAST_SPAN = 0.05  # reached to either side at least: little looks little


def whisker(found: Difference, *, width: float = 320, height: float = 64) -> SafeString:
    """Draw a difference as ``<div class="chart">``; the title of its svg says the numbers."""
    span = max(abs(found.low), abs(found.high), LEAST_SPAN) * 1.15
    middle, line = width / 2, height * 0.42

    def x(share: float) -> float:
        return middle + share / span * (middle - 14)

    words = f"{points(found.mean)} points, from {points(found.low)} to {points(found.high)}"
    tone = "chart-deal" if found.low > 0 else "chart-walk" if found.high < 0 else "chart-limit"
    letters = {"class": "chart-round", "y": height - 4}
    return element(
        "div",
        {"class": "chart what-if-whisker"},
        element(
            "svg",
            {"viewBox": f"0 0 {width:g} {height:g}", "role": "img", "font-size": 12},
            element("title", {}, words),
            _line("chart-line", f"M8 {line:.1f}H{width - 8:.1f}", 1),
            _line("chart-limit", f"M{middle:.1f} 4V{line + 14:.1f}", 1),
            _line(tone, f"M{x(found.low):.1f} {line:.1f}H{x(found.high):.1f}", 4),
            element(
                "circle",
                {"class": tone, "cx": x(found.mean), "cy": line, "r": 7, "fill": "currentColor"},
            ),
            element("text", {**letters, "x": 8}, "worse"),
            element("text", {**letters, "x": middle, "text-anchor": "middle"}, "no change"),
            element("text", {**letters, "x": width - 8, "text-anchor": "end"}, "better"),
        ),
    )


def _line(name: str, path: str, thick: int) -> SafeString:
    return stroke({"class": name}, path, thick, cap="round")
