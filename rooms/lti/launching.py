"""Somebody comes from a course: the login that a platform begins, and what its message says.

The protocol is ``pylti1p3``'s; ours is what it leaves open. A state carries its time, its nonce is
derived from it, so that nothing is stored until a platform has signed something; a message counts
once, in one browser, and for a few minutes.
"""

import logging
import secrets
import time
from typing import Annotated, Any

import jwt
import msgspec
import requests
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac
from jwcrypto.common import JWException
from pylti1p3.contrib.django.message_launch import DjangoMessageLaunch
from pylti1p3.contrib.django.oidc_login import DjangoOIDCLogin
from pylti1p3.contrib.django.request import DjangoRequest
from pylti1p3.contrib.django.session import DjangoSessionService
from pylti1p3.deep_link import DeepLink
from pylti1p3.deep_link_resource import DeepLinkResource
from pylti1p3.deployment import Deployment
from pylti1p3.exception import LtiException, OIDCException
from pylti1p3.lineitem import LineItem
from pylti1p3.registration import Registration
from pylti1p3.roles import StaffRole, TeacherRole, TeachingAssistantRole
from pylti1p3.tool_config.abstract import ToolConfAbstract

from negotiation.ttl_cache import is_time
from rooms.lti.browser import Refused, forget_old, partition, platform_of
from rooms.lti.outside import Outside, registration_of
from rooms.lti_models import LtiLaunch, LtiPlatform, origin_of
from rooms.models import Room

log = logging.getLogger(__name__)

STATE_S = 600
"""Seconds between the login and the message."""

LEEWAY_S = 30
"""Seconds that the platform's clock may differ from ours."""

KEYS_S, NEW_KEYS_S = 3600, 10
"""Seconds for which a platform's keys are kept, and how often they are asked for anew at most."""

LONGEST_TOKEN, LONGEST_SUB = 32_000, 255

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
MARKS = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
A_CHOICE = "LtiDeepLinkingRequest"
CHOICE = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"
PEOPLE = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"


Moment = Annotated[float, msgspec.Meta(ge=0, le=2**40)]
"""Seconds since 1970; the library stumbles over numbers without an end."""


class LaunchRecord(msgspec.Struct, frozen=True):
    """What is kept of a platform's message: no name, no e-mail address, no course.

    ``people`` is the address at which the platform tells who is in the course.
    ``choice`` is what a teacher who chooses a room is asked: where the answer goes, and more.
    """

    sub: str
    deployment: str
    room: str
    link: str
    is_teacher: bool
    marks: dict[str, Any]
    people: str = ""
    choice: dict[str, Any] | None = None


class _Claims(msgspec.Struct, frozen=True):
    """The shape that a message has to have before the library walks through it."""

    iss: str
    aud: str | list[str]
    sub: str
    nonce: str
    exp: Moment
    iat: Moment
    nbf: Moment | None = None
    azp: str | None = None
    deployment: str = msgspec.field(name=f"{CLAIM}deployment_id", default="")
    kind: str = msgspec.field(name=f"{CLAIM}message_type", default="")
    roles: list[str] = msgspec.field(name=f"{CLAIM}roles", default_factory=list)
    link: dict[str, Any] = msgspec.field(name=f"{CLAIM}resource_link", default_factory=dict)
    custom: dict[str, Any] | None = msgspec.field(name=f"{CLAIM}custom", default=None)
    marks: dict[str, Any] | None = msgspec.field(name=MARKS, default=None)
    people: dict[str, Any] | None = msgspec.field(name=PEOPLE, default=None)
    choice: dict[str, Any] | None = msgspec.field(name=CHOICE, default=None)


class _KeySet(msgspec.Struct, frozen=True):
    keys: list[dict[str, Any]]


def begin(request: HttpRequest, platform: LtiPlatform, launch_url: str) -> HttpResponse:
    """Send the browser on to the platform's login, with a state that it keeps as a cookie."""
    try:
        answer: HttpResponse = _Login(request, _Registered(platform)).redirect(launch_url)
    except OIDCException as wrong:
        raise Refused("unreadable") from wrong
    return partition(answer)


def kept_of(state: str) -> str:
    """Return what a platform's storage keeps for a login, where cookies may not come back."""
    return salted_hmac("bazaar.lti-stored", state).hexdigest()


def named_by(request: HttpRequest) -> LtiPlatform:
    """Return the platform that a message names, to ask what it keeps; nothing is believed yet."""
    try:
        said = jwt.decode(request.POST.get("id_token", ""), options={"verify_signature": False})
        aud = said["aud"]
        named = {"iss": said["iss"], "client_id": aud if isinstance(aud, str) else aud[0]}
        return platform_of(msgspec.convert(named, dict[str, str]))
    except (jwt.PyJWTError, LookupError, TypeError, ValueError) as wrong:
        raise Refused("unreadable") from wrong


def receive(request: HttpRequest) -> LtiLaunch:
    """Read a platform's message; ``Refused`` where anything of it is not as it must be.

    Whoever is refused leaves nothing behind.
    """
    state = request.POST.get("state", "")
    if not 0 < len(request.POST.get("id_token", "")) <= LONGEST_TOKEN:
        raise Refused("unreadable")
    registered = _Registered()
    claims = _Message(request, registered, _Nonces(request, state)).checked()
    assert registered.platform is not None
    forget_old()
    try:
        with transaction.atomic():
            return LtiLaunch.objects.create(
                platform=registered.platform,
                nonce=claims.nonce,
                state=state,
                told=msgspec.to_builtins(_told(claims)),
            )
    except IntegrityError:  # the same message at the same moment
        raise Refused("used") from None


def _told(claims: _Claims) -> LaunchRecord:
    return LaunchRecord(
        sub=claims.sub,
        deployment=claims.deployment,
        room=str((claims.custom or {}).get("room", ""))[:40],
        link=str(claims.link.get("id", ""))[:255],
        is_teacher=_teaches(claims.roles),
        marks={
            name: value
            for name in ("lineitem", "lineitems", "scope")
            if (value := (claims.marks or {}).get(name))
        },
        people=str((claims.people or {}).get("context_memberships_url", ""))[:500],
        choice=claims.choice if claims.kind == A_CHOICE else None,
    )


def _teaches(roles: list[str]) -> bool:
    """Whether somebody teaches this course, or runs the platform and is no student of it."""
    said = {f"{CLAIM}roles": roles}
    if TeacherRole(said).check() or TeachingAssistantRole(said).check():
        return True
    return StaffRole(said).check() and not any(role.split("#")[-1] == "Learner" for role in roles)


def _nonce_of(state: str) -> str:
    return salted_hmac("bazaar.lti-nonce", state).hexdigest()


class _Registered(ToolConfAbstract[Any]):
    """The platforms that staff has registered, as the library asks for them."""

    def __init__(self, platform: LtiPlatform | None = None) -> None:
        self.platform = platform

    def check_iss_has_one_client(self, iss: str) -> bool:
        return False

    def check_iss_has_many_clients(self, iss: str) -> bool:
        return True

    def find_registration_by_issuer(self, iss: str, *args: Any, **kwargs: Any) -> Registration:
        raise Refused("unknown-platform")

    def find_registration_by_params(
        self, iss: str, client_id: str, *args: Any, **kwargs: Any
    ) -> Registration:
        if self.platform is None:
            found = LtiPlatform.objects.filter(issuer=iss, client_id=client_id, is_active=True)
            self.platform = found.first()
        if self.platform is None:
            raise Refused("unknown-platform")
        return registration_of(self.platform)

    def find_deployment(self, iss: str, deployment_id: str) -> Deployment | None:
        return None

    def find_deployment_by_params(
        self, iss: str, deployment_id: str, client_id: str, *args: Any, **kwargs: Any
    ) -> Deployment | None:
        if self.platform is None or not self.platform.has_deployment(deployment_id):
            return None
        return Deployment().set_deployment_id(deployment_id)


class _Login(DjangoOIDCLogin):
    """The library's, with a nonce that follows from the state, which carries its time."""

    def __init__(self, request: HttpRequest, registered: "_Registered") -> None:
        super().__init__(  # type: ignore[no-untyped-call]  # it has no types
            request, registered, session_service=_Nonces(request, "")
        )

    def _get_uuid(self) -> str:
        self._own = f"{int(time.time())}-{secrets.token_urlsafe(16)}"
        return self._own

    def _generate_nonce(self) -> str:
        return _nonce_of(f"state-{self._own}")


class _Nonces(DjangoSessionService):
    """Keeps nothing in a session: a nonce is right for its state, in time, and used once."""

    def __init__(self, request: HttpRequest, state: str) -> None:
        super().__init__(DjangoRequest(request))
        self._state = state

    def save_nonce(self, nonce: str) -> None:
        """Nothing is kept of who only asks."""

    def check_state_is_valid(self, state: str, id_token_hash: str) -> bool:
        return False  # each time the cookie has to be there

    def check_nonce(self, nonce: str) -> bool:
        if not constant_time_compare(nonce, _nonce_of(self._state)):
            return False
        # The state is ours: its nonce fits, and a platform has signed that.
        if time.time() - int(self._state.split("-")[1]) > STATE_S:
            raise Refused("late")
        return not LtiLaunch.objects.filter(nonce=nonce).exists()


class _Message(DjangoMessageLaunch):
    """The library's checks in their order, each with the word for its failure."""

    _tool_config: _Registered

    def __init__(self, request: HttpRequest, registered: _Registered, nonces: _Nonces) -> None:
        super().__init__(  # type: ignore[no-untyped-call]  # as above
            request, registered, session_service=nonces
        )
        self.set_auto_validation(False)
        self._own_request = request

    def validate_state(self) -> "_Message":
        """Take the cookie, or what the platform kept and a page of ours has sent here.

        A browser says whence a form comes. Another site could send what its own login was given.
        """
        asked = self._own_request
        is_ours = asked.headers.get("Sec-Fetch-Site") == "same-origin"
        kept = kept_of(asked.POST.get("state", ""))
        if not is_ours or not constant_time_compare(asked.POST.get("stored", ""), kept):
            super().validate_state()
        return self

    def checked(self) -> _Claims:
        """Check everything, and return what the message says."""
        for word, check in (
            ("cookie", self.validate_state),
            ("unreadable", self.validate_jwt_format),
            ("unknown-platform", self.validate_registration),
            ("signature", self.validate_jwt_signature),
            ("used", self.validate_nonce),
            ("deployment", self.validate_deployment),
            ("unreadable", self.validate_message),
        ):
            try:
                check()
            except jwt.ExpiredSignatureError as wrong:
                raise Refused("late") from wrong
            except (LtiException, JWException, jwt.PyJWTError) as wrong:
                named = self._claims.deployment if word == "deployment" else ""  # signed by then
                raise Refused(word, named) from wrong
        return self._claims

    def validate_jwt_format(self) -> "_Message":
        super().validate_jwt_format()
        try:
            self._claims = msgspec.convert(self._jwt["body"], _Claims)
            header = msgspec.convert(self._jwt["header"], dict[str, Any])
            written = msgspec.json.encode(self._claims)
        except (msgspec.ValidationError, UnicodeError) as wrong:
            raise LtiException(str(wrong)) from wrong
        aud = self._claims.aud
        if len(self._claims.sub) > LONGEST_SUB or b"\\u0000" in written:
            raise Refused("unreadable")  # no database keeps that
        if not isinstance(header.get("kid"), str) or header.get("alg") != "RS256":
            raise Refused("signature")
        if not aud or (isinstance(aud, list) and len(aud) > 1 and self._claims.azp != aud[0]):
            raise Refused("unknown-platform")
        return self

    def validate_jwt_signature(self) -> "_Message":
        try:
            key = self.get_public_key()[0]
        except LtiException:
            # The platform may have taken new keys.
            if not is_time(f"lti-new-keys:{self._platform.pk}", NEW_KEYS_S):
                raise
            cache.delete(_cached(self._platform))
            registration = registration_of(self._platform)
            self._registration = registration
            key = self.get_public_key()[0]
        jwt.decode(
            self._get_id_token(),
            key,
            algorithms=["RS256"],
            audience=self._platform.client_id,
            issuer=self._platform.issuer,
            leeway=LEEWAY_S,
            options={"require": ["exp", "iat", "nonce", "sub"]},
        )
        return self

    def fetch_public_key(self, key_set_url: str) -> Any:
        known = cache.get(name := _cached(self._platform))
        if known is None:
            known = _fetched(self._platform)
            # Who is away is not asked again at once, or a class would wait for it in our threads.
            cache.set(name, known, KEYS_S if known else NEW_KEYS_S)
        if not known:
            raise Refused("platform-away")
        return known

    @property
    def _platform(self) -> LtiPlatform:
        assert self._tool_config.platform is not None
        return self._tool_config.platform


def _cached(platform: LtiPlatform) -> str:
    return f"lti-keys:{platform.pk}"


def _fetched(platform: LtiPlatform) -> dict[str, Any]:
    """Return a platform's keys; an empty dictionary where it does not tell them."""
    try:
        with Outside(platform.origins()) as outside:
            found = msgspec.json.decode(outside.read("GET", platform.keys_url), type=_KeySet)
    except (requests.RequestException, LtiException, msgspec.MsgspecError, OSError):
        log.warning("a platform does not tell its keys", exc_info=True)
        return {}
    return {"keys": [key for key in found.keys if key.get("kty") == "RSA"]}


FULL_MARK = 100


def return_address(launch: LtiLaunch) -> str:
    """Return where the answer goes: to the platform itself, as staff has named it."""
    address = (launch.told["choice"] or {}).get("deep_link_return_url")
    if not isinstance(address, str) or origin_of(address) not in launch.platform.origins():
        raise Refused("unreadable")
    return address


def answer_of(launch: LtiLaunch, room: Room, launch_url: str) -> str:
    """Return the signed answer: a link that opens this room in a new window, with a mark."""
    link = DeepLinkResource().set_url(launch_url).set_title(room.name).set_target("window")
    link.set_custom_params({"room": room.code})
    link.set_lineitem(_place(room))
    asked: Any = launch.told["choice"]
    asked_by = DeepLink(registration_of(launch.platform), launch.told["deployment"], asked)
    message = asked_by.get_message_jwt([_InAWindow(link)])
    data = "https://purl.imsglobal.org/spec/lti-dl/claim/data"
    if message.get(data) is None:  # to be left out where the platform gave none
        message.pop(data, None)
    return str(asked_by.encode_jwt(message))


def _place(room: Room) -> LineItem:
    place = LineItem().set_label(room.name).set_tag(f"bazaar-{room.pk}")
    return place.set_score_maximum(FULL_MARK)


class _InAWindow(DeepLinkResource):
    """The library keeps a target and does not send it."""

    def __init__(self, link: DeepLinkResource) -> None:
        self._link = link

    def to_dict(self) -> dict[str, object]:
        return {**self._link.to_dict(), "window": {"targetName": "bazaarbatna"}}
