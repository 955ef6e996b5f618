"""What a browser that comes from a course brings, and what it is told where it cannot go on."""

import logging
import re
from collections.abc import Iterable, Mapping
from datetime import timedelta
from http.cookies import Morsel
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from rooms.lti_models import LtiLaunch, LtiPlatform, origin_of

log = logging.getLogger(__name__)

# Python knows the attribute from 3.14 on.
Morsel._reserved.setdefault("partitioned", "Partitioned")  # type: ignore[attr-defined]
Morsel._flags.add("partitioned")  # type: ignore[attr-defined]

KEPT_S = 3600
"""Seconds for which it is remembered that somebody came, until there is a seat."""

ASKED = (
    "iss",
    "login_hint",
    "target_link_uri",
    "lti_message_hint",
    "lti_deployment_id",
    "client_id",
    "lti_storage_target",
)
"""What a platform says when it begins a login."""

LONGEST = 4_000
NEW_WINDOW = "lti1p3_new_window"

STATUS = {"unreadable": 400, "elsewhere": 400, "no-room": 404, "platform-away": 503}
"""By the word of a refusal; all others are 403."""


class Refused(Exception):
    """Somebody who comes from a course cannot go on; ``word`` says why (``lti/refused.html``).

    ``named`` is what the platform named, where whoever runs this site needs it.
    """

    def __init__(self, word: str, named: str = "") -> None:
        super().__init__(word)
        self.word, self.named = word, named[:60]


def refuse(request: HttpRequest, wrong: Refused) -> HttpResponse:
    """Say in words why somebody cannot go on, also within a frame of a platform that is ours."""
    cause = type(wrong.__cause__).__name__ if wrong.__cause__ else ""
    log.warning("a launch was refused", extra={"why": wrong.word, "cause": cause})
    status = STATUS.get(wrong.word, 403)
    answer = render(request, "rooms/lti/refused.html", vars(wrong), status=status)
    # It came from elsewhere, without this browser's cookies: it must not replace them.
    request.META["CSRF_COOKIE_NEEDS_UPDATE"] = False
    platforms = LtiPlatform.objects.filter(Q(is_active=True) | Q(invited_at__isnull=False))
    return framed(answer, (origin for one in platforms for origin in one.origins()))


def framed(answer: HttpResponse, origins: Iterable[str]) -> HttpResponse:
    """Let the pages of a platform show an answer in a frame."""
    extra: Any = answer
    extra.xframe_options_exempt = True
    extra._csp_replace = {
        **getattr(extra, "_csp_replace", {}),
        "frame-ancestors": list(dict.fromkeys(origins)) or ["'none'"],
    }
    return answer


def may_post_to(answer: HttpResponse, address: str) -> HttpResponse:
    """Let a form of an answer go to an address of the platform."""
    extra: Any = answer
    extra._csp_replace = {
        **getattr(extra, "_csp_replace", {}),
        "form-action": ["'self'", origin_of(address)],
    }
    return answer


def asked_in(request: HttpRequest) -> dict[str, str]:
    """Return what a platform says when it begins a login."""
    given: Mapping[str, str] = request.POST if request.method == "POST" else request.GET
    asked = {name: given[name] for name in ASKED if given.get(name)}
    if any(len(value) > LONGEST or "\0" in value for value in asked.values()):
        raise Refused("unreadable")
    if not asked.get("iss") or not asked.get("login_hint"):
        raise Refused("unreadable")
    if (target := asked.get("target_link_uri")) and not _is_here(request, target):
        raise Refused("elsewhere")
    return asked


def platform_of(asked: Mapping[str, str]) -> LtiPlatform:
    """Return the platform that begins a login; a client id is needed where it has several here."""
    found = LtiPlatform.objects.filter(issuer=asked["iss"], is_active=True)
    if client := asked.get("client_id"):
        found = found.filter(client_id=client)
    known = list(found[:2])
    if len(known) != 1:
        waits = LtiPlatform.objects.filter(issuer=asked["iss"], invited_at__isnull=False)
        raise Refused("unknown-platform" if known or not waits.exists() else "unconfirmed")
    return known[0]


def needs_a_window(request: HttpRequest, asked: Mapping[str, str]) -> bool:
    """Whether a browser sits in a frame, where our cookies do not come along, or does not say.

    A teacher who chooses a room does so in the platform's frame, for that is where the answer goes.
    """
    if request.GET.get(NEW_WINDOW) or is_a_choice(asked):
        return False
    return request.headers.get("Sec-Fetch-Dest") != "document"


def is_a_choice(asked: Mapping[str, str]) -> bool:
    """Whether a teacher comes to choose a room."""
    return urlsplit(asked.get("target_link_uri", "")).path == reverse("lti-choose-any")


def in_a_window(asked: Mapping[str, str]) -> str:
    """Return the address that begins the same login in a window of its own."""
    return f"{reverse('lti-login')}?{urlencode({**asked, NEW_WINDOW: '1'})}"


def cookie_name(state: str) -> str:
    """Return the name of the cookie that a login leaves, as the library names it."""
    return f"lti1p3-{state}"


def storage_target(given: Mapping[str, str]) -> str:
    """Return the name of the frame in which a platform keeps things for us; "" where none does."""
    target = given.get("lti_storage_target", "")
    return target if re.fullmatch(r"[\w-]{1,64}", target) else ""


def partition(answer: HttpResponse) -> HttpResponse:
    """Keep the cookies of a frame apart by the site around it: so browsers let them through."""
    for cookie in answer.cookies.values():
        if cookie["secure"] and cookie["samesite"] == "None":
            cookie["partitioned"] = True
    return answer


def keep(request: HttpRequest, answer: HttpResponse, launch: LtiLaunch) -> HttpResponse:
    """Let the browser remember for longer that it was the one that came."""
    is_safe = request.is_secure()
    answer.set_cookie(
        cookie_name(launch.state),
        launch.state,
        max_age=KEPT_S,
        httponly=True,
        secure=is_safe,
        samesite="None" if is_safe else "Lax",
    )
    return partition(answer)


def forget_old() -> int:
    """Forget who came, an hour later, and return how many those were."""
    return LtiLaunch.objects.filter(at__lt=timezone.now() - timedelta(seconds=KEPT_S)).delete()[0]


def is_over(launch: LtiLaunch) -> bool:
    """Whether somebody came too long ago."""
    return timezone.now() - launch.at > timedelta(seconds=KEPT_S)


def came_here(request: HttpRequest, launch: LtiLaunch) -> bool:
    """Whether this very browser came with a launch."""
    return request.COOKIES.get(cookie_name(launch.state)) == launch.state


def _is_here(request: HttpRequest, target: str) -> bool:
    try:
        parts = urlsplit(target)
    except ValueError:
        return False
    own = f"{request.scheme}://{request.get_host()}"
    return f"{parts.scheme}://{parts.netloc}" == own
