"""The hub with one token: repositories and jobs, and nothing else of it."""

import fnmatch
import functools
import hashlib
import http
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import httpx2
import huggingface_hub
import msgspec
from django.conf import settings
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils.tqdm import disable_progress_bars

from negotiation.secret_values import keep_secret, scrub, scrub_json
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


CONNECT_S, READ_S = 10.0, 60.0
Answer = TypeVar("Answer")
_ODD = (HfHubHTTPError, httpx2.HTTPError, LocalEntryNotFoundError, RuntimeError)

_NONSENSE = (ValueError, KeyError, TypeError, AttributeError)
"""What the library raises when an answer is no JSON, or lacks what it should have."""

_MAY_PASS = frozenset({408, 425, 429})
ENDED = ("COMPLETED", "CANCELED", "ERROR", "DELETED")
LABEL = "bazaar"  # Name of the label by which a job is found again; its value is our launch


class Job(msgspec.Struct, frozen=True):
    """A job as the hub tells of it; ``stage`` is one of ``ENDED`` once it is over."""

    id: str
    stage: str
    message: str
    url: str

    @property
    def is_over(self) -> bool:
        """It runs no more."""
        return self.stage in ENDED


class Entry(msgspec.Struct, frozen=True):
    """A file in a repository; ``digest`` is SHA-256 of a large one, git's SHA-1 of a small one."""

    path: str
    size: int
    digest: str

    def is_like(self, path: Path) -> bool:
        """Whether a file here is the one there."""
        if not path.is_file() or path.stat().st_size != self.size:
            return False
        with path.open("rb") as file:
            if len(self.digest) == hashlib.sha256().digest_size * 2:
                return hashlib.file_digest(file, "sha256").hexdigest() == self.digest
            blob = b"blob %d\0" % self.size + file.read()
        return hashlib.sha1(blob, usedforsecurity=False).hexdigest() == self.digest


class Listing(msgspec.Struct, frozen=True):
    """The files of a repository as they are in one commit."""

    commit: str
    entries: tuple[Entry, ...]


class Hub:
    """Asks the hub of the settings; NotAllowed without a token."""

    def __init__(self) -> None:
        token: str = settings.HUB["token"]
        if not token:
            raise NotAllowed("Set HF_TOKEN to a token that may write repositories and start jobs.")
        keep_secret([token])
        be_patient_within_limits()
        self._api = HfApi(endpoint=settings.HUB["url"], token=token)

    def make_repo(self, repo: str) -> None:
        """Make a private repository, unless it is there."""
        ask(f"make {repo}", lambda: self._api.create_repo(repo, private=True, exist_ok=True))

    def commit(
        self,
        repo: str,
        message: str,
        files: Sequence[tuple[str, Path | bytes]],
        gone: Sequence[str] = (),
    ) -> None:
        """Write files into a repository, all of them or none.

        HubError, or FileNotFoundError when a file has vanished: nothing was written.
        """
        try:
            adding = [CommitOperationAdd(path, content) for path, content in files]
        except ValueError as vanished:  # a file that a stage has tidied away meanwhile
            raise FileNotFoundError(str(vanished)) from vanished
        removing = [CommitOperationDelete(f"{path}/", is_folder=True) for path in gone]
        ask(
            f"write to {repo}",
            lambda: self._api.create_commit(
                repo, [*removing, *adding], commit_message=message, num_threads=2
            ),
        )

    def files(self, repo: str, folder: str) -> Listing:
        """List what a repository holds below a folder now."""
        commit, listed = ask(f"list {repo}", lambda: self._tree(repo))
        return Listing(
            commit,
            tuple(
                Entry(one.path, one.size, one.lfs.sha256 if one.lfs else one.blob_id)
                for one in listed
                if isinstance(one, RepoFile) and one.path.startswith(f"{folder}/")
            ),
        )

    def download(self, repo: str, listing: Listing, into: Path) -> None:
        """Fetch files that are not there yet; Unreachable when some came otherwise than listed."""
        ask(
            f"fetch from {repo}",
            lambda: self._api.snapshot_download(
                repo,
                revision=listing.commit,
                allow_patterns=[entry.path for entry in listing.entries],
                local_dir=into,
                max_workers=2,
            ),
        )
        # Where the hub is away, the library is content with what an earlier call left.
        broken = [one.path for one in listing.entries if not one.is_like(into / one.path)]
        if broken:
            raise Unreachable(f"{len(broken)} files of {repo} did not come whole: {broken[0]}.")

    def _tree(self, repo: str) -> tuple[str, list[Any]]:
        commit = str(self._api.repo_info(repo).sha)
        return commit, list(self._api.list_repo_tree(repo, recursive=True, revision=commit))

    def run_job(self, namespace: str, label: str, asked: dict[str, Any]) -> Job:
        """Start a job. It is asked for once: a lost answer does not mean that none runs."""
        return ask(
            "start the job",
            lambda: _job(
                self._api.run_job(
                    **asked, attempts=1, labels={LABEL: label}, name=label, namespace=namespace
                )
            ),
        )

    def find_job(self, namespace: str, label: str) -> Job | None:
        """Find the job of a launch; None when the hub has none."""
        found = ask(
            "look for the job",
            lambda: [
                _job(one)
                for one in self._api.list_jobs(
                    labels={LABEL: label}, namespace=namespace, timeout=60
                )
            ],
        )
        return found[0] if found else None

    def job(self, namespace: str, job_id: str) -> Job:
        """Ask how a job is."""
        return ask(
            "ask for the job",
            lambda: _job(self._api.inspect_job(job_id=job_id, namespace=namespace)),
        )

    def cancel_job(self, namespace: str, job_id: str) -> None:
        """End a job."""
        ask(
            "cancel the job",
            lambda: self._api.cancel_job(job_id=job_id, namespace=namespace),
        )


@functools.cache
def be_patient_within_limits() -> None:
    """Set timeouts of the library's client, once; its own waits for ever."""
    huggingface_hub.set_client_factory(
        lambda: httpx2.Client(
            follow_redirects=True, timeout=httpx2.Timeout(READ_S, connect=CONNECT_S)
        )
    )
    disable_progress_bars()


def ask(what: str, question: Callable[[], Answer]) -> Answer:
    """Ask the hub; ``what`` is the deed in words for the message when it fails: "start the job".

    Raises:
        Refused: the hub says no.
        Unreachable: it is away, busy, or answers nonsense.
        OSError: this machine's own disk.
    """
    failure: HubError
    try:
        return question()
    except _ODD as wrong:
        failure = _failure(what, wrong)
    except _NONSENSE as wrong:
        failure = Unreachable(f"Could not {what}: the hub answers nonsense ({_kind(wrong)}).")
    raise failure


def _failure(what: str, wrong: BaseException) -> HubError:
    answered = _http_error(wrong)
    if answered is None:
        return Unreachable(f"Could not {what}: the hub cannot be reached ({_kind(wrong)}).")
    status = answered.response.status_code
    said = f"{status} {_phrase(status)}"
    if answered.server_message:
        said = f"{said}: {answered.server_message}"
    message = f"Could not {what}; the hub says {said}."
    if status >= 500 or status in _MAY_PASS:
        return Unreachable(message, _after(answered.response.headers.get("retry-after", "")))
    if status in (401, 403):
        message += " Check HF_TOKEN: it needs the right to write there, and to start jobs."
    return Refused(message)


def _http_error(wrong: BaseException | None) -> HfHubHTTPError | None:
    # The hub's own answer behind an error: some are wrapped.
    while wrong is not None and not isinstance(wrong, HfHubHTTPError):
        wrong = wrong.__cause__
    return wrong


def _kind(wrong: BaseException) -> str:
    # The library wraps what goes wrong in its threads.
    while wrong.__cause__ is not None:
        wrong = wrong.__cause__
    return type(wrong).__name__


def _phrase(status: int) -> str:
    return http.HTTPStatus(status).phrase if status in list(http.HTTPStatus) else "?"


def _after(header: str) -> float:
    return float(min(int(header), 3600)) if header.isascii() and header.isdigit() else 0.0


def _job(info: Any) -> Job:
    return Job(
        id=str(info.id),
        stage=str(getattr(info.status.stage, "value", info.status.stage)),
        message=scrub(str(info.status.message or "")),
        url=str(info.url),
    )
