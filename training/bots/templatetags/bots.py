"""Numbers of bots on pages: means with their intervals."""

from django import template

from negotiation.engine.scoring import Interval

register = template.Library()

NOTHING = "–"


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


def _signed(number: float) -> str:
    return f"{number:+.2f}".replace("-", "−")
