"""Training curves from the metrics of the shipped model's runs, one for each stage."""

import functools
from pathlib import Path

import msgspec
from django.utils.safestring import SafeString

from bazaar_site.front.stages import TRAINED
from negotiation.short_memory import kept
from training.pages.curves import draw_curve
from training.pages.public.chain import shipped_chain
from training.runs import lifecycle
from training.runs.metrics import METRICS, read_points

LOOK_EVERY_S = 10.0
DRAWN: tuple[tuple[str, str], ...] = (("reward", "mean reward"), ("loss", "loss"))
"""What is drawn of a stage, the first that its metrics have, and its words."""


class Curve(msgspec.Struct, frozen=True):
    """One stage's curve, drawn."""

    title: str
    run: str
    drawn: SafeString


def curves() -> tuple[Curve, ...]:
    """Draw the published stages of the shipped model; none where none is published."""
    return kept("curves", LOOK_EVERY_S, _curves)


def _curves() -> tuple[Curve, ...]:
    taught = (step for step in shipped_chain() if step.kind in TRAINED)
    found = (
        _curve(one.title, one.run.pk, lifecycle.folder_of(one.run) / METRICS) for one in taught
    )
    return tuple(one for one in found if one is not None)


@functools.lru_cache(maxsize=16)
def _curve(label: str, run: str, path: Path) -> Curve | None:
    for name, words in DRAWN:
        points = read_points(path, name)
        if len(points) > 1:
            return Curve(f"{label}, {words}", run, draw_curve(points, f"{label}: {words}", run))
    return None
