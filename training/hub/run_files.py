"""Which files of a run go to the hub and come back: these names, and no others."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from negotiation.secret_values import scrub_json
from training.hub.allowed import NotAllowed
from training.models import KINDS, Run

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

RUN_ID = re.compile(r"\d{8}-\d{6}_[a-z0-9][a-z0-9-]{0,50}")


class RunCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A run without its files; ``after`` is the run whose model it starts from, or ""."""

    id: str
    kind: str
    name: str
    config: dict[str, Any]
    seeds: dict[str, Any]
    total: int
    after: str = ""
    format: Literal["run@1"] = "run@1"

    def to_json(self) -> bytes:
        """Write it as people can read it."""
        facts = scrub_json(msgspec.structs.asdict(self))
        return msgspec.json.format(msgspec.json.encode(facts), indent=1)


def is_artifact(name: str) -> bool:
    """Whether a file of a run may travel.

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


def card_of(run: Run) -> RunCard:
    """Describe a run."""
    return RunCard(
        id=run.pk,
        kind=run.kind,
        name=run.name,
        config=run.config,
        seeds=run.seeds,
        total=run.total,
        after=run.after_id or "",
    )


def read_card(folder: Path) -> RunCard:
    """Read the card of a run that was fetched; NotAllowed when it is not one of ours."""
    path = folder / CARD
    try:
        card = msgspec.json.decode(path.read_bytes(), type=RunCard)
    except OSError:
        raise NotAllowed(f"There is no {CARD} of this run in the repository.") from None
    except msgspec.DecodeError as wrong:
        raise NotAllowed(f"{CARD} cannot be read: {wrong}.") from wrong
    check_id(card.id)
    if card.after:
        check_id(card.after)
    if card.kind not in KINDS or card.total < 0:
        raise NotAllowed(f"{CARD} describes a {card.kind[:40]!r}, which is no stage of training.")
    return card


def check_id(run_id: str) -> str:
    """Return the id of a run, which names its folder too; NotAllowed when it is none."""
    if not RUN_ID.fullmatch(run_id):
        raise NotAllowed(f"{run_id[:120]!r} is no run, like 20261121-101500_sft.")
    return run_id
