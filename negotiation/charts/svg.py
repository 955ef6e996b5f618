"""SVG for every chart: safe elements, paths, pictures with words, labels that keep apart."""

import html
import re
from collections.abc import Sequence

from django.utils.safestring import SafeString, mark_safe


def element(name: str, attributes: dict[str, object], *children: str | SafeString) -> SafeString:
    """Write one element; text among the children is escaped, safe strings are kept.

    Attributes that are ``None`` are left out, numbers get at most one decimal.

    >>> element("circle", {"cx": 1.25, "class": None})
    '<circle cx="1.2"/>'
    """
    written = "".join(
        f' {key}="{_safe(_value(value))}"' for key, value in attributes.items() if value is not None
    )
    if not children:
        return SafeString(f"<{name}{written}/>")
    inside = "".join(_safe(child) for child in children)
    return SafeString(f"<{name}{written}>{inside}</{name}>")


def _value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    return str(value)


def _safe(text: str) -> str:
    # As Django's conditional_escape, which has to think of lazy texts, and a chart has many parts.
    return text if isinstance(text, SafeString) else html.escape(text)


Points = Sequence[tuple[float, float]]


def line(points: Points) -> str:
    """Write a polyline as path coordinates."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def closed(points: Points) -> str:
    """Write a polygon as path coordinates."""
    return f"{line(points)}Z"


def stroke(
    look: dict[str, object],
    d: str,
    width: float,
    *children: str | SafeString,
    dash: str | None = None,
    cap: str | None = None,
    opacity: str | None = None,
) -> SafeString:
    """Draw a path in the colour of its letters, without a filling; ``look`` comes first."""
    about: dict[str, object] = {
        **look,
        "d": d,
        "fill": "none",
        "stroke": "currentColor",
        "stroke-width": width,
        "stroke-dasharray": dash,
        "stroke-linecap": cap,
        "opacity": opacity,
    }
    return element("path", about, *children)


def picture(
    look: dict[str, object], key: str, title: str, words: str, *parts: SafeString
) -> SafeString:
    """Draw parts as one picture with a title and, apart from it, a description.

    ``look`` holds attributes that come first; ``key`` begins the ids of title and description.
    """
    name, described = f"{key}-title", f"{key}-words"
    about = {**look, "role": "img", "aria-labelledby": name, "aria-describedby": described}
    head = element("title", {"id": name}, title), element("desc", {"id": described}, words)
    return element("svg", about, *head, *parts)


def labelled(
    look: dict[str, object], key: str, title: str, words: str, *parts: SafeString
) -> SafeString:
    """Draw parts as one picture whose title and description are read out as its name."""
    name, described = f"{key}-title", f"{key}-desc"
    about = {**look, "role": "img", "aria-labelledby": f"{name} {described}"}
    head = element("title", {"id": name}, title), element("desc", {"id": described}, words)
    return element("svg", about, *head, *parts)


LINE_HEIGHT = 1.2
"""Distance of two lines of text in ems."""

_NARROW = frozenset(",.'·:|iljtfI1 ")


def text_width(text: str, size: float) -> float:
    """Estimate how wide a text is set, in user units as its font size is, on the generous side.

    No common text face is wider for prices and short labels.
    """
    return size * sum(0.4 if letter in _NARROW and letter != "1" else 0.64 for letter in text)


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move positions apart as little as needed, keeping their order; one for each wanted one.

    Where there is no room for all between ``low`` and ``high``, the ``gap`` wins over the latter.

    >>> spread([10, 11], 4, 0, 100)
    [8.5, 12.5]
    """
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    crowds: list[_Crowd] = []
    for index in order:
        crowd = _Crowd([wanted[index]])
        while crowds and crowds[-1].top(gap, low, high) + crowds[-1].depth(gap) > crowd.top(
            gap, low, high
        ):
            crowd = _Crowd([*crowds.pop().wanted, *crowd.wanted])
        crowds.append(crowd)
    places = [
        crowd.top(gap, low, high) + line * gap
        for crowd in crowds
        for line in range(len(crowd.wanted))
    ]
    return [place for _, place in sorted(zip(order, places, strict=True))]


class _Crowd:
    def __init__(self, wanted: list[float]) -> None:
        self.wanted = wanted

    def depth(self, gap: float) -> float:
        return gap * len(self.wanted)

    def top(self, gap: float, low: float, high: float) -> float:
        inside = gap * (len(self.wanted) - 1)
        middle = sum(self.wanted) / len(self.wanted)
        return max(min(middle - inside / 2, high - inside), low)


_TAG = re.compile(r"<([a-z]+)((?:[^<>\"]|\"[^\"]*\")*?) data-seq=\"(\d+)\"")
_CLASS = re.compile(r" class=\"([^\"]*)\"")


def until(picture: SafeString, seq: int) -> SafeString:
    """Mark what a picture shows of events after ``seq``, as the page's scripts do."""

    def marked(found: re.Match[str]) -> str:
        name, attributes, number = found.groups()
        if int(number) <= seq:
            return found[0]
        known = _CLASS.search(attributes)
        if known is None:
            attributes += ' class="is-later"'
        else:
            attributes = attributes.replace(known[0], f' class="{known[1]} is-later"')
        return f'<{name}{attributes} data-seq="{number}"'

    # Only a class of our own is added.
    return mark_safe(_TAG.sub(marked, picture))  # noqa: S308
