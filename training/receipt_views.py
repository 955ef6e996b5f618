"""Downloads of published runs: what every number on a page links to."""

from pathlib import Path
from typing import Any

import msgspec
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from training import runs
from training.evaluation.folder import PACKED
from training.evaluation.published import shown
from training.models import Run
from training.receipt_page import page_of
from training.tables import TABLES

AN_HOUR_S = 3600


@require_safe
def receipt(request: HttpRequest, run_id: str) -> HttpResponse:
    """Show a published evaluation: paired differences, files, how it was made and is checked."""
    published = shown(run_id)
    if published is None:
        raise Http404("There is no published evaluation of that name.")
    context = page_of(published, _published(run_id), request.GET.get("policy", ""))
    return TemplateResponse(request, "training/receipt.html", context)


@require_safe
@cache_control(public=True, max_age=AN_HOUR_S)
def summary(request: HttpRequest, run_id: str) -> HttpResponse:
    """Send the summary: cards, intervals, differences, versions and seeds."""
    return _json(_published(run_id).summary)


@require_safe
@cache_control(public=True, max_age=AN_HOUR_S)
def config(request: HttpRequest, run_id: str) -> HttpResponse:
    """Send what was played: policies, suites, sellers, seeds."""
    return _json(_published(run_id).config)


@require_safe
@cache_control(public=True, max_age=AN_HOUR_S)
def episodes(request: HttpRequest, run_id: str) -> FileResponse:
    """Send every bargain, one a line, compressed."""
    path = _packed(_published(run_id))
    return FileResponse(
        path.open("rb"),
        content_type="application/gzip",
        as_attachment=True,
        filename=f"{run_id}.{PACKED}",
    )


@require_safe
@cache_control(public=True, max_age=AN_HOUR_S)
def table(request: HttpRequest, name: str) -> HttpResponse:
    """Send a table that one command has measured, as it wrote it."""
    kind = TABLES.get(name)
    if kind is None or not kind.path().is_file():
        raise Http404("There is no table of that name.")
    return HttpResponse(kind.path().read_bytes(), content_type="application/json")


def _published(run_id: str) -> Run:
    return get_object_or_404(
        Run,
        pk=run_id,
        status=Run.Status.DONE,
        published_at__isnull=False,
        summary__isnull=False,
        # No play at all, or one of a bot that is still here.
        play__bot__withdrawn_at__isnull=True,
    )


def _packed(run: Run) -> Path:
    path = runs.folder_of(run) / PACKED
    if not path.is_file():
        raise Http404("The bargains of this run are not on this machine.")
    return path


def _json(content: Any) -> HttpResponse:
    text = msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n"
    return HttpResponse(text, content_type="application/json")
