"""The body of an answer, never more of it than a model's answer can need."""

import zlib
from collections.abc import Callable

from agents.backends.errors import BadAnswer

LONGEST_BODY = 256 * 1024
"""Bytes after decoding; one answer of 1,024 tokens in single pieces has about 200 kB."""

_GZIP_OR_ZLIB = zlib.MAX_WBITS | 32


class BoundedBody:
    """Undoes the coding of a body and counts what comes out of it.

    We ask for no coding at all; some proxies compress all the same. Nothing is decoded beyond
    the bound, so that a small body cannot grow into a large one in memory.

    Args:
        coding: the Content-Encoding header.

    Raises:
        BadAnswer: "not-the-protocol": a coding that we did not ask for and do not know.
    """

    def __init__(self, coding: str = "") -> None:
        self._left = LONGEST_BODY
        self._decode = _decoder(coding.strip().lower())

    def decoded(self, raw: bytes) -> bytes:
        """Give the next bytes of the body.

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
