"""Pages of runs: everybody sees what was published, staff see everything while it happens."""

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from training import runs
from training.artifacts import open_artifact
from training.models import Run
from training.run_list import listed, may_see_all, visible_to
from training.run_page import live_of, page_of, staff_of


@never_cache
@require_safe
def run_list(request: HttpRequest) -> HttpResponse:
    """List the runs."""
    user = request.user
    context = {"groups": listed(user), "is_staff": may_see_all(user)}
    return TemplateResponse(request, "training/runs.html", context)


@never_cache
@require_safe
def run_page(request: HttpRequest, run_id: str) -> HttpResponse:
    """Show a run: how far it is, its curves, what came out, its files."""
    run, is_staff = _seen(request, run_id)
    context = page_of(run) | {"is_staff": is_staff} | (staff_of(run) if is_staff else {})
    return TemplateResponse(request, "training/run.html", context)


@never_cache
@require_safe
def run_live(request: HttpRequest, run_id: str) -> HttpResponse:
    """Show only what changes; once the run is somewhere else the whole page is wanted."""
    run, is_staff = _seen(request, run_id)
    context = live_of(run) | {"is_staff": is_staff} | (staff_of(run) if is_staff else {})
    answer = TemplateResponse(request, "training/_run_live.html", context)
    if not context["is_live"] or request.GET.get("was", run.status) != run.status:
        answer["HX-Refresh"] = "true"
    return answer


@require_safe
def run_file(request: HttpRequest, run_id: str, name: str) -> FileResponse:
    """Send a file of a run."""
    run, _ = _seen(request, run_id)
    found = open_artifact(run, name)
    if found is None:
        raise Http404("The run has no such file.")
    file, kind = found
    return FileResponse(file, content_type=kind, as_attachment=True, filename=f"{run.pk}.{name}")


def _seen(request: HttpRequest, run_id: str) -> tuple[Run, bool]:
    runs.mark_lost()
    user = request.user
    run = get_object_or_404(visible_to(user), pk=run_id)
    return run, may_see_all(user)
