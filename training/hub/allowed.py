"""What this site may ask the hub for: its operator has written it down beforehand."""

import fnmatch
import re

from django.conf import settings

from negotiation.secret_values import scrub

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
