"""Numbers of the board in templates: ``{{ card.deal_rate|span }}``, ``{{ card.rounds|mean }}``."""

from django import template
from django.utils.translation import gettext

from bazaarbatna.intervals import Interval
from negotiation.templatetags.money import NOTHING

register = template.Library()
NARROW = "\N{NARROW NO-BREAK SPACE}"
DASH = "\N{EN DASH}"


@register.filter
def said(text: str) -> str:
    """Return a stored text in the reader's language, where that has it."""
    return gettext(text)


@register.filter
def span(part: Interval | None) -> str:
    """Write the ends of an interval of shares in percent, ``58-66``; empty without one."""
    if part is None:
        return ""
    return f"{_percent(part.low)}{DASH}{_percent(part.high)}"


@register.filter
def mean(part: Interval | None) -> str:
    """Write the mean of shares in percent; a dash when there is none."""
    return NOTHING if part is None else f"{_percent(part.mean)}{NARROW}%"


@register.filter
def rounds(part: Interval | None) -> str:
    """Write a mean number of rounds; a dash when there is none."""
    return NOTHING if part is None else f"{part.mean:.1f}"


@register.filter
def of_best(part: float | None) -> str:
    """Write a share over the best response's in percent; a dash where it is not known."""
    return NOTHING if part is None else f"{_percent(part)}{NARROW}%"


@register.filter
def points(value: float) -> str:
    """Write points without decimals."""
    return str(round(value))


def _percent(part: float) -> str:
    text = f"{100 * part:.1f}"
    return "100" if text == "100.0" else text
