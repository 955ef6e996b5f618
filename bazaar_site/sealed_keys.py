"""Hidden values kept out of logs: a processor that drops them wherever they stand."""

import logging
from collections.abc import Mapping, MutableMapping
from typing import Any

import msgspec

SEALED_KEYS = frozenset(
    {"budget", "reservation", "reservation_price", "cost", "deadline", "seed", "salt"}
    | {"scenario", "sealed", "committed_text"}
)
"""Names of values that one side must not know before the end of a game."""

MAX_DEPTH = 8
"""Containers inside containers that are looked into; what lies deeper is not logged."""


def drop_sealed(
    logger: Any, method_name: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Remove every sealed key of a log entry, at any depth (a structlog processor)."""
    open_values: MutableMapping[str, Any] = without_sealed(event)
    return open_values


def without_sealed(value: Any, depth: int = 0) -> Any:
    """Copy a value without its sealed keys.

    Structs are named only, since their fields would print with them.

    >>> without_sealed({"game": "k3", "state": [{"ask": 170, "budget": 200}]})
    {'game': 'k3', 'state': [{'ask': 170}]}
    """
    if depth > MAX_DEPTH:
        return "..."
    if isinstance(value, Mapping):
        return {
            key: without_sealed(inner, depth + 1)
            for key, inner in value.items()
            if not (isinstance(key, str) and key.lower() in SEALED_KEYS)
        }
    if isinstance(value, list | tuple | set | frozenset):
        kind = list if isinstance(value, list) else tuple
        return kind(without_sealed(inner, depth + 1) for inner in value)
    return f"<{type(value).__name__}>" if isinstance(value, msgspec.Struct) else value


class SealedArguments(logging.Filter):
    """Does the same for the arguments of ``logger.info("%s", values)``."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Clean the arguments and let the record pass."""
        record.args = without_sealed(record.args)
        return True
