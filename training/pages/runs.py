"""Pages of runs: everybody sees what was published, staff see everything while it happens."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from negotiation.games.visitors import is_staff_with
from negotiation.secret_values import scrub, scrub_json
from negotiation.sentences import sentences
from training.evaluation.domain import Shown, domain_of_plan
from training.evaluation.folder import LOG, PACKED
from training.evaluation.plan import Plan
from training.evaluation.published import KINDS as PLAYED
from training.jobs.starting import label_of
from training.models import KINDS, Run
from training.pages.curves import charts, words_of
from training.runs import lifecycle
from training.runs.files import artifacts_of, hide_paths_json, open_artifact
from training.runs.metrics import METRICS, read_series

say = sentences(__file__)

MOST_ROWS = 40
LEFT_OUT = ("stage", "checks")  # Said elsewhere, and too much of the same; the files have it
LONGEST = 120  # Characters of a value on a page; the files have all of it
LOG_TAIL = 6_000  # Bytes of the log's end that are shown
Row = tuple[str, str]
MOST = 60


@never_cache
@require_safe
def run_list(request: HttpRequest) -> HttpResponse:
    """List the runs."""
    user = request.user
    context = {"groups": listed(user), "is_staff": _may_see_all(user)}
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
    context = _live_of(run) | {"is_staff": is_staff} | (staff_of(run) if is_staff else {})
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
        raise Http404(say("the_run_has_no_such_file"))
    file, kind = found
    return FileResponse(file, content_type=kind, as_attachment=True, filename=f"{run.pk}.{name}")


def _seen(request: HttpRequest, run_id: str) -> tuple[Run, bool]:
    lifecycle.mark_lost()
    user = request.user
    run = get_object_or_404(_visible_to(user), pk=run_id)
    return run, _may_see_all(user)


def listed(user: User | AnonymousUser) -> list[list[Run]]:
    """List runs in groups: a chain is one, and so is every other run. For ``_runs.html``."""
    groups: dict[str, list[Run]] = {}
    for run in _visible_to(user).order_by("-created_at", "-pk")[:MOST]:
        groups.setdefault(run.chain or run.pk, []).append(run)
    return [group[::-1] for group in groups.values()]


def _visible_to(user: User | AnonymousUser) -> QuerySet[Run]:
    runs = Run.objects.filter(kind__in=KINDS).select_related("after")
    if _may_see_all(user):
        return runs
    return runs.filter(published_at__isnull=False, status=Run.Status.DONE)


def _may_see_all(user: User | AnonymousUser) -> bool:
    return is_staff_with(user, "training.view_run")


def page_of(run: Run) -> dict[str, Any]:
    """Gather what everybody may see who may see the run."""
    headings, rows = _table(run)
    return _live_of(run) | {
        "figures": _figures_of(run),
        "settings": _settings_of(run),
        "artifacts": artifacts_of(run) if run.what.is_stage else (),
        "headings": headings,
        "rows": rows,
        "has_files": (lifecycle.folder_of(run) / PACKED).is_file(),
    }


def _live_of(run: Run) -> dict[str, Any]:
    chain = chain_of(run)
    return {
        "run": run,
        "percent": round(100 * run.progress),
        "charts": charts(read_series(lifecycle.folder_of(run) / METRICS), run.pk, run.kind),
        "chain": chain,
        "is_chain_at_work": any(one.is_at_work for one in chain),
        "blocked_by": run.blocked_by,
        "is_live": run.is_at_work and run.blocked_by is None,
    }


def staff_of(run: Run) -> dict[str, Any]:
    """Gather what only staff may see."""
    return {
        "log": _tail(run),
        "resumable": run.status in ("interrupted", "cancelled", "failed", "queued"),
    }


def chain_of(run: Run) -> list[Run]:
    """List the runs that were asked for together with this one, in their order."""
    if not run.chain:
        return []
    return list(Run.objects.filter(chain=run.chain).order_by("created_at", "pk"))


def _figures_of(run: Run) -> tuple[Row, ...]:
    if not run.summary or not run.what.is_stage:
        return ()
    told = {name: value for name, value in run.summary.items() if name not in LEFT_OUT}
    return tuple(_rows(_shown(told)))[:MOST_ROWS]


def _settings_of(run: Run) -> tuple[Row, ...]:
    told = run.config.get("config")
    if not isinstance(told, dict):
        return ()
    return tuple((label_of(name), _words(value)) for name, value in _shown(told).items())


def _shown(value: dict[str, Any]) -> dict[str, Any]:
    shown: dict[str, Any] = hide_paths_json(scrub_json(value))
    return shown


def _rows(summary: Mapping[str, Any], before: str = "") -> Iterator[Row]:
    for name, value in summary.items():
        words = f"{before}{name.replace('_', ' ')}"
        if isinstance(value, Mapping) and {"mean", "low", "high"} <= value.keys():
            mean, low, high = (_words(value[part]) for part in ("mean", "low", "high"))
            values = {"mean": mean, "low": low, "high": high}
            yield words, say("mean_low_to_high", **values)
        elif isinstance(value, Mapping):
            yield from _rows(value, f"{words}, ")
        elif not isinstance(value, list) or all(isinstance(one, int | float) for one in value):
            yield words, _words(value)


def _words(value: Any) -> str:
    match value:
        case bool():
            return say("yes") if value else say("no")
        case int():
            return f"{value:,}"
        case float():
            return words_of(value)
        case None | "":
            return "–"
        case list() | tuple():
            return ", ".join(map(_words, value))[:LONGEST]
        case _:
            return str(value)[:LONGEST]


def _tail(run: Run) -> str:
    path = lifecycle.folder_of(run) / LOG
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - LOG_TAIL))
            return scrub(file.read().decode(errors="replace"))
    except OSError:
        return ""


def _table(run: Run) -> tuple[list[str], list[tuple[str, list[str]]]]:
    if run.summary is None or run.kind not in PLAYED:
        return [], []
    domain = domain_of_plan(msgspec.convert(run.config, Plan))
    results = msgspec.convert(run.summary, domain.summary).policies
    ranked = sorted(results, key=lambda one: _mean(one.mean, domain.lead), reverse=True)
    return [gettext(one.heading) for one in domain.shown], [
        (gettext(one.title), [_rate_text(one.mean, column) for column in domain.shown])
        for one in ranked
    ]


def _mean(card: Any, lead: str) -> float:
    found = getattr(card, lead)
    return found.mean if found else 0.0


def _rate_text(card: Any, column: Shown) -> str:
    rate = getattr(card, column.rate)
    if rate is None:
        return "–"
    times, digits = (100, 1) if column.style == "percent" else (1, 2)
    mean, low, high = (f"{times * one:.{digits}f}" for one in (rate.mean, rate.low, rate.high))
    values = {"mean": mean, "low": low, "high": high}
    return say("mean_low_to_high", **values)
