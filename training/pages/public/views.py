"""The page /training/."""

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from training.pages.public.page import page


@require_safe
def training(request: HttpRequest) -> HttpResponse:
    """Show how the shipped model was made, and what it can do."""
    return TemplateResponse(request, "training/index.html", page())
