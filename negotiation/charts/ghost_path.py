"""The path a game did not take, faintly behind the one it took."""

from django.utils.safestring import SafeString

from negotiation.charts.course import Course, Mark
from negotiation.charts.sheet import Sheet
from negotiation.charts.svg import element

SIDES = (("seller", "chart-ask"), ("buyer", "chart-bid"))


def left_behind(course: Course, other: Course) -> tuple[Mark, ...]:
    """Give the moves of another game from the last ones that both have in common.

    Args:
        course: the game that is drawn.
        other: the game it was once equal to.
    """
    same = 0
    for mine, theirs in zip(course.marks, other.marks, strict=False):
        if mine != theirs:
            break
        same += 1
    if same == len(other.marks):
        return ()
    # Each side's path starts where it last stood in both games.
    roots = {mark.actor: mark for mark in other.marks[:same]}
    return (*sorted(roots.values(), key=lambda mark: mark.at), *other.marks[same:])


def ghost_paths(sheet: Sheet, marks: tuple[Mark, ...]) -> list[SafeString]:
    """Draw the moves of the other game, one faint line for each side."""
    drawn = []
    for side, name in SIDES:
        # When one side accepts, the other's path goes on to the point where they meet.
        points = [mark for mark in marks if mark.actor == side or mark.kind == "accept"]
        if len(points) > 1:
            drawn.append(_line(sheet, points, name))
    if marks and marks[-1].kind == "accept":
        drawn.append(_end(sheet, marks[-1]))
    return drawn


def _line(sheet: Sheet, points: list[Mark], name: str) -> SafeString:
    path = "L".join(sheet.point(mark.at, mark.price) for mark in points)
    return element(
        "path",
        {
            "class": f"chart-ghost {name}",
            "d": f"M{path}",
            "fill": "none",
            "stroke": "currentColor",
            "stroke-width": 2,
            "stroke-dasharray": "2 5",
            "stroke-linecap": "round",
            "opacity": "0.6",
        },
        element("title", {}, "As it was played"),
    )


def _end(sheet: Sheet, mark: Mark) -> SafeString:
    return element(
        "circle",
        {
            "class": "chart-ghost chart-limit",
            "cx": sheet.x(mark.at),
            "cy": sheet.y(mark.price),
            "r": sheet.letter * 0.3,
            "fill": "none",
            "stroke": "currentColor",
            "stroke-width": 2,
            "opacity": "0.7",
        },
    )
