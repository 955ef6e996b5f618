"""Values that nobody may read: what is written down anywhere goes through here first.

The site's settings say at the start which values are secret; what merely looks like a key of a
well-known service is hidden too.
"""

import re
from collections.abc import Iterable
from typing import Any

HIDDEN = "[secret]"
SHORTEST = 8
"""Characters; a shorter value would hide half of every text."""

_LOOKS_SECRET = re.compile(
    r"\bhf_[A-Za-z0-9]{16,}"
    r"|\bsk-[A-Za-z0-9_-]{16,}"
    r"|(?<=\bBearer )[A-Za-z0-9._~+/=-]{8,}"
    r"|(?<=://)[^\s/:@]*:[^\s/@]+(?=@)"
)

_secret: set[str] = set()
_known = re.compile(r"(?!)")


def keep_secret(values: Iterable[str]) -> None:
    """Hide these values from now on, wherever they would be written."""
    global _known  # noqa: PLW0603  a fact of the process, like the environment it comes from
    _secret.update(value for value in values if len(value) >= SHORTEST)
    longest_first = sorted(_secret, key=len, reverse=True)
    _known = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")


def scrub(text: str) -> str:
    """Return a text without secrets.

    >>> scrub("Authorization: Bearer abcdefgh12345 to https://asha:pw@hub.example")
    'Authorization: Bearer [secret] to https://[secret]@hub.example'
    """
    return _LOOKS_SECRET.sub(HIDDEN, _known.sub(HIDDEN, text))


def scrub_json(value: Any) -> Any:
    """Copy a JSON value with every text in it scrubbed, names of fields too."""
    match value:
        case str():
            return scrub(value)
        case dict():
            return {scrub(str(key)): scrub_json(inner) for key, inner in value.items()}
        case list() | tuple():
            return [scrub_json(inner) for inner in value]
        case _:
            return value
