"""A curve whose values can be read: by pointer, by keyboard, by touch, and as a table."""

import msgspec
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from negotiation.charts.svg import element, round_ticks
from negotiation.sentences import sentences
from training.runs.metrics import Point, Series, thin

say = sentences(__file__)


WIDTH, HEIGHT = 360, 208
LEFT, RIGHT, TOP, FOOT = 40, 8, 12, 26
MOST_POINTS = 120  # More would lie under one finger
MOST_ROWS = 12
SMOOTHED_FROM = 24  # Values from which a mean of the neighbours is drawn over them

WORDS: dict[str, str] = say.texts("measures")
"""What is drawn first, and how it is called; the rest follows under its own name."""

OF_KIND = {
    ("sft", "accuracy"): say.text("tokens_told_right"),
    ("market-sft", "accuracy"): say.text("tokens_told_right"),
    ("market-grpo", "reward"): say.text("return_less_the_cost_of_format"),
}
"""What means something else in a run of one kind."""

LEFT_OUT = frozenset({"epoch", "elapsed_s", "per_s", "done", "learning_rate", "seconds", "tokens"})
"""Measured, and worth no picture."""

MOST_CHARTS = 8


class Chart(msgspec.Struct, frozen=True):
    """One curve: its name in words, its last value, the drawing and a few rows of numbers.

    ``is_code``: it goes by the name that the code gives it.
    """

    key: str
    title: str
    now: str
    drawn: SafeString
    rows: tuple[tuple[str, str], ...]
    is_code: bool = False


def charts(series: Series, run: str, kind: str = "") -> tuple[Chart, ...]:
    """Draw everything that was measured at least twice, the telling things first."""
    known = WORDS | {name: words for (of, name), words in OF_KIND.items() if of == kind}
    order = [name for name in known if name in series]
    order += [name for name in series if name not in known and name not in LEFT_OUT]
    drawable = [name for name in order if len(series[name]) > 1][:MOST_CHARTS]
    return tuple(
        chart(series[name], _title(known, name), f"{run}-{name}", is_code=name not in known)
        for name in drawable
    )


def _title(known: dict[str, str], name: str) -> str:
    return gettext(known[name]) if name in known else name.replace("_", " ")


def chart(points: list[Point], title: str, key: str, *, is_code: bool = False) -> Chart:
    """Draw one curve."""
    shown = thin(points, MOST_POINTS)
    rows = thin(points, MOST_ROWS)
    return Chart(
        key=key,
        title=title,
        now=words_of(points[-1][1]),
        drawn=_draw(points, shown, title, f"chart-{key}"),
        rows=tuple((f"{step:g}", words_of(value)) for step, value in rows),
        is_code=is_code,
    )


def smoothed(points: list[Point], half: int) -> list[Point]:
    """Replace every value by the mean of itself and so many on both sides.

    >>> smoothed([(1, 0.0), (2, 3.0), (3, 0.0)], 1)
    [(1, 1.5), (2, 1.0), (3, 1.5)]
    """
    values = [value for _, value in points]
    means = []
    for place, (step, _) in enumerate(points):
        near = values[max(0, place - half) : place + half + 1]
        means.append((step, sum(near) / len(near)))
    return means


def words_of(value: float) -> str:
    """Write a measured value.

    >>> words_of(0.71349), words_of(0.0000123), words_of(1234.5)
    ('0.713', '1.23e-05', '1,234')
    """
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) < 1e-3 and value else f"{value:.3f}".rstrip("0").rstrip(".")


def _draw(points: list[Point], shown: list[Point], title: str, key: str) -> SafeString:
    marks = round_ticks(min(v for _, v in points), max(v for _, v in points))
    first, last = points[0][0], points[-1][0]
    wide, tall = (last - first) or 1.0, marks[-1] - marks[0]

    def place(point: Point) -> tuple[float, float]:
        x = LEFT + (point[0] - first) / wide * (WIDTH - LEFT - RIGHT)
        y = TOP + (marks[-1] - point[1]) / tall * (HEIGHT - TOP - FOOT)
        return x, y

    is_long = len(points) >= SMOOTHED_FROM
    line = thin(smoothed(points, len(points) // 24 + 1), MOST_POINTS) if is_long else shown
    about: dict[str, object] = {
        "id": key, "viewBox": f"0 0 {WIDTH} {HEIGHT}", "role": "img", "tabindex": 0,
        "aria-labelledby": f"{key}-title", "aria-describedby": f"{key}-words",
    }  # fmt: skip
    return element(
        "svg",
        about,
        element("title", {"id": f"{key}-title"}, title),
        element("desc", {"id": f"{key}-words"}, in_words(points)),
        *(_grid(value, place((first, value))[1]) for value in marks),
        *([_path("curve-raw", [place(one) for one in shown])] if is_long else []),
        _path("curve-line", [place(one) for one in line]),
        element("path", {"class": "curve-cross", "d": f"M0 {TOP}V{HEIGHT - FOOT}"}),
        element("g", {"class": "curve-points"}, *(_point(one, *place(one)) for one in shown)),
        _label(LEFT, HEIGHT - 8, say("step_step", step=f"{first:g}"), "start"),
        _label(WIDTH - RIGHT, HEIGHT - 8, f"{last:g}", "end"),
    )


def _grid(value: float, y: float) -> SafeString:
    return element(
        "g",
        {"class": "curve-grid"},
        element("path", {"d": f"M{LEFT} {y:.1f}H{WIDTH - RIGHT}"}),
        _label(LEFT - 6, y + 4, f"{value:,g}", "end"),
    )


def _path(kind: str, places: list[tuple[float, float]]) -> SafeString:
    return element(
        "path", {"class": kind, "d": "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)}
    )


def _point(point: Point, x: float, y: float) -> SafeString:
    step, value = point
    told = {"step": f"{step:g}", "value": words_of(value)}
    words = element("title", {}, say("step_step_value", **told))
    return element("circle", {"cx": x, "cy": y, "r": 3.5}, words)


def _label(x: float, y: float, words: str, anchor: str) -> SafeString:
    return element("text", {"class": "curve-label", "x": x, "y": y, "text-anchor": anchor}, words)


def in_words(points: list[Point]) -> str:
    """Return where a curve begins and ends, in words.

    >>> in_words([(1, 2.5), (2, 0.5)])
    'From 2.5 at step 1 to 0.5 at step 2.'
    """
    (first, from_), (last, to) = points[0], points[-1]
    return say(
        "from_from_at_step_first_to",
        **{
            "from": f"{from_:.3g}",
            "first": f"{first:g}",
            "to": f"{to:.3g}",
            "last": f"{last:g}",
        },
    )
