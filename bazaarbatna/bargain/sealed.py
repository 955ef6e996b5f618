"""A promise about hidden values that anybody can check after the game.

The committed text is ``salt:json`` in UTF-8, where json has sorted keys and no spaces. So
``printf '%s' "$TEXT" | sha256sum`` must print the commitment shown before the first move.
"""

import hashlib

import msgspec

_encoder = msgspec.json.Encoder(order="sorted")


def committed_text(values: msgspec.Struct, salt: str) -> str:
    """Write the exact text whose SHA-256 is the commitment."""
    return f"{salt}:{_encoder.encode(values).decode()}"


def commitment(values: msgspec.Struct, salt: str) -> str:
    """Commit to hidden values before the first move, by 64 hexadecimal digits."""
    return hashlib.sha256(committed_text(values, salt).encode()).hexdigest()


def is_kept(promise: str, values: msgspec.Struct, salt: str) -> bool:
    """Whether the opened values are those that were committed to."""
    return commitment(values, salt) == promise
