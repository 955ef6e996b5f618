"""A run's model put where the site finds it: a voice and a policy from then on, at once.

The site looks at the folder of models every few seconds; nothing has to be started again.
"""

import os
import shutil
from pathlib import Path

import msgspec
from django.conf import settings

from agents.checkpoints import (
    CARD,
    Checkpoint,
    NoCheckpoint,
    checkpoints_in,
    find_checkpoint,
    forget,
    read_checkpoint,
)
from training.models import Run
from training.runs import lifecycle
from training.runs.files import MODEL, model_files

MOST_NAMESAKES = 1000


class NotSelectable(ValueError):
    """The model cannot be offered; the message says why."""


def selectable_as(run: Run) -> list[str]:
    """Name the models of this site that a run has made."""
    made = checkpoints_in(Path(settings.MODELS_DIR))
    return [one.name for one in made if one.card.made_by == run.pk]


def make_selectable(run: Run, name: str) -> Checkpoint:
    """Offer a run's model to players and evaluations; NotSelectable without model or good name."""
    source, target = lifecycle.folder_of(run) / MODEL, Path(settings.MODELS_DIR, name)
    if not lifecycle.NAME.fullmatch(name):
        raise NotSelectable(f"A model's name is of a-z, 0-9 and hyphens; not {name[:50]!r}.")
    if target.exists() or find_checkpoint(name) is not None:
        raise NotSelectable(f"There is a model called {name} already; choose another name.")
    try:
        card = read_checkpoint(source).card
    except NoCheckpoint:
        raise NotSelectable(f"{run.pk} has left no model; it is {run.status}.") from None
    beside = target.parent.parent / f".{name}.{os.getpid()}"
    shutil.rmtree(beside, ignore_errors=True)
    for path in model_files(lifecycle.folder_of(run)):
        if path.name != CARD:
            _link(path, beside / path.relative_to(source))
    own = msgspec.structs.replace(card, name=name, title=f"{card.title} ({name})", made_by=run.pk)
    (beside / CARD).write_bytes(msgspec.json.format(msgspec.json.encode(own), indent=2))
    target.parent.mkdir(parents=True, exist_ok=True)
    beside.rename(target)
    forget()
    return read_checkpoint(target)


def ensure_selectable(run: Run, stem: str) -> str:
    """Return a name under which a run's model can be chosen, offered if need be; NotSelectable."""
    names = selectable_as(run)
    if names:
        return names[0]
    free = (f"{stem}-{n}" if n > 1 else stem for n in range(1, MOST_NAMESAKES))
    name = next((one for one in free if find_checkpoint(one) is None), stem)
    return make_selectable(run, name).name


def take_away(run: Run) -> list[str]:
    """Offer a run's models no longer; its own files stay."""
    names = selectable_as(run)
    for one in list(checkpoints_in(Path(settings.MODELS_DIR))):
        if one.name in names:
            shutil.rmtree(one.folder)
    forget()
    return names


def _link(source: Path, target: Path) -> None:
    # Across two disks it is copied.
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
