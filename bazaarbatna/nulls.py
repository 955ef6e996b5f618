"""An optional field that comes as null is one that did not come: clients write all their fields."""

import re
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

Read = TypeVar("Read")

MOST = 32
"""So many nulls of one message are left out; the next one is refused."""

_NULL = re.compile(r"got `null` - at `\$((?:\.\w+|\[\d+\])*)\.(\w+)`$")
_STEPS = re.compile(r"\.(\w+)|\[(\d+)\]")


def decoded(decoder: msgspec.json.Decoder[Read], data: bytes | str) -> Read:
    """Decode JSON, without the nulls for which its shape has no place.

    What is required is missing then.

    Raises:
        msgspec.DecodeError: it is no JSON, or (``ValidationError``) of another shape.
    """
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as wrong:
        if _NULL.search(str(wrong)) is None:
            raise
    return _read(msgspec.json.decode(data), lambda left: decoder.decode(msgspec.json.encode(left)))


def converted(data: object, kind: type[Read]) -> Read:
    """Convert decoded JSON as ``decoded`` does; ``data`` stays as it is.

    Raises:
        msgspec.ValidationError: it has another shape.
    """
    return _read(data, lambda left: msgspec.convert(left, kind))


def _read(data: object, read: Callable[[Any], Read]) -> Read:
    for _ in range(MOST):
        try:
            return read(data)
        except msgspec.ValidationError as wrong:
            found = _NULL.search(str(wrong))
            if found is None:
                raise
            path, name = found.groups()
            data = _without(data, _STEPS.findall(path), name)
    return read(data)


def _without(data: Any, steps: list[tuple[str, str]], name: str) -> Any:
    """Copy what lies on the way to a field, and leave the field out."""
    if not steps:
        return {key: value for key, value in data.items() if key != name}
    (key, index), *others = steps
    copy, at = data.copy(), key or int(index)
    copy[at] = _without(data[at], others, name)
    return copy
