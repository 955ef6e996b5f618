"""What this site may ask the hub for, and which files of a run may travel: these and no others."""

import fnmatch
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
from django.conf import settings

from negotiation.secret_values import scrub, scrub_json
from training.models import KINDS, Run

_REPO = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,38}[A-Za-z0-9])?/[A-Za-z0-9][A-Za-z0-9._-]{0,95}")
_IMAGE = re.compile(r"[a-z0-9][A-Za-z0-9._/:@-]{0,199}")
_REF = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,99}")
_TIMEOUT = re.compile(r"(\d{1,6})([smhd]?)")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400}
LONGEST_S = 3 * 86_400  # A job that runs for longer than three days has been forgotten


class HubError(ValueError):
    """Something about the hub; the message says what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(scrub(" ".join(message.split()))[:600])


class NotAllowed(HubError):
    """A repository, flavor or image that this site may not use."""


class AlreadyAsked(HubError):
    """A job was asked for and nobody knows yet whether it runs."""


class Refused(HubError):
    """The hub refuses: wrong token, no right, no such thing."""


class Unreachable(HubError):
    """The hub does not answer as it should; after ``after_s`` seconds it may."""

    def __init__(self, message: str, after_s: float = 0.0) -> None:
        super().__init__(message)
        self.after_s = after_s


def check_repo(name: str) -> str:
    """Return a repository that runs may be kept in; NotAllowed unless in ``BAZAAR_HUB_REPOS``."""
    if not _REPO.fullmatch(name) or ".." in name or "--" in name or name.endswith((".", ".git")):
        raise NotAllowed(f"A repository is written owner/name, not {name[:120]!r}.")
    if not any(fnmatch.fnmatchcase(name, allowed) for allowed in settings.HUB_REPOS):
        raise NotAllowed(
            f"The repository {name} is not allowed here; name it, or owner/*, in BAZAAR_HUB_REPOS."
        )
    return name


def check_flavor(name: str) -> str:
    """Return a machine that jobs may run on; NotAllowed unless in ``BAZAAR_JOB_FLAVORS``."""
    if name not in settings.JOB_FLAVORS:
        known = ", ".join(settings.JOB_FLAVORS) or "none"
        raise NotAllowed(f"The flavor {name[:60]!r} is not allowed here; allowed are {known}.")
    return name


def check_image(name: str) -> str:
    """Return the container image of jobs; ``NotAllowed`` where it is no name of an image."""
    if not _IMAGE.fullmatch(name):
        raise NotAllowed(f"{name[:120]!r} is no image, like python:3.11.")
    return name


def check_ref(name: str) -> str:
    """Return a commit, tag or branch; NotAllowed when it could be taken for an option."""
    if not _REF.fullmatch(name) or ".." in name:
        raise NotAllowed(f"{name[:120]!r} is no commit, tag or branch.")
    return name


def seconds_of(timeout: str) -> int:
    """Read how long a job may take; NotAllowed when longer than three days, or not like this.

    >>> seconds_of("4h")
    14400
    """
    found = _TIMEOUT.fullmatch(timeout)
    seconds = int(found[1]) * _SECONDS[found[2]] if found else 0
    if not 60 <= seconds <= LONGEST_S:
        raise NotAllowed(f"--timeout is like 90m, 4h or 1d, at most 3d, not {timeout[:40]!r}.")
    return seconds


CARD = "hub_run.json"
_WEIGHTS = r"(adapter_)?model(-\d{5}-of-\d{5})?\.safetensors(\.index\.json)?"

_MODEL = (
    rf"({_WEIGHTS}|(adapter_|generation_)?config\.json|tokenizer(_config)?\.json"
    r"|special_tokens_map\.json|added_tokens\.json|chat_template\.jinja|(sauda|lab)\.json|README\.md)"
)

_STATE = r"(trainer_state\.json|(optimizer|scheduler|scaler|round)\.pt|rng_state(_\d{1,3})?\.pth)"

_ALLOWED = re.compile(
    rf"{re.escape(CARD)}|(config|summary|checks|rounds)\.json"
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
