"""The market's page asks for its judge: ``{% load market_court %}{% judge_mode %}``."""

from typing import Any

from django import template

from arena.gpu_market.web.front import judge_example

register = template.Library()


@register.inclusion_tag("market/_judge_mode.html")
def judge_mode() -> dict[str, Any]:
    """Explain judge mode by an example that is played, not told."""
    return judge_example()
