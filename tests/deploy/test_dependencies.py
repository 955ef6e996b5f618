"""The image has every package that the site imports: development's extras are not in it."""

import ast
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from importlib.metadata import packages_distributions, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.commands import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
ROOMS = ("bazaar_site", "training", "replays", "arena", "agents", "negotiation", "deploy")
OPTIONAL = "environments"
"""The extra that researchers install; only environment folders may need it."""


def with_all_they_need(wanted: Iterable[str]) -> set[str]:
    """Names of the packages that pip installs for these requirements."""
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


def imports_of(module: Path) -> Iterator[str]:
    """Top-level names that a module imports, also inside functions."""
    for node in ast.walk(ast.parse(module.read_text())):
        match node:
            case ast.Import(names=names):
                yield from (alias.name.partition(".")[0] for alias in names)
            case ast.ImportFrom(module=str(name)):
                yield name.partition(".")[0]


def is_optional(module: Path) -> bool:
    """Whether a module belongs to the environments that run without the site."""
    return bool({"environment", "env"} & set(module.parts))


def test_everything_that_is_imported_is_installed_in_the_image() -> None:
    owners = packages_distributions()
    inside = with_all_they_need(PROJECT["dependencies"])
    beside = inside | with_all_they_need(PROJECT["optional-dependencies"][OPTIONAL])
    missing = defaultdict(set)
    for room in ROOMS:
        for module in (ROOT / room).rglob("*.py"):
            allowed = beside if is_optional(module) else inside
            for name in set(imports_of(module)) - sys.stdlib_module_names - set(ROOMS):
                if not {canonicalize_name(owner) for owner in owners[name]} & allowed:
                    missing[name].add(str(module.relative_to(ROOT)))
    assert dict(missing) == {}


def test_tools_of_development_would_be_noticed() -> None:
    inside = with_all_they_need(PROJECT["dependencies"])
    assert not {"openenv", "pytest", "playwright", "gymnasium"} & inside
    assert {"torch", "celery", "channels-redis", "twisted", "msgpack"} <= inside
