"""Everything of the lab that can be taken home: files of its runs, and of what was shipped."""

import re
from pathlib import Path

import msgspec
from django.conf import settings
from django.urls import reverse

from arena.gpu_market.trained.cards import CARD, LabCheckpoint
from training.models import Run
from training.pages.lab.chain import Made
from training.runs.files import artifacts_of

FILES: tuple[tuple[str, str], ...] = (
    ("README.md", "model card"),
    ("model.safetensors", "weights"),
    ("tokenizer.json", "tokenizer"),
    ("tokenizer_config.json", "tokenizer, settings"),
    ("chat_template.jinja", "tokenizer, template"),
    ("config.json", "shape of the network"),
    ("generation_config.json", "generation"),
    (CARD, "what it is called, and how it is spoken to"),
)
"""Files of a shipped lab that may be downloaded."""

FOLDER = re.compile("[a-z0-9][a-z0-9-]{0,79}")


class File(msgspec.Struct, frozen=True):
    """A download; ``size`` in bytes."""

    name: str
    what: str
    url: str
    size: int


class Shelf(msgspec.Struct, frozen=True):
    """Files that belong together, with the page they belong to, if any."""

    title: str
    url: str
    files: tuple[File, ...]


def shelves(made: Made) -> tuple[Shelf, ...]:
    """List the labs that came with the code, then the runs."""
    found = [_lab_shelf(one) for one in (made.lab, made.before) if one is not None and _ships(one)]
    found += [_run_shelf(run) for run in made.runs]
    return tuple(shelf for shelf in found if shelf.files)


def shipped_file(folder: str, name: str) -> Path | None:
    """Find a file of a lab that came with the code; None for anything else.

    Args:
        folder: the lab's folder, as ``lab-mini-sft``.
        name: one of ``FILES``.
    """
    home = Path(settings.SHIPPED_LABS_DIR) / folder
    if not FOLDER.fullmatch(folder) or name not in dict(FILES) or not (home / CARD).is_file():
        return None
    path = home / name
    return path if path.is_file() and not path.is_symlink() else None


def _ships(lab: LabCheckpoint) -> bool:
    return lab.folder.parent == Path(settings.SHIPPED_LABS_DIR)


def _lab_shelf(lab: LabCheckpoint) -> Shelf:
    folder = lab.folder.name
    files = tuple(
        File(name, what, reverse("lab-file", args=[folder, name]), path.stat().st_size)
        for name, what in FILES
        if (path := shipped_file(folder, name)) is not None
    )
    return Shelf(f"{lab.card.title}, {lab.version}", "", files)


def _run_shelf(run: Run) -> Shelf:
    files = tuple(
        File(one.name, one.what, reverse("run-file", args=[run.pk, one.name]), one.size)
        for one in artifacts_of(run)
    )
    return Shelf(f"{run.what.title}: {run.name}", reverse("run", args=[run.pk]), files)
