"""SVG for every chart: safe elements, paths, pictures with words, labels that keep apart."""

import html
import math
import re
from collections.abc import Iterable, Sequence

import msgspec
from django.utils.safestring import SafeString, mark_safe

from negotiation.charts.course import Course


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


NARROWEST = 320
"""CSS pixels of the narrowest screen the letters must be legible on."""

SMALLEST_TEXT = 11.0
"""CSS pixels of a letter there."""


class Paper(msgspec.Struct, frozen=True, kw_only=True):
    """Maps time, from 0 to ``last_at``, and rupees to user units."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    last_at: int
    low: float
    high: float

    def x(self, at: float) -> float:
        """Return where a moment lies."""
        return self.left + (self.right - self.left) * at / self.last_at

    def y(self, price: float) -> float:
        """Return where a price in rupees lies."""
        return self.bottom - (self.bottom - self.top) * (price - self.low) / (self.high - self.low)

    def spot(self, at: float, price: float) -> tuple[float, float]:
        """Return where a price at a moment lies."""
        return self.x(at), self.y(price)


class Sheet(Paper, frozen=True, kw_only=True):
    """A sale's paper: time is in half rounds, ``letter`` is the font size."""

    letter: float
    upto: int | None = None

    def since(self, seq: int, names: str) -> dict[str, object]:
        """Return a part's classes and the event it appears with."""
        later = self.upto is not None and seq > self.upto
        return {"class": f"{names} is-later" if later else names, "data-seq": seq}

    @property
    def axis(self) -> float:
        """Where the time axis lies."""
        return self.height - self.letter * 1.6

    def point(self, at: float, price: float) -> str:
        """Write a place as path coordinates."""
        return f"{self.x(at):.1f} {self.y(price):.1f}"


def sheet_for(
    course: Course,
    size: tuple[float, float],
    prices: Iterable[float],
    endings: Iterable[str],
    upto: int | None,
    last_at: int | None = None,
) -> Sheet:
    """Fit the paper to a whole game, so that the scales hold still while a reader scrubs.

    Args:
        course: the game.
        size: width and height in user units.
        prices: further prices in rupees that must lie on the paper.
        endings: the texts at the ends of the paths; the right margin holds them.
        upto: the last event to show, None for all.
        last_at: half rounds the time axis must hold, where they are more than the game's own.
    """
    width, height = size
    letter = max(13.0, SMALLEST_TEXT * width / NARROWEST)
    shown = [mark.price for mark in course.marks] + list(prices)
    if not any(mark.actor == "buyer" for mark in course.marks):
        shown.append(course.opening_ask * 0.6)
    low, high = min(shown), max(shown)
    spare = (high - low) * 0.04 or high * 0.1
    label = max(text_width(text, letter) for text in endings)
    return Sheet(
        width=width,
        height=height,
        letter=letter,
        left=letter * 0.6,
        right=width - label - letter * 1.0,
        top=letter * 2.1,
        bottom=height - letter * 3.1,
        last_at=course.last_at if last_at is None else last_at,
        low=low - spare,
        high=high + spare,
        upto=upto,
    )


def round_ticks(low: float, high: float, about: int = 4) -> list[float]:
    """Choose round numbers that hold a range between them.

    >>> round_ticks(0.13, 0.71)
    [0.0, 0.2, 0.4, 0.6, 0.8]
    >>> round_ticks(3, 3)
    [2.0, 4.0]
    """
    if high <= low:
        pad = abs(low) / 2 or 1.0
        low, high, about = low - pad / 1.5, high + pad / 1.5, 2
    least = (high - low) / max(1, about - 1)
    power = 10.0 ** math.floor(math.log10(least))
    step = next(one * power for one in (1, 2, 2.5, 5, 10) if one * power >= least * 0.999)
    first, last = math.floor(low / step), math.ceil(high / step)
    digits = max(0, 2 - math.floor(math.log10(step)))
    return [round(number * step, digits) for number in range(first, last + 1)]
