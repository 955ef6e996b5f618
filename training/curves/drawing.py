"""A small curve of one stage, as the front page shows it."""

from django.utils.safestring import SafeString

from negotiation.charts.svg import element
from training.curves.reading import Point

WIDTH, HEIGHT, FOOT = 360, 180, 24


def draw_curve(points: list[Point], title: str, key: str) -> SafeString:
    """Draw values by step between their extremes."""
    steps, values = [step for step, _ in points], [value for _, value in points]
    first, last, low, high = min(steps), max(steps), min(values), max(values)
    wide, tall = (last - first) or 1.0, (high - low) or 1.0

    is_rising = points[-1][1] > points[0][1]
    side = "end" if is_rising else "start"

    def place(point: Point) -> str:
        x = 4 + (point[0] - first) / wide * (WIDTH - 8)
        y = 18 + (high - point[1]) / tall * (HEIGHT - FOOT - 26)
        return f"{x:.1f} {y:.1f}"

    name = f"curve-{key}"
    about: dict[str, object] = {
        "viewBox": f"0 0 {WIDTH} {HEIGHT}",
        "role": "img",
        "aria-labelledby": f"{name}-title",
        "aria-describedby": f"{name}-words",
    }
    svg = element(
        "svg",
        about,
        element("title", {"id": f"{name}-title"}, title),
        element("desc", {"id": f"{name}-words"}, in_words(points)),
        element("path", {"class": "curve-axis", "d": f"M4 {HEIGHT - FOOT}H{WIDTH - 4}"}),
        element("path", {"class": "curve-line", "d": "M" + "L".join(map(place, points))}),
        _label(4, 12, f"{high:.3g}", "start"),
        # Where the curve is not: it begins low on the left, or ends low on the right.
        _label(WIDTH - 4 if is_rising else 4, HEIGHT - FOOT - 4, f"{low:.3g}", side),
        _label(4, HEIGHT - 6, f"step {first:g}", "start"),
        _label(WIDTH - 4, HEIGHT - 6, f"{last:g}", "end"),
    )
    return element("div", {"class": "diagram"}, svg)


def in_words(points: list[Point]) -> str:
    """Say where a curve begins and ends.

    >>> in_words([(1, 2.5), (2, 0.5)])
    'From 2.5 at step 1 to 0.5 at step 2.'
    """
    (first, from_), (last, to) = points[0], points[-1]
    return f"From {from_:.3g} at step {first:g} to {to:.3g} at step {last:g}."


def _label(x: float, y: float, words: str, anchor: str) -> SafeString:
    return element("text", {"class": "curve-label", "x": x, "y": y, "text-anchor": anchor}, words)
