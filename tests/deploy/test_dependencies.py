"""The image has every package that the site imports: development's extras are not in it."""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.utils import canonicalize_name

from deploy.licences import wanted_by, with_all_they_need
from tests.support.commands import ROOT

ROOMS = (
    "bazaar_site", "rooms", "training", "replays", "arena", "agents", "negotiation", "bazaarbatna",
    "deploy",
)  # fmt: skip
OPTIONAL = ("envs", "server")
"""The extras that researchers install; only environments may need them."""
ELSEWHERE = "bazaar_env"
"""A client package with a pyproject.toml of its own."""
APART = {"verifiers", "openai"}
"""Of the extra ``verifiers``, which cannot be installed beside the others; for environments too."""


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
    return "envs" in module.parts or module.name == "gym.py"


def test_everything_that_is_imported_is_installed_in_the_image() -> None:
    owners = packages_distributions()
    inside = with_all_they_need(wanted_by("site", "train"))
    beside = inside | with_all_they_need(wanted_by(*OPTIONAL)) | APART
    missing = defaultdict(set)
    for room in ROOMS:
        for module in (ROOT / room).rglob("*.py"):
            if ELSEWHERE in module.parts:
                continue
            allowed = beside if is_optional(module) else inside
            for name in set(imports_of(module)) - sys.stdlib_module_names - set(ROOMS):
                if not {canonicalize_name(owner) for owner in owners.get(name, [name])} & allowed:
                    missing[name].add(str(module.relative_to(ROOT)))
    assert dict(missing) == {}


def test_tools_of_development_would_be_noticed() -> None:
    inside = with_all_they_need(wanted_by("site", "train"))
    assert not {"openenv", "pytest", "playwright", "gymnasium"} & inside
    assert {"torch", "celery", "channels-redis", "twisted", "msgpack"} <= inside
