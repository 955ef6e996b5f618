"""The picture of a study's power: how the chance to find the effect grows with the people."""

from django.utils.safestring import SafeString

from negotiation.charts.svg import closed, element, labelled, line, stroke
from negotiation.sentences import sentences
from rooms.power.simulating import Answer, Question, power_of

say = sentences(__file__)


WIDTH, HEIGHT = 340.0, 190.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 330.0, 14.0, 150.0
STEPS = 60
BEYOND = 2.0
"""The picture ends at this multiple of the size that was found."""


def power_chart(question: Question, found: Answer) -> SafeString:
    """Draw the line, the simulated studies as dots, and the size that was found."""
    most = found.games * BEYOND
    each = found.finish / found.games

    def x(games: float) -> float:
        return LEFT + (RIGHT - LEFT) * games / most

    def y(power: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * power

    curve = [
        (x(most * step / STEPS), y(power_of(question, found, most * step / STEPS)))
        for step in range(1, STEPS + 1)
    ]
    band = [(x(found.low), TOP), (x(found.high), TOP), (x(found.high), BOTTOM)]
    band.append((x(found.low), BOTTOM))
    goal = y(question.power)
    parts = [
        *(_level(part, y(part)) for part in (0.0, 0.5, 1.0)),
        element("path", {"class": "power-band", "d": closed(band), "fill": "currentColor"}),
        stroke({"class": "power-goal"}, line([(LEFT, goal), (x(found.games), goal)]), 1.2,
               dash="3 3"),
        stroke({"class": "power-line"}, line(curve), 2.2),
        *(
            element("circle", {"class": "power-dot", "cx": x(size), "cy": y(power), "r": 3.2,
                               "fill": "currentColor"})
            for size, power in found.tried if size <= most
        ),
        *(
            _label(x(part * most), f"{round(part * most * each):,}", "middle")
            for part in (0.25, 0.5, 0.75)
        ),
        element("text", {"class": "power-axis", "x": (LEFT + RIGHT) / 2, "y": HEIGHT - 6,
                         "text-anchor": "middle", "fill": "currentColor"},
                say("people_who_finish")),
    ]  # fmt: skip
    words = say(
        "with_finish_people_who_finish_the",
        finish=f"{found.finish:,}",
        power=round(100 * question.power),
    )
    title = say("the_chance_to_find_the_difference")
    look: dict[str, object] = {"viewBox": f"0 0 {WIDTH:g} {HEIGHT:g}"}
    return labelled(look, "power", title, words, *parts)


def _level(part: float, at: float) -> SafeString:
    words = {"x": LEFT - 6, "y": at + 4, "text-anchor": "end", "fill": "currentColor"}
    return element(
        "g",
        {"class": "power-level"},
        stroke({"class": "chart-line"}, line([(LEFT, at), (RIGHT, at)]), 1),
        element("text", dict[str, object](words), f"{round(100 * part)} %"),
    )


def _label(at: float, words: str, anchor: str) -> SafeString:
    about: dict[str, object] = {"class": "power-axis", "x": at, "y": BOTTOM + 17}
    return element("text", {**about, "text-anchor": anchor, "fill": "currentColor"}, words)
