"""The newest evaluation that may be shown, for the front page and the leaderboard."""

import datetime as dt
from functools import lru_cache

import msgspec

from training.evaluation.plan import Plan
from training.evaluation.summary import Difference, PolicyResult, Summary
from training.models import Run

KIND = "evaluate"
"""The ladder: all suites, the table of the front page."""

STRANGERS = "strangers"
"""Buyers against sellers that no training has met."""

ABLATION = "ablation"
"""One trained buyer with its switches on and off."""

KINDS = (KIND, STRANGERS, ABLATION)
"""Runs that play bargains and are summed up alike."""


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """A published evaluation.

    ``made`` has the commit, the seeds, the suites with their sellers' versions and n; ``rows``
    has one entry per policy with its mean over suites and its card per suite.
    """

    run: str
    name: str
    published_at: dt.datetime
    made: Plan
    method: str
    rows: tuple[PolicyResult, ...]
    differences: tuple[Difference, ...]


def newest(kind: str = KIND) -> Published | None:
    """Give the newest published evaluation of a kind, None while there is none."""
    run = (
        Run.objects.filter(kind=kind, status=Run.Status.DONE, published_at__isnull=False)
        .order_by("-published_at", "-pk")
        .values_list("pk", "published_at")
        .first()
    )
    return None if run is None else _read(*run)


def shown(run_id: str) -> Published | None:
    """Give one published evaluation, None when there is none of that id."""
    run = (
        Run.objects.filter(
            pk=run_id, kind__in=KINDS, status=Run.Status.DONE, published_at__isnull=False
        )
        .values_list("pk", "published_at")
        .first()
    )
    return None if run is None else _read(*run)


@lru_cache(maxsize=8)
def _read(run_id: str, published_at: dt.datetime) -> Published:
    run = Run.objects.get(pk=run_id)
    summary = msgspec.convert(run.summary, Summary)
    return Published(
        run=run.pk,
        name=run.name,
        published_at=published_at,
        made=summary.config,
        method=summary.method,
        rows=summary.policies,
        differences=summary.differences,
    )
