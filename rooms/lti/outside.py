"""How this site asks a platform for something: its own origins alone, within bounds, signed."""

import functools
import math
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import requests
from cryptography.hazmat.primitives import serialization as form
from django.conf import settings
from pylti1p3.exception import LtiException, LtiServiceException
from pylti1p3.registration import Registration
from pylti1p3.service_connector import ServiceConnector, TServiceConnectorResponse
from requests.adapters import HTTPAdapter

from negotiation.secret_values import keep_secret
from rooms.lti_models import LtiPlatform, LtiSeat, origin_of

CONNECT_S, READ_S = 4, 8

WHOLE_S = 15.0
"""Seconds for a whole answer, however it drips."""

MOST_BYTES = 256 * 1024

ALREADY_THERE, TOO_MANY, OUR_SERVER_ERRORS = 409, 429, 500

MOST_REQUESTS = 300
"""Of one session: a list of places for marks may have pages without an end."""


class Unwilling(requests.RequestException):
    """The site does not ask there."""


class TooMuch(requests.RequestException):
    """An answer is longer, or takes longer, than any that makes sense."""


class Outside(requests.Session):
    """A session that reaches some origins alone, follows nothing and keeps no cookie."""

    def __init__(self, origins: tuple[str, ...], *, within_s: float = math.inf) -> None:
        super().__init__()
        self.trust_env = False  # no passwords from a .netrc
        self.max_redirects = 0
        self._origins, self._until = origins, time.monotonic() + within_s
        self._left = MOST_REQUESTS
        for scheme in ("https://", "http://"):
            self.mount(scheme, _Bounded())

    def send(self, request: requests.PreparedRequest, **kwargs: Any) -> requests.Response:
        """Send a request, and read its answer within bounds."""
        if origin_of(request.url or "") not in self._origins:
            raise Unwilling(request.url)
        self._left -= 1
        if self._left < 0 or time.monotonic() > self._until:
            raise TooMuch("too many requests")
        self.cookies.clear()
        return super().send(request, **kwargs)

    def read(self, method: str, address: str, **kwargs: Any) -> bytes:
        """Return the body of an answer; ``LtiServiceException`` where it is a refusal."""
        answer = self.request(method, address, **kwargs)
        if not answer.ok:
            raise LtiServiceException(answer)
        return answer.content


class _Bounded(HTTPAdapter):
    def send(
        self, request: requests.PreparedRequest, *args: Any, **kwargs: Any
    ) -> requests.Response:
        kwargs |= {"stream": True, "timeout": (CONNECT_S, READ_S)}
        until = time.monotonic() + WHOLE_S
        response = super().send(request, *args, **kwargs)
        body = b""
        try:
            # read1 returns with what has come; the others wait until they have all they asked for.
            while piece := response.raw.read1(16 * 1024, decode_content=True):
                body += piece
                if len(body) > MOST_BYTES or time.monotonic() > until:
                    raise TooMuch(request.url)
        finally:
            response.close()
        response._content = body
        return response


def private_keys() -> tuple[str, ...]:
    """Return the private keys as PEM, first the one that signs; a new site makes it here.

    They are read anew each time: another one signs in every process at once.
    """
    keys: tuple[str, ...] = settings.FIND_LTI_KEYS(settings.DATA_DIR)
    return keys


@functools.lru_cache(maxsize=4)
def public_of(key: str) -> str:
    """Return the public half of a key as PEM; the private one is written nowhere from now on."""
    keep_secret((key, *key.splitlines()))
    public = form.load_pem_private_key(key.encode(), password=None).public_key()
    return public.public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo).decode()


def key_set() -> dict[str, Any]:
    """Return the public keys as platforms ask for them (JWKS), named by RFC 7638 thumbprints."""
    return {"keys": [Registration.get_jwk(public_of(key)) for key in private_keys()]}


def registration_of(platform: LtiPlatform) -> Registration:
    """Return a platform as the library knows it."""
    known = Registration()
    known.set_issuer(platform.issuer).set_client_id(platform.client_id)
    known.set_auth_login_url(platform.login_url).set_auth_token_url(platform.token_url)
    known.set_key_set_url(platform.keys_url).set_auth_audience(platform.audience)
    key = private_keys()[0]
    return known.set_tool_private_key(key).set_tool_public_key(public_of(key))


class Connector(ServiceConnector):
    """The library's; it follows pages by their addresses as they stand, not in small letters."""

    def __init__(self, platform: LtiPlatform, outside: Outside) -> None:
        super().__init__(registration_of(platform), outside)

    def make_service_request(
        self, scopes: Sequence[str], url: str, *args: Any, **kwargs: Any
    ) -> TServiceConnectorResponse:
        """Ask, and name the next page."""
        kwargs |= {"case_insensitive_headers": True}
        answer = super().make_service_request(scopes, url, *args, **kwargs)
        links = requests.utils.parse_header_links(answer["headers"].get("link", ""))
        answer["next_page_url"] = next((o["url"] for o in links if o.get("rel") == "next"), None)
        return answer


Found = TypeVar("Found")


def asked(ask: Callable[[], Found]) -> tuple[Found | None, str]:
    """Return what a platform gave, or the word of ``LtiSeat.Problem`` for what went wrong."""
    try:
        return ask(), ""
    except LtiServiceException as wrong:
        status = wrong.response.status_code
        is_away = status >= OUR_SERVER_ERRORS or status == TOO_MANY
        problem = LtiSeat.Problem.AWAY if is_away else LtiSeat.Problem.REFUSED
        return None, "" if status == ALREADY_THERE else problem
    except Unwilling:
        return None, LtiSeat.Problem.ELSEWHERE
    except requests.JSONDecodeError:
        return None, LtiSeat.Problem.UNREADABLE
    except (requests.RequestException, OSError):
        return None, LtiSeat.Problem.AWAY
    except (LtiException, LookupError, TypeError, AttributeError, ValueError):
        # The library walks through what a platform answers without a look at its shape.
        return None, LtiSeat.Problem.UNREADABLE
