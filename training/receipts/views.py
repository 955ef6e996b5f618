"""Downloads of published runs: what every number on a page links to."""

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from bazaarbatna.intervals import Interval
from negotiation.sentences import sentences
from training.evaluation.domain import Domain, domain_of_plan
from training.evaluation.folder import PACKED, RUN
from training.evaluation.published import PublishedOf, shown
from training.models import Run
from training.receipts.figures import Gap, Style, gap_of, reach
from training.receipts.tables import TABLES
from training.runs import lifecycle

say = sentences(__file__)

MEAN = "mean"
REPRODUCED, SEVERAL_ISSUES = "reproduced", "several_issues"
"""What the library's own command writes."""

POINTS = Style(1, 100.0)
AN_HOUR_S = 3600


class File(msgspec.Struct, frozen=True):
    """A download: its size in kilobytes, its SHA-256."""

    name: str
    url: str
    kilobytes: int
    sha256: str


@require_safe
def receipt(request: HttpRequest, run_id: str) -> HttpResponse:
    """Show a published evaluation: paired differences, files, how it was made and is checked."""
    published = shown(run_id)
    if published is None:
        raise Http404(say("there_is_no_published_evaluation_of"))
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
    path = lifecycle.RECEIPTS / f"{name}.json"
    if name not in (*TABLES, REPRODUCED, SEVERAL_ISSUES) or not path.is_file():
        raise Http404(say("there_is_no_table_of_that"))
    return HttpResponse(path.read_bytes(), content_type="application/json")


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
    path = lifecycle.folder_of(run) / PACKED
    if not path.is_file():
        raise Http404(say("the_bargains_of_this_run_are"))
    return path


def _json(content: Any) -> HttpResponse:
    text = msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n"
    return HttpResponse(text, content_type="application/json")


def page_of(published: PublishedOf[Any, Any], run: Run, policy: str) -> dict[str, Any]:
    """Gather what the template shows.

    ``policy`` is compared with all others; the best one stands in for an unknown one.
    """
    domain = domain_of_plan(published.made)
    ranked = sorted(published.rows, key=lambda one: _lead(domain, one.mean), reverse=True)
    chosen = next((one for one in ranked if one.policy == policy), ranked[0])
    titles = {one.policy: one.title for one in ranked}
    facts = _facts(run)
    return {
        "published": published,
        "title": published.name.replace("-", " ").capitalize(),
        "run": run,
        "ranked": ranked,
        "chosen": chosen,
        "versus": _versus(domain, published.differences, chosen.policy, titles),
        "files": list(_files(run)),
        "domain": domain,
        "command": domain.command(published.made),
        "bargains": published.made.bargains,
        "took_s": facts.get("took_s"),
        "joined": facts.get("joined"),
    }


def _lead(domain: Domain, card: Any) -> float:
    found = getattr(card, domain.lead)
    return found.mean if found else -1.0


def _versus(
    domain: Domain, differences: Iterable[Any], policy: str, titles: dict[str, str]
) -> list[Gap]:
    found: list[tuple[str, int, Interval]] = []
    for one in differences:
        share: Interval | None = getattr(one, domain.lead)
        if one.suite == MEAN and share is not None and policy in (one.first, one.second):
            is_first = one.first == policy
            other = one.second if is_first else one.first
            found.append((titles[other], 1 if is_first else -1, share))
    widest = max((reach(share) for *_, share in found), default=1.0) or 1.0
    found.sort(key=lambda one: one[1] * one[2].mean)
    return [
        gap_of(share, POINTS, sign=sign, widest=widest, second=title)
        for title, sign, share in found
    ]


def _files(run: Run) -> Iterable[File]:
    path = lifecycle.folder_of(run) / PACKED
    if path.is_file():
        stat = path.stat()
        digest = _sha256(path, stat.st_mtime_ns, stat.st_size)
        url = reverse("receipt-episodes", args=[run.pk])
        yield File(PACKED, url, round(stat.st_size / 1000), digest)


@lru_cache(maxsize=8)
def _sha256(path: Path, changed_ns: int, size: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _facts(run: Run) -> dict[str, Any]:
    try:
        facts: dict[str, Any] = msgspec.json.decode((lifecycle.folder_of(run) / RUN).read_bytes())
    except (OSError, msgspec.DecodeError):
        return {}
    return facts
