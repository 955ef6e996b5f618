"""A platform registers itself (LTI Dynamic Registration) by a link that works once.

Staff makes the link for one platform, whose addresses it names: nobody else is asked anything. What
registered so is not active before staff says yes.
"""

import secrets
from datetime import timedelta
from hashlib import sha256
from typing import Annotated, Any

import msgspec
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from rooms.lti.browser import LONGEST, Refused, framed, refuse
from rooms.lti.marks import PLACES, SCORE
from rooms.lti_models import LtiPlatform, LtiSeat, origin_of

INVITED = timedelta(days=1)
PEOPLE = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"

NOT_THERE = {
    LtiSeat.Problem.AWAY: "platform-away",
    LtiSeat.Problem.REFUSED: "not-registered",
    LtiSeat.Problem.ELSEWHERE: "other-addresses",
}
"""The words of refusals, by what went wrong; all else is "unreadable"."""

Address = Annotated[str, msgspec.Meta(max_length=500)]


class _Configuration(msgspec.Struct, frozen=True):
    """What a platform tells of itself."""

    issuer: Annotated[str, msgspec.Meta(max_length=255)]
    authorization_endpoint: Address
    token_endpoint: Address
    jwks_uri: Address
    registration_endpoint: Address
    authorization_server: Address = ""


class _Place(msgspec.Struct, frozen=True):
    deployment_id: str = ""


class _Registered(msgspec.Struct, frozen=True):
    client_id: Annotated[str, msgspec.Meta(min_length=1, max_length=255)]
    tool: _Place = msgspec.field(name=TOOL, default_factory=_Place)


def invite(name: str, known: dict[str, Any]) -> str:
    """Let a platform register itself, and return the token of its link; an earlier one is void."""
    token = secrets.token_urlsafe(24)
    LtiPlatform.objects.update_or_create(
        issuer=known["issuer"],
        client_id="",
        defaults={
            **known,
            "name": name,
            "is_active": False,
            "invite": _digest(token),
            "invited_at": timezone.now(),
        },
    )
    return token


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


@never_cache
@csrf_exempt  # the token of the link stands in for it: in the platform's frame there is no cookie
@require_http_methods(["GET", "HEAD", "POST"])
def register(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether a platform shall know this site; a post lets it, once."""
    try:
        platform = _invited(token)
        context = {
            "platform": platform,
            "asked": {
                name: request.GET.get(name, "")[:LONGEST]
                for name in ("openid_configuration", "registration_token")
            },
            "origin": origin_of(platform.login_url),
        }
        if request.method == "POST":
            _let_in(request, platform)
            context["done"] = True
    except Refused as wrong:
        return refuse(request, wrong)
    return framed(render(request, "rooms/lti/register.html", context), platform.origins())


def _invited(token: str) -> LtiPlatform:
    since = timezone.now() - INVITED
    found = LtiPlatform.objects.filter(invite=_digest(token), invited_at__gt=since).first()
    if found is None:
        raise Refused("not-invited")
    return found


def _let_in(request: HttpRequest, platform: LtiPlatform) -> None:
    """Register at a platform, and note what it says; where that fails the link stays good."""
    own, token = LtiPlatform.objects.filter(pk=platform.pk), platform.invite
    if not own.filter(invite=token).update(invite=""):
        raise Refused("not-invited")
    try:
        _note(platform, *_exchanged(request, platform))
    except Refused:
        own.update(invite=token)
        raise


def _exchanged(request: HttpRequest, platform: LtiPlatform) -> tuple[_Configuration, _Registered]:
    from rooms.lti.outside import Outside, asked

    about, permit = (
        request.POST.get(name, "") for name in ("openid_configuration", "registration_token")
    )
    if origin_of(about) not in platform.origins():
        raise Refused("other-addresses")
    if not (permit.isascii() and permit.isprintable()):
        raise Refused("unreadable")  # no header takes that

    def ask() -> tuple[_Configuration, _Registered]:
        told = msgspec.json.decode(outside.read("GET", about), type=_Configuration)
        headers = {"Authorization": f"Bearer {permit}"} if permit else {}
        answer = outside.read(
            "POST", told.registration_endpoint, json=_about_us(request), headers=headers
        )
        return told, msgspec.json.decode(answer, type=_Registered)

    with Outside(platform.origins()) as outside:
        found, problem = asked(ask)
    if found is None:
        raise Refused(NOT_THERE.get(LtiSeat.Problem(problem or "unreadable"), "unreadable"))
    return found


def _note(platform: LtiPlatform, told: _Configuration, given: _Registered) -> None:
    known = platform.origins()
    platform.issuer, platform.login_url = told.issuer, told.authorization_endpoint
    platform.token_url, platform.keys_url = told.token_endpoint, told.jwks_uri
    platform.audience, platform.client_id = told.authorization_server, given.client_id
    platform.deployments, platform.invite = given.tool.deployment_id, ""
    if not set(platform.origins()) <= set(known):
        raise Refused("other-addresses")
    try:
        platform.full_clean(exclude=["deployments"])  # not all tell one yet
    except ValidationError as wrong:
        raise Refused("unreadable") from wrong
    platform.save()


def _about_us(request: HttpRequest) -> dict[str, Any]:
    """Return what this site tells a platform of itself: it asks for no name and no address."""
    login, launch, keys, choose = (
        request.build_absolute_uri(reverse(f"lti-{name}"))
        for name in ("login", "launch", "keys", "choose-any")
    )
    return {
        "application_type": "web",
        "response_types": ["id_token"],
        "grant_types": ["implicit", "client_credentials"],
        "initiate_login_uri": login,
        "redirect_uris": [launch],
        "client_name": "BazaarBATNA",
        "jwks_uri": keys,
        "token_endpoint_auth_method": "private_key_jwt",
        "scope": " ".join((SCORE, PLACES, PEOPLE)),
        TOOL: {
            "domain": request.get_host(),
            "target_link_uri": launch,
            "claims": ["iss", "sub"],
            "messages": [
                {"type": "LtiResourceLinkRequest", "target_link_uri": launch},
                {"type": "LtiDeepLinkingRequest", "target_link_uri": choose},
            ],
        },
    }
