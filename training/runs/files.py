"""Files of a run that may be downloaded: a closed list of names, from its own folder only."""

import io
import os
import tarfile
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings

from agents.checkpoints import CARD
from negotiation.secret_values import scrub
from training.models import Run
from training.runs import lifecycle

MODEL, PACKED_MODEL = "model", "model.tar"

TOLD = (CARD, "adapter_config.json", "README.md")
"""Files of a model that name what it was made from, which may lie on this machine."""

MOST_MODEL_BYTES = 4_000_000_000  # A larger model is fetched from the machine itself

FILES = (
    "config.json",
    "metrics.jsonl",
    "summary.json",
    "samples.jsonl",
    "episodes.jsonl",
    "pairs.jsonl",
    "pairs.jsonl.gz",
    PACKED_MODEL,
)
"""What may be downloaded; ``training/_run_file.html`` says what each is."""

_TYPES = {
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".tar": "application/x-tar",
    ".gz": "application/gzip",
}


class Artifact(msgspec.Struct, frozen=True):
    """A file to download, with its size in bytes."""

    name: str
    size: int


def artifacts_of(run: Run) -> tuple[Artifact, ...]:
    """List what a run has to download."""
    folder = lifecycle.folder_of(run)
    return tuple(Artifact(name, size) for name in FILES if (size := _size(folder, name)))


def open_artifact(run: Run, name: str) -> tuple[io.BufferedIOBase, str] | None:
    """Open a file of a run: it and its content type; None when there is no such file to give."""
    folder = lifecycle.folder_of(run)
    if name not in FILES or not _size(folder, name):
        return None
    if name == PACKED_MODEL:
        pack_model(folder)
    path = folder / name
    kind = _TYPES[path.suffix]
    if path.suffix == ".json":
        return io.BytesIO(_without_secrets(path)), kind
    return path.open("rb"), kind


def pack_model(folder: Path) -> Path:
    """Pack a run's model, once, always in the same bytes; FileNotFoundError when it has none."""
    target = folder / PACKED_MODEL
    if not target.is_file():
        beside = folder / f".{PACKED_MODEL}.{os.getpid()}"
        with tarfile.open(beside, "w", format=tarfile.PAX_FORMAT) as tar:
            for path in model_files(folder):
                _add(tar, path, f"{folder.name}/{path.relative_to(folder / MODEL)}")
        beside.replace(target)
    return target


def model_files(folder: Path) -> list[Path]:
    """List the files of a run's model; links lead elsewhere and are left out."""
    return sorted(
        path for path in (folder / MODEL).rglob("*") if path.is_file() and not path.is_symlink()
    )


def _size(folder: Path, name: str) -> int:
    if name == PACKED_MODEL:
        size = sum(path.stat().st_size for path in model_files(folder))
        return size if size <= MOST_MODEL_BYTES else 0
    path = folder / name
    return path.stat().st_size if path.is_file() and not path.is_symlink() else 0


def _add(tar: tarfile.TarFile, path: Path, name: str) -> None:
    about = tarfile.TarInfo(name)
    about.mode = 0o644
    with io.BytesIO(_without_secrets(path)) if path.name in TOLD else path.open("rb") as file:
        about.size = file.seek(0, os.SEEK_END)
        file.seek(0)
        tar.addfile(about, file)


def _without_secrets(path: Path) -> bytes:
    # What people typed may hold a path of this machine.
    return hide_paths(scrub(path.read_text())).encode()


def hide_paths(text: str) -> str:
    """Replace the folders of this machine by what they are to the site."""
    for folder, name in _folders():
        text = text.replace(folder, name)
    return text


def hide_paths_json(value: Any) -> Any:
    """Do the same for every text of a JSON value."""
    match value:
        case str():
            return hide_paths(value)
        case dict():
            return {key: hide_paths_json(inner) for key, inner in value.items()}
        case list() | tuple():
            return [hide_paths_json(inner) for inner in value]
        case _:
            return value


def _folders() -> list[tuple[str, str]]:
    named = [
        (Path(settings.RUNS_DIR), "runs"),
        (Path(settings.RUNS_DIR).parent, "var"),
        (Path(settings.BASE_DIR), "."),
        (Path.home(), "~"),
    ]
    # The deepest first; a root folder would hide every path's first letter.
    named.sort(key=lambda one: len(str(one[0])), reverse=True)
    return [(str(path), name) for path, name in named if len(path.parts) > 1]
