"""Filters and tags of the arena's templates."""

from typing import Any

from django import template
from django.utils.safestring import SafeString

from arena.auction.charts.course import signal_word, spoken
from arena.gpu_market.web.front import judge_example

register = template.Library()
register.filter("spoken", spoken)
register.filter("signal_word", signal_word)


@register.filter
def sign(signs: dict[str, SafeString], signal: str) -> SafeString:
    """Return the picture of a signal."""
    return signs[signal]


@register.inclusion_tag("market/_judge_mode.html")
def judge_mode() -> dict[str, Any]:
    """Explain the market's judge by an example that is played, not told."""
    return judge_example()
