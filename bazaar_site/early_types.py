"""Builds what msgspec knows of each value before there are threads.

msgspec 0.22 looks into a class when something is read into it for the first time. Where two threads
do that at once, one of them finds the class half known, and the process dies of it (a segmentation
fault): just after a start, when many people come back at once. What is built is built for good.
"""

from collections.abc import Iterator
from importlib import import_module

import msgspec
from django.conf import settings


def build() -> int:
    """Build every value that is known by now, and those of all pages; return how many that were."""
    import_module(settings.ROOT_URLCONF)
    return sum(_build(one) for one in set(_below(msgspec.Struct)))


def _below(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)


def _build(kind: type[msgspec.Struct]) -> bool:
    try:
        msgspec.json.Decoder(kind)
    except (TypeError, NameError):
        return False  # it holds what no text can say, so nothing is ever read into it
    return True
