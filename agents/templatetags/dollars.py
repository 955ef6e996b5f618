"""Micro-dollars as operators read them."""

from django import template

register = template.Library()


@register.filter
def dollars(microusd: int) -> str:
    """Write an amount in dollars, with what is less than a cent where there is any.

    >>> dollars(5_000_000), dollars(12_345), dollars(7)
    ('$5.00', '$0.012345', '$0.000007')
    """
    whole, rest = divmod(microusd, 1_000_000)
    digits = f"{rest:06d}".rstrip("0")
    return f"${whole:,}.{digits:0<2}"
