"""The page that says how many people a study needs, with its form and its picture."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from negotiation.charts.svg import closed, element, labelled, line, stroke
from negotiation.errors import RateLimited
from negotiation.limits import request_key, spend
from negotiation.sentences import sentences
from rooms.power.outcomes import BUYERS, outcomes
from rooms.power.simulating import (
    FEWEST_ARMS,
    MEASURES,
    MOST_ARMS,
    Answer,
    NoSuchStudy,
    Question,
    answer,
    power_of,
)

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
        *(_label(x(part * most), f"{part * most * each:,.0f}") for part in (0.25, 0.5, 0.75)),
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


def _label(at: float, words: str) -> SafeString:
    about: dict[str, object] = {"class": "power-axis", "x": at, "y": BOTTOM + 17}
    return element("text", {**about, "text-anchor": "middle", "fill": "currentColor"}, words)


USUAL: dict[str, Any] = {
    "against": "people",
    "measure": "share",
    "effect": 10,
    "arms": 2,
    "lost": 10,
    "power": 80,
    "alpha": 5,
    "games": 1,
    "icc": 0,
}


PARTS = ("effect", "lost", "power", "alpha", "icc")
"""Fields in percent."""


def _percent(label: Any, least: float, most: int) -> forms.DecimalField:
    return forms.DecimalField(label=label, min_value=least, max_value=most, decimal_places=1)


class PowerForm(forms.Form):
    """What a study looks like; all parts in percent."""

    against = forms.ChoiceField(label=say.lazy("who_sits_opposite"))
    measure = forms.ChoiceField(label=say.lazy("what_do_you_compare"))
    effect = _percent(say.lazy("the_smallest_difference_that_matters_to"), 0.5, 50)
    arms = forms.IntegerField(label=say.lazy("groups"), min_value=FEWEST_ARMS, max_value=MOST_ARMS)
    lost = _percent(say.lazy("people_who_leave_before_the_end"), 0, 90)
    power = _percent(say.lazy("chance_to_find_the_difference"), 50, 99)
    alpha = _percent(say.lazy("chance_of_a_false_alarm"), 0.1, 20)
    games = forms.IntegerField(label=say.lazy("games_each_plays"), min_value=1, max_value=20)
    icc = _percent(say.lazy("how_alike_the_games_of_one"), 0, 100)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, words in (("against", BUYERS), ("measure", MEASURES)):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [(value, gettext(said)) for value, said in words.items()]

    def question(self) -> Question:
        """Return the study that was described."""
        told = self.cleaned_data
        parts = {name: float(told[name]) / 100 for name in PARTS}
        return Question(
            against=told["against"],
            measure=told["measure"],
            arms=told["arms"],
            games=told["games"],
            **parts,
        )


@require_safe
def power(request: HttpRequest) -> HttpResponse:
    """Answer what is asked, or an example; only the answer for htmx."""
    form = PowerForm({**USUAL, **request.GET.dict()})
    context: dict[str, Any] = {"form": form, "sellers": _sellers(), "is_example": not request.GET}
    part = "#answer" if getattr(request, "htmx", False) else ""
    status = 422 if form.errors and not part else 200
    wait_s = 0
    if form.is_valid():
        try:
            context |= _answered(request, form.question())
        except RateLimited as limited:
            context["limited"], wait_s = str(limited), limited.retry_after_s
            status = 200 if part else 429
    response = render(request, f"rooms/power/power.html{part}", context, status=status)
    if wait_s:
        response["Retry-After"] = str(wait_s)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _answered(request: HttpRequest, question: Question) -> dict[str, Any]:
    """Work out an answer: thousands of studies run in numbers, so each visitor has so many."""
    if question != EXAMPLE:
        spend("power", request_key(request))
    try:
        found = answer(question)
    except NoSuchStudy as wrong:
        none = {"none": type(wrong).__name__, "rate": getattr(wrong, "rate", None)}
        return {"question": question, **none}
    return {"question": question, "found": found, "chart": power_chart(question, found)}


EXAMPLE = Question()


def _sellers() -> list[dict[str, Any]]:
    return [
        {
            "who": gettext(words),
            "share": float(outcomes(name).shares.mean()),
            "deals": float(outcomes(name).deals.mean()),
        }
        for name, words in BUYERS.items()
    ]
