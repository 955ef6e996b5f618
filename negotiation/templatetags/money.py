"""Prices, shares and goods in templates, as ``{{ price|rupees:currency }}``."""

from collections.abc import Callable
from functools import partial
from typing import TypeGuard

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from bazaarbatna.money import about_text, gap_text, least_text, most_text, rupees_text
from negotiation.catalogue.stock import text_in, title_in

register = template.Library()

NOTHING = "\N{EM DASH}"


def _money(text: Callable[[float, str], str], price: float | None, currency: str = "INR") -> str:
    """Write an amount given in rupees; a dash when there is none."""
    return text(price, currency or "INR") if _is_number(price) else NOTHING


# A price, a budget, the least a seller takes, a price that was reckoned, a gain or a distance.
rupees, most, least, about, gap = (
    register.filter(name, partial(_money, text))
    for name, text in {
        "rupees": rupees_text, "most": most_text, "least": least_text,
        "about": about_text, "gap": gap_text,
    }.items()
)  # fmt: skip


@register.filter
def share(part: float | None) -> str:
    """Write a share 0..1 as whole percent, ``0.634`` as ``63 %``; a dash when there is none."""
    return f"{round(part * 100)}\N{NO-BREAK SPACE}%" if _is_number(part) else NOTHING


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


@register.filter
def dollars(microusd: int) -> str:
    """Write an amount in dollars, with what is less than a cent where there is any.

    >>> dollars(5_000_000), dollars(12_345), dollars(7)
    ('$5.00', '$0.012345', '$0.000007')
    """
    whole, rest = divmod(microusd, 1_000_000)
    digits = f"{rest:06d}".rstrip("0")
    return f"${whole:,}.{digits:0<2}"


@register.simple_tag
def category(text: str) -> SafeString:
    """Write a category in the reader's language, where it has that; else marked as English."""
    text = text[:1].upper() + text[1:]
    said = gettext(text) if text else ""
    return format_html("<span>{}</span>" if said != text else '<span lang="en">{}</span>', said)


@register.simple_tag
def title(text: str) -> str:
    """Write what a thing is called, in the reader's language where somebody has written that."""
    language = (get_language() or "en")[:2]
    said = title_in(language, text)
    return text or "" if said is None else format_html('<span lang="{}">{}</span>', language, said)


@register.simple_tag
def sellers_words(text: str) -> SafeString:
    """Write what a seller says in the reader's language, where that was written; else as said."""
    language = (get_language() or "en")[:2]
    said = text_in(language, text)
    return format_html(
        '<span lang="{}">{}</span>', "en" if said is None else language, said or text
    )
