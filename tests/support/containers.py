"""What the Dockerfile, .dockerignore and compose.yaml say, read without Docker."""

import fnmatch
import importlib.util
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.support.commands import ROOT

DOCKERFILE = ROOT / "Dockerfile"
SLIM = ROOT / "deploy" / "openenv" / "Dockerfile"
COMPOSE = ROOT / "compose.yaml"

_VARIABLE = re.compile(r"\$\{(?P<name>\w+)(?::(?P<how>[-?])(?P<rest>[^}]*))?\}")


class Missing(Exception):
    """compose would stop: a variable that must be set is not."""


def instructions(file: Path = DOCKERFILE) -> list[tuple[str, str]]:
    """A Dockerfile's instructions in order, each with all of its lines joined."""
    lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [
        (word, " ".join(rest.split()))
        for word, _, rest in (line.partition(" ") for line in joined.splitlines() if line.strip())
    ]


def image_environment() -> dict[str, str]:
    """What ENV sets in the image; values that refer to build arguments are left as written."""
    pairs = (shlex.split(rest) for word, rest in instructions() if word == "ENV")
    return dict(pair.split("=", 1) for line in pairs for pair in line)


def services(environment: Mapping[str, str]) -> dict[str, Any]:
    """The services of compose.yaml as compose sees them with these variables.

    Raises:
        Missing: a variable that compose asks for is unset or empty.
    """
    text = _VARIABLE.sub(lambda found: _value(found, environment), _without_comments())
    return dict(yaml.safe_load(text)["services"])


def variables() -> set[str]:
    """Names that compose.yaml asks its environment for."""
    return {found["name"] for found in _VARIABLE.finditer(_without_comments())}


def context_files() -> Iterator[Path]:
    """Tracked files that .dockerignore lets into the image, as paths from the root."""
    rules = [
        line
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line and not line.startswith("#")
    ]
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, tracked.stdout.split("\0")):
        if (ROOT / name).is_file() and not _is_ignored(name, rules):
            yield Path(name)


def copy_context(folder: Path) -> Path:
    """Lay the files out as the image has them, compiled where that has been done here."""
    for path in context_files():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, folder / path)
        copy_compiled(folder, path)
    return folder


def copy_compiled(folder: Path, path: Path) -> None:
    """Lay what Python made of a module here beside a copy that is as old."""
    if path.suffix != ".py":
        return
    compiled = Path(importlib.util.cache_from_source(str(path)))
    if (ROOT / compiled).is_file():
        (folder / compiled).parent.mkdir(exist_ok=True)
        shutil.copy2(ROOT / compiled, folder / compiled)


def _is_ignored(name: str, rules: list[str]) -> bool:
    parts = name.split("/")
    heads = ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
    ignored = False
    for rule in rules:
        pattern = rule.removeprefix("!").removeprefix("**/")
        anywhere = "**/" in rule
        found = any(
            fnmatch.fnmatch(head, pattern)
            or (anywhere and fnmatch.fnmatch(head.rsplit("/", 1)[-1], pattern))
            for head in heads
        )
        if found:
            ignored = not rule.startswith("!")
    return ignored


def _without_comments() -> str:
    return re.sub(r"^\s*#.*$", "", COMPOSE.read_text(), flags=re.M)


def _value(found: re.Match[str], environment: Mapping[str, str]) -> str:
    value = environment.get(found["name"], "")
    if value or found["how"] is None:
        return value
    if found["how"] == "?":
        raise Missing(found["name"])
    return found["rest"]
