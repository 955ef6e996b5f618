"""Every question to the hub goes through here, and every failure comes out as one of ours.

The library's errors hold the request, and the request holds the token; its messages quote the
server. So ours are made anew, scrubbed, and do not remember what they were made of.
"""

import functools
import http
from collections.abc import Callable
from typing import TypeVar

import httpx2
import huggingface_hub
from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError
from huggingface_hub.utils.tqdm import disable_progress_bars

from training.hub.errors import HubError, Refused, Unreachable

CONNECT_S, READ_S = 10.0, 60.0

Answer = TypeVar("Answer")

_ODD = (HfHubHTTPError, httpx2.HTTPError, LocalEntryNotFoundError, RuntimeError)
_NONSENSE = (ValueError, KeyError, TypeError, AttributeError)
"""What the library raises when an answer is no JSON, or lacks what it should have."""

_MAY_PASS = frozenset({408, 425, 429})


@functools.cache
def be_patient_within_limits() -> None:
    """Give the library's client timeouts, once; its own waits for ever."""
    huggingface_hub.set_client_factory(
        lambda: httpx2.Client(
            follow_redirects=True, timeout=httpx2.Timeout(READ_S, connect=CONNECT_S)
        )
    )
    disable_progress_bars()


def ask(what: str, question: Callable[[], Answer]) -> Answer:
    """Ask the hub.

    Args:
        what: the deed in words, for the message when it fails: "start the job".
        question: the library's call.

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
    """Find the hub's own answer behind an error: some are wrapped."""
    while wrong is not None and not isinstance(wrong, HfHubHTTPError):
        wrong = wrong.__cause__
    return wrong


def _kind(wrong: BaseException) -> str:
    """Name what it began with: the library wraps what goes wrong in its threads."""
    while wrong.__cause__ is not None:
        wrong = wrong.__cause__
    return type(wrong).__name__


def _phrase(status: int) -> str:
    return http.HTTPStatus(status).phrase if status in list(http.HTTPStatus) else "?"


def _after(header: str) -> float:
    return float(min(int(header), 3600)) if header.isascii() and header.isdigit() else 0.0
