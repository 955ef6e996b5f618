"""Pages of runs: everybody sees what was published, staff see everything while it happens."""

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from training.models import KINDS, Run
from training.pages.runs.page import live_of, page_of, staff_of
from training.runs import lifecycle
from training.runs.files import open_artifact

MOST = 60


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
    lifecycle.mark_lost()
    user = request.user
    run = get_object_or_404(visible_to(user), pk=run_id)
    return run, may_see_all(user)


def may_see_all(user: User | AnonymousUser) -> bool:
    """Whether a user is of the staff; visitors see what was published."""
    return user.is_staff and user.has_perm("training.view_run")


def visible_to(user: User | AnonymousUser) -> QuerySet[Run]:
    """Return the runs that somebody may see."""
    runs = Run.objects.filter(kind__in=KINDS).select_related("after")
    if may_see_all(user):
        return runs
    return runs.filter(published_at__isnull=False, status=Run.Status.DONE)


def listed(user: User | AnonymousUser, *, stages_only: bool = False) -> list[list[Run]]:
    """List runs in groups: a chain is one, and so is every other run. For ``_runs.html``."""
    groups: dict[str, list[Run]] = {}
    for run in visible_to(user).order_by("-created_at", "-pk")[:MOST]:
        if run.what.is_stage or run.chain or not stages_only:
            groups.setdefault(run.chain or run.pk, []).append(run)
    return [group[::-1] for group in groups.values()]
