"""Numbers of bots on pages: means with their intervals."""

from django import template
from django.utils.safestring import SafeString

from bazaarbatna.intervals import Interval
from negotiation.charts.svg import element
from training.receipts.figures import number_text

register = template.Library()
NOTHING = "–"
WIDTH, HEIGHT, MARGIN = 120, 16, 4
WIDEST = 0.4  # Differences beyond it are drawn at the edge


@register.filter
def interval(value: Interval | None) -> str:
    """Write a mean and its interval with two decimals.

    >>> interval(Interval(0.7345, 0.7, 0.77))
    '0.73 (0.70–0.77)'
    """
    if value is None:
        return NOTHING
    return f"{value.mean:.2f} ({value.low:.2f}–{value.high:.2f})"


@register.filter
def difference(value: Interval | None) -> str:
    """Write a difference and its interval with signs.

    >>> difference(Interval(-0.1, -0.2, 0.05))
    '−0.10 (−0.20 to +0.05)'
    """
    if value is None:
        return NOTHING
    return f"{_signed(value.mean)} ({_signed(value.low)} to {_signed(value.high)})"


@register.filter
def difference_strip(value: Interval | None) -> SafeString:
    """Draw a difference with its interval beside a line at 0; the numbers say the same."""
    if value is None:
        return SafeString("")
    name = "is-above" if value.low > 0 else "is-below" if value.high < 0 else "is-open"
    low, mean, high = (_x(part) for part in (value.low, value.mean, value.high))
    half = HEIGHT / 2
    return element(
        "svg",
        {"class": f"bots-strip {name}", "viewBox": f"0 0 {WIDTH} {HEIGHT}", "aria-hidden": "true"},
        element("path", {"d": f"M{_x(0):.1f} 0V{HEIGHT}", "class": "bots-zero"}),
        element("rect", {"x": low, "y": half - 3, "width": high - low, "height": 6, "rx": 3}),
        element("circle", {"cx": mean, "cy": half, "r": 3}),
    )


def _x(difference: float) -> float:
    part = (min(max(difference, -WIDEST), WIDEST) + WIDEST) / (2 * WIDEST)
    return MARGIN + (WIDTH - 2 * MARGIN) * part


def _signed(number: float) -> str:
    return number_text(number, 2, plus=True)
