"""The page that says how many people a study needs."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from bazaar_site.rooms.power.chart import power_chart
from bazaar_site.rooms.power.forms import USUAL, PowerForm
from bazaar_site.rooms.power.outcomes import BUYERS, outcomes
from bazaar_site.rooms.power.simulating import NoSuchStudy, answer


@require_safe
def power(request: HttpRequest) -> HttpResponse:
    """Answer what is asked, or an example; only the answer for htmx."""
    form = PowerForm({**USUAL, **request.GET.dict()})
    context: dict[str, Any] = {"form": form, "sellers": _sellers(), "is_example": not request.GET}
    if form.is_valid():
        question = form.question()
        context["question"] = question
        try:
            found = answer(question)
        except NoSuchStudy as wrong:
            context |= {"none": type(wrong).__name__, "rate": getattr(wrong, "rate", None)}
        else:
            context |= {"found": found, "chart": power_chart(question, found)}
    part = "#answer" if getattr(request, "htmx", False) else ""
    status = 422 if form.errors and not part else 200
    response = render(request, f"rooms/power/power.html{part}", context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _sellers() -> list[dict[str, Any]]:
    return [
        {
            "who": gettext(words),
            "share": float(outcomes(name).shares.mean()),
            "deals": float(outcomes(name).deals.mean()),
        }
        for name, words in BUYERS.items()
    ]
