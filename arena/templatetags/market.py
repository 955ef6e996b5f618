"""Words of the GPU market in templates: ``{{ payment|credits }}``, ``{{ block.id|short }}``."""

from django import template

from arena.gpu_market.board.names import (
    block_words,
    credits_text,
    job_name,
    nights,
    short,
    signed_credits,
    window,
)
from arena.gpu_market.board.titles import lab_name
from arena.words import say
from bazaarbatna.market.first_trade import TRADERS

register = template.Library()
register.filter("short", short)
register.filter("window", window)
register.filter("block_words", block_words)
register.filter("job_name", job_name)


register.filter("nights", nights)

PITCHES = {trader.pitch: trader for trader in TRADERS}


@register.filter
def pitch(message: str) -> str:
    """Say what the other lab of a first trade says of its swap in the page's language."""
    known = PITCHES.get(message)
    return say.of("pitches", known.archetype, said=known.said) if known else message


register.filter("lab", lab_name)


@register.filter
def of_hundred(share: float) -> str:
    """Write a share as so many of 100.

    >>> of_hundred(0.65)
    '65 of 100'
    """
    return say("count_of_100", count=round(100 * share))


@register.filter
def get(names: dict[str, str], name: str) -> str:
    """Return the plain name of a block or a job, or the short one."""
    return names.get(name) or short(name)


@register.filter("credits")
def credits_filter(cents: int | None) -> str:
    """Write hundredths of a credit as credits; a dash when there are none to be known."""
    return "\N{EM DASH}" if cents is None else credits_text(cents)


@register.filter
def whole(cents: int) -> str:
    """Write money as whole credits, rounded down: no more than there is.

    >>> whole(9497)
    '94'
    """
    return credits_text(cents // 100 * 100)


@register.filter
def cost(cents: int) -> str:
    """Write a loss as whole credits, rounded up.

    >>> cost(-130)
    '2'
    """
    return credits_text(-(cents // 100) * 100)


@register.filter
def change(cents: int) -> str:
    """Write a difference of hundredths of a credit with its sign."""
    return signed_credits(cents)


@register.filter
def less(more: int, than: int | str) -> str:
    """Write how much more one sum is than another, both in the whole credits that pages show.

    >>> less(9410, 7590)
    '19'
    """
    return whole(more // 100 * 100 - int(than) // 100 * 100)


@register.filter
def column(value: float) -> str:
    """Write a reward column.

    >>> column(-0.05), column(0.0)
    ('−0.050', '0')
    """
    if abs(value) < 0.0005:
        return "0"
    return f"{value:+.3f}".replace("-", "\N{MINUS SIGN}")
