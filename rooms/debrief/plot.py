"""What all pictures of a debrief share: axes, points that open a replay, the frame around."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.safestring import SafeString

from negotiation.charts.svg import (
    LINE_HEIGHT,
    NARROWEST,
    SMALLEST_TEXT,
    Paper,
    element,
    line,
    spread,
    stroke,
    text_width,
)
from rooms.debrief.games import FinishedGame

WIDTH, HEIGHT = 640.0, 330.0
LETTER = SMALLEST_TEXT * WIDTH / NARROWEST

Tick = tuple[float, str]
Label = tuple[float, str, str]
"""A value, its words, and the class of its colour."""


def paper(
    values: tuple[float, float],
    last_at: int,
    *,
    ticks: Sequence[Tick],
    labels: Sequence[Label] = (),
    height: float = HEIGHT,
    below: float = 1.0,
    above: float = 1.6,
) -> Paper:
    """Return paper for values from low to high, with room for its ticks and labels.

    ``below`` and ``above`` are the lines of text that stand under and over the plot.
    """
    left = max(text_width(words, LETTER) for _, words in ticks) + LETTER * 0.7
    right = max((text_width(words, LETTER) for _, words, _ in labels), default=0.0)
    return Paper(
        width=WIDTH,
        height=height,
        left=left,
        right=WIDTH - right - LETTER * (0.9 if labels else 0.4),
        top=LETTER * above,
        bottom=height - LETTER * (below + 0.5),
        last_at=last_at,
        low=values[0],
        high=values[1],
    )


def grid(sheet: Paper, ticks: Sequence[Tick]) -> SafeString:
    """Draw a hairline at each tick, its words to the left."""
    parts: list[SafeString] = []
    for value, words in ticks:
        y = sheet.y(value)
        way = line([(sheet.left, y), (sheet.right, y)])
        parts.append(stroke({"class": "chart-line"}, way, 1))
        parts.append(text(sheet.left - LETTER * 0.45, y + LETTER * 0.32, words, "end"))
    return element("g", {"class": "chart-axis"}, *parts)


def references(sheet: Paper, labels: Sequence[Label], dashed: Sequence[str] = ()) -> SafeString:
    """Draw a line at each value and its words at the right, kept apart."""
    places = spread(
        [sheet.y(value) for value, _, _ in labels], LETTER * LINE_HEIGHT, sheet.top, sheet.bottom
    )
    parts: list[SafeString] = []
    for (value, words, name), place in zip(labels, places, strict=True):
        way = line([(sheet.left, sheet.y(value)), (sheet.right, sheet.y(value))])
        dash = "6 5" if words in dashed else None
        parts.append(stroke({"class": name}, way, 2, dash=dash))
        look = {"class": f"chart-end {name}", "x": sheet.right + LETTER * 0.45}
        parts.append(element("text", {**look, "y": place + LETTER * 0.35}, words))
    return element("g", {}, *parts)


def text(x: float, y: float, words: str, anchor: str = "start", name: str = "") -> SafeString:
    """Write words on a picture."""
    look: dict[str, object] = {"class": name or "chart-round", "x": x, "y": y}
    return element("text", {**look, "text-anchor": None if anchor == "start" else anchor}, words)


def dot(
    game: FinishedGame, at: tuple[float, float], radius: float, words: str, name: str
) -> SafeString:
    """Draw a game as a point that opens its replay: full between people, else hollow."""
    x, y = at
    filled = "is-people" if game.is_between_people else "is-policy"
    look: dict[str, object] = {"class": f"{name} {filled}", "cx": x, "cy": y, "r": radius}
    return opens(game.game, words, element("circle", look))


def cross(game: FinishedGame, at: tuple[float, float], arm: float, words: str) -> SafeString:
    """Draw a game without a deal as a cross that opens its replay."""
    x, y = at
    way = line([(x - arm, y - arm), (x + arm, y + arm)]) + line(
        [(x - arm, y + arm), (x + arm, y - arm)]
    )
    ground = element("circle", {"cx": x, "cy": y, "r": arm * 1.6, "fill": "transparent"})
    return opens(game.game, words, ground, stroke({"class": "chart-walk"}, way, 2.5, cap="round"))


def opens(game: str, words: str, *shapes: SafeString) -> SafeString:
    """Let shapes open a game's replay; by keyboard one goes there from the table behind."""
    look: dict[str, object] = {"href": reverse("replay", args=[game]), "tabindex": "-1"}
    return element("a", look, element("title", {}, words), *shapes)


def framed(
    key: str, title: str, words: str, *parts: SafeString, height: float = HEIGHT
) -> SafeString:
    """Frame a picture: a group with a name and a description, for what is inside can be opened."""
    name, described = f"{key}-title", f"{key}-words"
    size = {"viewBox": f"0 0 {WIDTH:g} {height:g}", "preserveAspectRatio": "xMinYMid meet"}
    look: dict[str, object] = {**size, "font-size": LETTER, "role": "group"}
    look |= {"aria-labelledby": name, "aria-describedby": described}
    said = (element("title", {"id": name}, title), element("desc", {"id": described}, words))
    svg = element("svg", look, *said, *parts)
    return element("div", {"class": "chart debrief-chart"}, svg)


def radius_for(step: float) -> float:
    """Return how big points may be that stand ``step`` apart."""
    return max(2.6, min(7.5, step * 0.46))


def percent_ticks(low: int, high: int, step: int) -> list[Tick]:
    """Return ticks at whole percents."""
    return [(value / 100, percent(value / 100)) for value in range(low, high + 1, step)]


def percent(part: float) -> str:
    """Write a part as whole percent."""
    return f"{round(part * 100)}\N{NO-BREAK SPACE}%"
