"""Which models may be trained on: those of this site's runs and folders, and an allow-list.

Only staff choose, and only from here. No code that comes with a model is ever run.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from django.conf import settings

from agents.checkpoints import CARD, find_checkpoint, known
from agents.speech.box import CARD as VOICE_CARD
from arena.gpu_market.trained.cards import CARD as LAB_CARD
from arena.gpu_market.trained.cards import labs
from training.models import KINDS, Run
from training.runs import lifecycle
from training.runs.files import MODEL
from training.stages.config import BOX
from training.stages.settings import MARKET_STAGES, VOICE_STAGES, Stage

RUN, HERE, HUB, LAB, BOXED = "run:", "model:", "hub:", "lab:", "box:"
MOST_RUNS = 40


class NotAllowed(ValueError):
    """This model may not be trained on; the message names what may."""


class Beginning(msgspec.Struct, frozen=True):
    """A model to begin with: of a run, or else a folder or hub name."""

    source: str = ""
    after: Run | None = None


def choices() -> list[tuple[str, str]]:
    """List what a stage of a buyer may begin with, as values and words of a form."""
    return [*_runs(CARD), *_models(), *_hub()]


def lab_choices() -> list[tuple[str, str]]:
    """List what a stage of a lab may begin with."""
    return [*_runs(LAB_CARD), *_labs()]


def voice_choices(stage: Stage) -> list[tuple[str, str]]:
    """List what a stage of the voice may begin with."""
    if stage == VOICE_STAGES[0]:
        return [(f"{BOXED}{BOX}", f"the model in the box ({BOX})"), *_hub()]
    return [*_runs(VOICE_CARD)]


def choices_of(stage: Stage) -> list[tuple[str, str]]:
    """List what a stage may begin with."""
    if stage in VOICE_STAGES:
        return voice_choices(stage)
    return lab_choices() if stage in MARKET_STAGES else choices()


def beginning(choice: str) -> Beginning:
    """Read a choice; ``NotAllowed`` where it is none of the choices."""
    voices = (pair for stage in VOICE_STAGES for pair in voice_choices(stage))
    if choice not in dict([*choices(), *lab_choices(), *voices]):
        allowed = ", ".join(sorted(settings.TRAINABLE_MODELS)) or "none"
        raise NotAllowed(
            f"{choice[:80]!r} may not be trained on. There are the runs that left a model, the "
            f"models of this site, and from the hub: {allowed} (BAZAAR_TRAINABLE_MODELS)."
        )
    name = choice.partition(":")[2]
    if choice.startswith(RUN):
        return Beginning(after=Run.objects.get(pk=name))
    if choice.startswith(LAB):
        return Beginning(next(str(one.folder) for one in labs() if one.card.name == name))
    if choice.startswith(HERE):
        found = find_checkpoint(name)
        return Beginning(str(found.folder) if found else name)
    return Beginning(name)


def _runs(card: str) -> Iterator[tuple[str, str]]:
    stages = [name for name, kind in KINDS.items() if kind.is_stage]
    done = Run.objects.filter(kind__in=stages, status=Run.Status.DONE)
    for run in done.order_by("-ended_at", "-pk")[:MOST_RUNS]:
        if Path(lifecycle.folder_of(run), MODEL, card).is_file():
            yield f"{RUN}{run.pk}", f"{run.what.title} of {run.name}, {run.ended_at:%d %b %H:%M}"


def _models() -> Iterator[tuple[str, str]]:
    for one in known().checkpoints:
        yield f"{HERE}{one.name}", f"{one.card.title} ({one.name})"


def _labs() -> Iterator[tuple[str, str]]:
    for one in labs():
        yield f"{LAB}{one.card.name}", f"{one.card.title} ({one.card.name})"


def _hub() -> Iterator[tuple[str, str]]:
    for name in sorted(settings.TRAINABLE_MODELS):
        yield f"{HUB}{name}", f"{name}, from the hub"
