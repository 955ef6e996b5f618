"""The page /voices/."""

from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from training.voices.page import UnknownPair, pair_of, published


@require_safe
def voices(request: HttpRequest) -> HttpResponse:
    """Show a pair of answers; a choice names them. Nothing is kept of it."""
    shown = published()
    if shown is None:
        raise Http404("No voices have been compared on this site.")
    asked = (request.GET.get(name, "") for name in ("at", "language", "pick"))
    try:
        pair = pair_of(shown, *asked)
    except UnknownPair as wrong:
        raise Http404("There is no such pair.") from wrong
    context = {"pair": pair, "rows": shown.rows, "languages": shown.languages}
    return TemplateResponse(request, "voices/index.html", context)
