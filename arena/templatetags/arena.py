"""Filters of the arena's templates."""

from django import template
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def sign(signs: dict[str, SafeString], signal: str) -> SafeString:
    """Return the picture of a signal."""
    return signs[signal]
