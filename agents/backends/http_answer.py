"""The body of an answer, never more of it than one can need, and what went wrong instead."""

import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

from agents.backends.errors import BackendError, BadAnswer, TooSlow, Unreachable

LONGEST_BODY = 256 * 1024
"""Bytes after decoding; one answer of 1,024 tokens in single pieces has about 200 kB."""

_GZIP_OR_ZLIB = zlib.MAX_WBITS | 32


class BoundedBody:
    """Undoes the coding of a body and counts what comes out of it.

    We ask for no coding at all; some proxies compress all the same. Nothing is decoded beyond
    the bound, so that a small body cannot grow into a large one in memory.

    Raises:
        BadAnswer: "not-the-protocol": a coding that we did not ask for and do not know.
    """

    def __init__(self, coding: str = "") -> None:
        self._left = LONGEST_BODY
        self._decode = _decoder(coding.strip().lower())

    def decoded(self, raw: bytes) -> bytes:
        """Return the next bytes of the body.

        Raises:
            BadAnswer: "too-long" beyond the bound, "cut-off" where the coding is broken.
        """
        try:
            data = self._decode(raw, self._left + 1)
        except zlib.error as error:
            raise BadAnswer("cut-off") from error
        if len(data) > self._left:
            raise BadAnswer("too-long")
        self._left -= len(data)
        return data


def _decoder(coding: str) -> Callable[[bytes, int], bytes]:
    if coding in ("", "identity"):
        return lambda raw, most: raw[:most]
    if coding in ("gzip", "x-gzip", "deflate"):
        return zlib.decompressobj(_GZIP_OR_ZLIB).decompress
    raise BadAnswer("not-the-protocol")


LONGEST_RETRY_AFTER_S = 86_400.0
"""A server that asks for more patience than a day is not believed."""

_IN_OUR_WORDS: dict[type[BaseException], Callable[[], BackendError]] = {
    httpx.ConnectTimeout: lambda: TooSlow("connect-timeout", asked=False),
    httpx.PoolTimeout: lambda: TooSlow("pool-timeout", asked=False),
    httpx.TimeoutException: TooSlow,
    httpx.ConnectError: Unreachable,
    httpx.UnsupportedProtocol: lambda: Unreachable("bad-address"),
    httpx.LocalProtocolError: lambda: Unreachable("bad-address"),
    httpx.InvalidURL: lambda: Unreachable("bad-address"),
    httpx.TransportError: lambda: BadAnswer("cut-off"),
    httpx.HTTPError: lambda: BadAnswer("not-the-protocol"),
}
"""The entry of the most specific class holds."""

HTTPX_ERRORS = (httpx.HTTPError, httpx.InvalidURL)


def in_our_words(error: BaseException) -> BackendError:
    """Translate an error of httpx.

    >>> in_our_words(httpx.ConnectTimeout("")).code
    'connect-timeout'
    >>> in_our_words(httpx.ReadError("")).code
    'cut-off'
    """
    known = next(kind for kind in type(error).__mro__ if kind in _IN_OUR_WORDS)
    return _IN_OUR_WORDS[known]()


def retry_after_s(value: str | None, now: datetime) -> float | None:
    """Read a Retry-After header, seconds or a date; nonsense is None.

    >>> retry_after_s("7", datetime.now(UTC))
    7.0
    """
    if not value:
        return None
    if value.strip().isascii() and value.strip().isdigit():
        seconds = float(value)
    else:
        try:
            moment = parsedate_to_datetime(value)
        except ValueError:
            return None
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        seconds = (aware - now).total_seconds()
    return min(max(seconds, 0.0), LONGEST_RETRY_AFTER_S)
