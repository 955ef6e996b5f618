"""Prices and shares in templates: ``{{ price|rupees:currency }}``, ``{{ buyer_share|share }}``."""

from typing import TypeGuard

from django import template

from bazaarbatna.money import about_text, least_text, most_text, rupees_text

register = template.Library()

NOTHING = "\N{EM DASH}"


@register.filter
def rupees(price: float | None, currency: str = "INR") -> str:
    """Write a price given in rupees; a dash when there is none."""
    return rupees_text(price, currency or "INR") if _is_number(price) else NOTHING


@register.filter
def most(price: float | None, currency: str = "INR") -> str:
    """Write a budget in whole rupees; a dash when there is none."""
    return most_text(price, currency or "INR") if _is_number(price) else NOTHING


@register.filter
def least(price: float | None, currency: str = "INR") -> str:
    """Write the least a seller takes in whole rupees; a dash when there is none."""
    return least_text(price, currency or "INR") if _is_number(price) else NOTHING


@register.filter
def about(price: float | None, currency: str = "INR") -> str:
    """Write a price that was reckoned to the nearest rupee; a dash when there is none."""
    return about_text(price, currency or "INR") if _is_number(price) else NOTHING


@register.filter
def share(part: float | None) -> str:
    """Write a share 0..1 as whole percent, ``0.634`` as ``63 %``; a dash when there is none."""
    return f"{round(part * 100)}\N{NO-BREAK SPACE}%" if _is_number(part) else NOTHING


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
