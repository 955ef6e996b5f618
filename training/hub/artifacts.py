"""Which files of a run go to the hub and come back: these names, and no others."""

import re
from collections.abc import Iterator
from pathlib import Path

CARD = "hub_run.json"

_WEIGHTS = r"(adapter_)?model(-\d{5}-of-\d{5})?\.safetensors(\.index\.json)?"
_MODEL = (
    rf"({_WEIGHTS}|(adapter_|generation_)?config\.json|tokenizer(_config)?\.json"
    r"|special_tokens_map\.json|added_tokens\.json|chat_template\.jinja|(sauda|lab)\.json|README\.md)"
)
_STATE = r"(trainer_state\.json|(optimizer|scheduler|scaler|round)\.pt|rng_state(_\d{1,3})?\.pth)"
_ALLOWED = re.compile(
    rf"{re.escape(CARD)}|(config|summary|checks|rounds|ladder)\.json"
    r"|(metrics|samples|pairs|episodes)\.jsonl"
    rf"|(model|best(/round-\d{{1,3}})?)/{_MODEL}"
    rf"|checkpoints/checkpoint-\d{{1,9}}/({_MODEL}|{_STATE})"
)

WHOLE = "trainer_state.json"
"""The last file of a checkpoint; without it a checkpoint is still being written."""

GROWING = re.compile(r"[a-z_]+\.jsonl?")
"""Files beside the folders: small, some of them growing, all of them text."""


def is_artifact(name: str) -> bool:
    """Tell whether a file of a run may travel.

    Args:
        name: relative to the run's folder, with slashes.

    >>> is_artifact("model/model.safetensors"), is_artifact("model/../../.env")
    (True, False)
    """
    return _ALLOWED.fullmatch(name) is not None


def artifacts_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """List what may travel of a run's folder; links and unfinished checkpoints stay."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if is_artifact(name) and path.is_file() and not _leads_away(folder, path):
            if name.startswith("checkpoints/") and not (path.parent / WHOLE).is_file():
                continue
            yield name, path


def passing_folder(name: str) -> str | None:
    """Name the folder of a file that comes and goes while a run works; None for those that stay.

    >>> passing_folder("checkpoints/checkpoint-20/optimizer.pt"), passing_folder("model/README.md")
    ('checkpoints/checkpoint-20', None)
    >>> passing_folder("best/round-2/model.safetensors"), passing_folder("best/model.safetensors")
    ('best/round-2', 'best')
    """
    parts = name.split("/")
    if parts[0] == "checkpoints":
        return "/".join(parts[:2])
    return "/".join(parts[:-1]) if parts[0] == "best" and len(parts) > 1 else None


def _leads_away(folder: Path, path: Path) -> bool:
    return path.resolve() != folder.resolve() / path.relative_to(folder)
