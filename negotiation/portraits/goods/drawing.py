"""Flat pictures of goods."""

from html import escape


def goods_svg(kind: str, seed: int | str = 0, size: int = 160, title: str = "") -> str:
    """Draw a thing; with a title it is a picture, without one an ornament."""
    named = f'role="img"><title>{escape(title)}</title>' if title else 'aria-hidden="true">'
    return (
        f'<svg class="goods goods-{kind}" width="{size}" height="{size}" viewBox="0 0 120 120" {named}'
        '<path class="f-turmeric" d="M30 50h60v44H30z"/></svg>'
    )
