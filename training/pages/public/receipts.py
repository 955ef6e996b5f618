"""The receipts of every published run: what it was, how it went, where its files are."""

from collections.abc import Iterator
from typing import Any

import msgspec
from django.urls import reverse

from training.evaluation.published import KINDS as PLAYED
from training.models import KINDS, Run, kind_of
from training.runs.files import artifacts_of


class Download(msgspec.Struct, frozen=True):
    """A file of a run."""

    name: str
    url: str


class Receipt(msgspec.Struct, frozen=True):
    """A published run."""

    run: Run
    kind: str
    url: str
    facts: str
    downloads: tuple[Download, ...]


def receipts() -> tuple[Receipt, ...]:
    """List all published runs in the order of the pipeline, newest first in each kind."""
    published = Run.objects.filter(
        kind__in=KINDS, status=Run.Status.DONE, published_at__isnull=False
    ).order_by("-published_at", "-pk")
    order = list(KINDS)
    ranked = sorted(published, key=lambda run: order.index(run.kind))
    return tuple(_receipt(run) for run in ranked)


def _receipt(run: Run) -> Receipt:
    return Receipt(
        run=run,
        kind=kind_of(run.kind).title,
        url=_page_of(run),
        facts=_facts(run.kind, run.config),
        downloads=tuple(_downloads(run)),
    )


def _page_of(run: Run) -> str:
    if run.kind in PLAYED:
        return reverse("receipt", args=[run.pk])
    return reverse("run", args=[run.pk])


def _downloads(run: Run) -> Iterator[Download]:
    if run.kind in PLAYED:
        rows = f"every {run.what.unit.removesuffix('s')}"
        for name, address in (("config", "config"), ("summary", "summary"), (rows, "episodes")):
            yield Download(name, reverse(f"receipt-{address}", args=[run.pk]))
        return
    for one in artifacts_of(run):
        yield Download(one.name.split(".")[0], reverse("run-file", args=[run.pk, one.name]))


def _facts(kind: str, config: dict[str, Any]) -> str:
    """Say in a few words what was run."""
    if kind in PLAYED:
        buyers, suites = config.get("policies") or (), config.get("suites") or ()
        return f"{len(buyers)} buyers, {len(suites)} suites, seed {config.get('seed')}"
    inner = config.get("config") or {}
    shown = [(name, inner[name]) for name in ("size", "seed", "steps", "epochs") if name in inner]
    return ", ".join(f"{name} {value}" for name, value in shown)
