"""A square to scan, drawn into the page: no picture to load, nothing the policy forbids."""

import functools

import segno
from django.utils.safestring import SafeString, mark_safe


@functools.lru_cache(maxsize=64)
def square(text: str, label: str) -> SafeString:
    """Return a QR code as SVG, dark on light whatever the page's colours are.

    ``label`` says in words what it leads to.
    """
    drawn = segno.make(text, error="m", micro=False).svg_inline(
        omitsize=True,
        border=2,
        dark="#1c120c",
        light="#ffffff",
        svgclass="square",
        lineclass=None,
        title=label,
    )
    # Shapes of our own: the text itself is not in them, and segno escapes the title.
    return mark_safe(drawn.replace("<svg ", '<svg role="img" ', 1))  # noqa: S308
