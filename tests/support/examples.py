"""What an example imports, and what its first lines tell to install."""

import ast
import re
import sys

from tests.support.commands import ROOT


def needed_by(name: str) -> set[str]:
    """Packages that an example imports, beside Python's own."""
    needed = set()
    for node in ast.walk(ast.parse(_source(name))):
        if isinstance(node, ast.Import):
            needed |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            needed.add((node.module or "").partition(".")[0])
    return needed - set(sys.stdlib_module_names)


def told_to_install(name: str) -> set[str]:
    """Packages that its first lines name."""
    told = re.search(r"pip install (.*)", _source(name))
    assert told is not None
    return set(told[1].split())


def _source(name: str) -> str:
    return (ROOT / "examples" / f"{name}.py").read_text()
