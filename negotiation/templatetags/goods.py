"""What is for sale, as a page writes it: ``{% load goods %}``."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from negotiation.catalogue.stock import text_in

register = template.Library()


@register.simple_tag
def category(text: str) -> SafeString:
    """Write a category in the reader's language, where it has that; else marked as English."""
    said = gettext(text) if text else ""
    return format_html("<span>{}</span>" if said != text else '<span lang="en">{}</span>', said)


@register.simple_tag
def sellers_words(text: str) -> SafeString:
    """Write what a seller says in the reader's language, where that was written; else as said."""
    language = get_language() or "en"
    said = text_in(language, text)
    return format_html(
        '<span lang="{}">{}</span>', "en" if said is None else language, said or text
    )
