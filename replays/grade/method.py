"""The label that grades carry: results of different methods are never compared."""

import functools
import hashlib

import msgspec

from replays.grade import match
from replays.grade.accuracy import HALVING_LOSS
from replays.grade.candidates import AROUND, GRID, LOWEST_OPENING
from replays.grade.result import LEAST_STAKE
from replays.grade.scale import WORDS
from replays.grade.search import EFFORT

NUMBER = 1
"""Raise when the method changes in what its parameters do not say."""

PARAMETERS: tuple[object, ...] = (
    (EFFORT, GRID, AROUND, LOWEST_OPENING),
    (match.EFFORT, match.GRID),
    (HALVING_LOSS, LEAST_STAKE, WORDS),
)


@functools.cache
def method() -> str:
    """Name the present method: ``grades@<number>#<12 hex digits of its parameters>``."""
    return label(NUMBER, PARAMETERS)


def label(number: int, parameters: object) -> str:
    """Write the label of a method."""
    found = hashlib.sha256(msgspec.json.encode(parameters, order="sorted")).hexdigest()
    return f"grades@{number}#{found[:12]}"
