"""SVG elements as safe text: every attribute and every word is escaped."""

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString


def element(name: str, attributes: dict[str, object], *children: str | SafeString) -> SafeString:
    """Write one element.

    Args:
        name: the tag, e.g. ``path``.
        attributes: in order; ``None`` leaves an attribute out, numbers get at most one decimal.
        children: text is escaped, safe strings are kept.

    >>> element("circle", {"cx": 1.25, "class": None})
    '<circle cx="1.2"/>'
    >>> element("text", {}, "a < b")
    '<text>a &lt; b</text>'
    """
    written = "".join(
        f' {key}="{conditional_escape(_value(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if not children:
        return SafeString(f"<{name}{written}/>")
    inside = "".join(conditional_escape(child) for child in children)
    return SafeString(f"<{name}{written}>{inside}</{name}>")


def _value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    return str(value)
