"""The page that says how many people a study needs."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from negotiation.errors import RateLimited
from negotiation.limits import request_key, spend
from rooms.power.chart import power_chart
from rooms.power.forms import USUAL, PowerForm
from rooms.power.outcomes import BUYERS, outcomes
from rooms.power.simulating import NoSuchStudy, Question, answer


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
