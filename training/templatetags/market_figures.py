"""The market's page asks for its baselines: ``{% load market_figures %}{% market_baselines %}``."""

from typing import Any

from django import template

from training.market_figures import market_figures

register = template.Library()


@register.inclusion_tag("market/_baselines.html")
def market_baselines() -> dict[str, Any]:
    """Show what scripted policies reach, with intervals, and the published mix beside it."""
    return market_figures()
