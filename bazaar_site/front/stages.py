"""From teacher games to this page: the training pipeline as a diagram, with what has been run."""

from collections.abc import Iterable

from negotiation.charts.garland import Garland
from negotiation.short_memory import kept
from training.models import Run
from training.pages.public.chain import flow

LOOK_EVERY_S = 10.0
TRAINED = ("sft", "grpo", "dpo")
"""Kinds of runs that teach a model something; before them it only knows how games sound."""


def done_kinds() -> frozenset[str]:
    """Name the kinds of runs that are published on this site."""
    return kept("run-kinds", LOOK_EVERY_S, _done_kinds)


def is_trained(done: Iterable[str]) -> bool:
    """Tell whether any stage has trained a model here."""
    return not set(TRAINED).isdisjoint(done)


def stages_garland(done: frozenset[str]) -> Garland:
    """Draw the pipeline; stages without a finished run are hollow."""
    return flow(done, "stages", "The training pipeline, and how far this site has come")


def _done_kinds() -> frozenset[str]:
    shown = Run.objects.filter(status=Run.Status.DONE, published_at__isnull=False).order_by()
    return frozenset(shown.values_list("kind", flat=True).distinct())
