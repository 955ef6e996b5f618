"""The picture of a finished case: all packages by the points of both, and the way taken."""

from collections.abc import Callable

import numpy as np
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from bazaarbatna.cases import play
from bazaarbatna.cases.case import Case, other
from bazaarbatna.cases.packages import grid_of
from negotiation.charts.svg import element, line, picture, stroke, text_width

SIZE, LEFT, BOTTOM, TOP = 480.0, 52.0, 56.0, 14.0
LETTER = 18.0
LOOK: dict[str, object] = {"viewBox": f"0 0 {SIZE:g} {SIZE:g}", "font-size": LETTER}
MOST_DOTS = 1500

Place = Callable[[float, float], tuple[float, float]]
"""Where points lie on the paper."""


def cloud(state: play.State, seat: str, names: tuple[str, str] | None = None) -> SafeString:
    """Draw own points across and the other's upwards; only for a case that tells everything."""
    names = names or (gettext("my points"), gettext("their points"))
    drawn, at = ground(state.case, seat, names)
    parts = [*drawn, *_path(state, seat, at), *nash(state.case, seat, at)]
    ended = state.ended
    if ended is not None and ended.outcome == "deal":
        spot = at(ended.points[seat], ended.points[other(seat)])
        parts.append(_mark(gettext("the deal"), "chart-deal", spot, "circle"))
    said = gettext(
        "Every dot is a package: to the right it is better for me, upwards for the other. The line "
        "at the edge is the frontier; the dashed lines are what each has without a deal."
    )
    return picture(LOOK, "case-cloud", gettext("All packages, by the points of both"), said, *parts)


def ground(case: Case, seat: str, names: tuple[str, str]) -> tuple[list[SafeString], Place]:
    """Draw axes, all packages, the frontier and what no deal is worth."""
    grid = grid_of(case)
    mine, theirs = grid.points[seat], grid.points[other(seat)]
    outside = case.side(seat).outside, case.side(other(seat)).outside
    spans = []
    for points, no_deal in ((mine, outside[0]), (theirs, outside[1])):
        spans.append((min(float(points.min()), no_deal), max(float(points.max()), no_deal)))
    width, height = SIZE - LEFT - 12, SIZE - BOTTOM - TOP

    def at(x: float, y: float) -> tuple[float, float]:
        (low_x, high_x), (low_y, high_y) = spans
        across = (x - low_x) / ((high_x - low_x) or 1)
        up = (y - low_y) / ((high_y - low_y) or 1)
        return LEFT + across * width, SIZE - BOTTOM - up * height

    dots = np.unique(np.round(np.stack([mine, theirs], axis=1), 1), axis=0)
    shown = dots[:: -(-len(dots) // MOST_DOTS)]
    cloudy = "".join("M{:.0f} {:.0f}h0".format(*at(*dot)) for dot in shown)
    best = line([at(mine[one], theirs[one]) for one in grid.frontier])
    x, y = at(*outside)
    right, foot = LEFT + width, SIZE - BOTTOM
    limits = f"M{x:.1f} {TOP}V{foot}M{LEFT} {y:.1f}H{right}"
    parts = [
        stroke({"class": "chart-line"}, f"M{LEFT} {TOP}V{foot}H{right}", 1),
        stroke({"class": "case-cloud"}, cloudy, 4, cap="round"),
        stroke({"class": "chart-limit"}, limits, 1, dash="3 4"),
        element("g", {"class": "frontier-line"}, stroke({}, best, 3)),
        _axis(names[0], (LEFT + right) / 2, SIZE - 12, 0),
        _axis(names[1], 16, (TOP + foot) / 2, -90),
        *_ticks(spans, at),
    ]
    return parts, at


def nash(case: Case, seat: str, at: Place) -> list[SafeString]:
    """Mark the package with the greatest product of gains, if any gains."""
    grid = grid_of(case)
    if grid.nash is None:
        return []
    mine, theirs = (grid.points[role][grid.nash] for role in (seat, other(seat)))
    return [_mark("Nash", "case-nash", at(mine, theirs), "rect")]


def _path(state: play.State, seat: str, at: Place) -> list[SafeString]:
    case, drawn = state.case, []
    for role, name in ((seat, "chart-bid"), (other(seat), "chart-ask")):
        whole = [
            event.package
            for event in state.history
            if event.seat == role and case.is_whole(event.package)
        ]
        spots = [
            at(case.points(seat, package), case.points(other(seat), package)) for package in whole
        ]
        if len(spots) > 1:
            drawn.append(stroke({"class": name}, line(spots), 1.5, opacity="0.8"))
        drawn += [
            element("circle", {"class": f"{name} chart-dot", "cx": x, "cy": y, "r": 5.0,
                               "fill": "currentColor"})
            for x, y in spots
        ]  # fmt: skip
    return drawn


def _mark(words: str, name: str, spot: tuple[float, float], shape: str) -> SafeString:
    x, y = spot
    if shape == "circle":
        mark = element("circle", {"cx": x, "cy": y, "r": 9.0, "fill": "currentColor"})
    else:
        corners: dict[str, object] = {"x": x - 6, "y": y - 6, "width": 12.0, "height": 12.0}
        turned: dict[str, object] = {
            "transform": f"rotate(45 {x:.1f} {y:.1f})",
            "fill": "currentColor",
        }
        mark = element("rect", {**corners, **turned})
    fits = x + 14 + text_width(words, LETTER) < SIZE
    place: dict[str, object] = {
        "x": x + 14 if fits else x - 14,
        "y": y + 20 if shape == "circle" else y - 10,  # beyond the frontier nothing lies
        "text-anchor": "start" if fits else "end",
    }
    return element("g", {"class": f"{name} chart-end"}, mark, element("text", place, words))


def _axis(words: str, x: float, y: float, turn: int) -> SafeString:
    about: dict[str, object] = {"x": x, "y": y, "text-anchor": "middle"}
    if turn:
        about["transform"] = f"rotate({turn} {x:.1f} {y:.1f})"
    return element("text", about, words)


def _ticks(spans: list[tuple[float, float]], at: Place) -> list[SafeString]:
    (low_x, high_x), (low_y, high_y) = spans
    found = []
    for x in (low_x, high_x):
        place = at(x, low_y)[0]
        anchor = "start" if x == low_x else "end"
        about: dict[str, object] = {"x": place, "y": SIZE - BOTTOM + 20, "text-anchor": anchor}
        found.append(element("text", about, f"{x:,.0f}"))
    for y in (low_y, high_y):
        place = at(low_x, y)[1]
        about = {"x": LEFT - 6, "y": place + 6, "text-anchor": "end"}
        found.append(element("text", about, f"{y:,.0f}"))
    return found
