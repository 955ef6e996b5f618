"""The newest evaluation that may be shown, for the front page and the leaderboard."""

import datetime as dt
from functools import lru_cache
from typing import Any, Generic

import msgspec

from training.evaluation.plan import Plan
from training.evaluation.sport import sport_of_plan
from training.evaluation.summary import Card, Difference
from training.evaluation.summing import AnyCard, AnyDifference, ResultOf
from training.models import Run

KIND = "evaluate"
"""The ladder: all suites, the table of the front page."""

STRANGERS = "strangers"
"""Buyers against sellers that no training has met."""

ABLATION = "ablation"
"""One trained buyer with its switches on and off."""

CEILINGS = "ceilings"
"""How good a buyer could be: bounds and blind lines on the games of the ladder."""

PEOPLE = "people"
"""Buyers, bounds and blind lines with sellers who answer."""

MARKET = "market"
"""Policies of the GPU market."""

KINDS = (KIND, STRANGERS, ABLATION, CEILINGS, PEOPLE, MARKET)
"""Runs that are played and summed up alike."""


class PublishedOf(msgspec.Struct, Generic[AnyCard, AnyDifference], frozen=True, kw_only=True):
    """A published evaluation.

    ``made`` has the commit, the seeds, the suites with their sellers' versions and n; ``rows``
    has one entry per policy with its mean over suites and its card per suite.
    """

    run: str
    name: str
    published_at: dt.datetime
    made: Plan
    method: str
    rows: tuple[ResultOf[AnyCard], ...]
    differences: tuple[AnyDifference, ...]


Published = PublishedOf[Card, Difference]
"""Of bargains."""


def newest(kind: str = KIND) -> Published | None:
    """Give the newest published evaluation of bargains of a kind, None while there is none."""
    run = (
        Run.objects.filter(kind=kind, status=Run.Status.DONE, published_at__isnull=False)
        .order_by("-published_at", "-pk")
        .values_list("pk", "published_at")
        .first()
    )
    return None if run is None else _read(*run)


def shown(run_id: str) -> PublishedOf[Any, Any] | None:
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
def _read(run_id: str, published_at: dt.datetime) -> PublishedOf[Any, Any]:
    run = Run.objects.get(pk=run_id)
    summary = msgspec.convert(run.summary, sport_of_plan(msgspec.convert(run.config, Plan)).summary)
    return PublishedOf(
        run=run.pk,
        name=run.name,
        published_at=published_at,
        made=summary.config,
        method=summary.method,
        rows=summary.policies,
        differences=summary.differences,
    )
