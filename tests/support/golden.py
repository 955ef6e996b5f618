"""Digests by version, in a file beside; a digest that was recorded is never replaced."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path


def recorded(place: Path) -> dict[str, str]:
    """Read the digests by version."""
    known: dict[str, str] = json.loads(place.read_text()) if place.exists() else {}
    return known


def record(place: Path, digests: Mapping[str, Callable[[], str]]) -> None:
    """Make and keep the digests of the versions that are not recorded yet."""
    known = recorded(place)
    for version, digest in digests.items():
        if version not in known:
            known[version] = digest()
    place.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n")
