"""Numbers of bots on pages: means with their intervals."""

from django import template

from bazaarbatna.intervals import Interval

register = template.Library()


@register.filter
def interval(value: Interval | None) -> str:
    """Write a mean and its interval with two decimals.

    >>> interval(Interval(0.7345, 0.7, 0.77))
    '0.73 (0.70–0.77)'
    """
    return f"{value.mean:.2f} ({value.low:.2f}–{value.high:.2f})" if value else "–"
