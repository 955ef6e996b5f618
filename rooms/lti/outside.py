"""How the site asks a platform: only where staff has said, never for long, never for much."""

import time
from typing import Any

import requests
from requests.adapters import HTTPAdapter

from rooms.lti_models import LtiPlatform, origin_of

CONNECT_S, READ_S = 4, 8

WHOLE_S = 15.0
"""Seconds for a whole answer, however it drips."""

MOST_BYTES = 256 * 1024

MOST_REQUESTS = 300
"""Of one session: a list of places for marks may have pages without an end."""


class Unwilling(requests.RequestException):
    """The site does not ask there."""


class TooMuch(requests.RequestException):
    """An answer is longer, or takes longer, than any that makes sense."""


class Outside(requests.Session):
    """A session that reaches the origins of one platform, follows nothing and keeps no cookie."""

    def __init__(self, platform: LtiPlatform) -> None:
        super().__init__()
        self.trust_env = False  # no passwords from a .netrc
        self.max_redirects = 0
        self._origins = platform.origins()
        self._left = MOST_REQUESTS
        for scheme in ("https://", "http://"):
            self.mount(scheme, _Bounded())

    def send(self, request: requests.PreparedRequest, **kwargs: Any) -> requests.Response:
        """Send a request, and read its answer within bounds."""
        if origin_of(request.url or "") not in self._origins:
            raise Unwilling(request.url)
        self._left -= 1
        if self._left < 0:
            raise TooMuch("too many requests")
        self.cookies.clear()
        return super().send(request, **kwargs)


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
