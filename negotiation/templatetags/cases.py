"""Texts of a case in templates, as ``{{ texts|said:"en" }}``."""

from django import template

from negotiation.cases.table import in_language

register = template.Library()


@register.filter
def said(texts: object, language: str) -> str:
    """Return what stands in a language; "" where nothing does."""
    return str(texts.get(language, "")) if isinstance(texts, dict) else ""


@register.filter
def read(texts: dict[str, str]) -> str:
    """Return what stands in the reader's language, in the first one where nothing does."""
    return in_language(texts)
