"""Filters of the arena's templates."""

from django import template
from django.utils.safestring import SafeString

from arena.auction.charts.course import signal_word, spoken

register = template.Library()
register.filter("spoken", spoken)
register.filter("signal_word", signal_word)


@register.filter
def sign(signs: dict[str, SafeString], signal: str) -> SafeString:
    """Return the picture of a signal."""
    return signs[signal]
