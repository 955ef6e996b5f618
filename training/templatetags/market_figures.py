"""The market's page asks for its figures.

``{% load market_figures %}``, then ``{% market_baselines %}`` and ``{% market_lab %}``.
"""

from typing import Any

from django import template

from training.pages.lab import lab_page
from training.pages.market import market_figures

register = template.Library()


@register.inclusion_tag("market/_baselines.html")
def market_baselines() -> dict[str, Any]:
    """Show what scripted policies reach, with intervals, and the published mix beside it."""
    return market_figures()


@register.inclusion_tag("market/_trained.html")
def market_lab() -> dict[str, Any]:
    """Show the trained lab: how it was made, beside the scripts, before and after, its files."""
    return lab_page()
