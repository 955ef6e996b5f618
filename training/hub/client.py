"""The hub with one token: repositories and jobs, and nothing else of it."""

import functools
import hashlib
import http
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import httpx2
import huggingface_hub
import msgspec
from django.conf import settings
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils.tqdm import disable_progress_bars

from negotiation.secret_values import keep_secret, scrub
from training.hub.allowed import HubError, NotAllowed, Refused, Unreachable

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
