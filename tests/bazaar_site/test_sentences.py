"""Sentences by name: each that code asks for stands in its file, and each there is asked for."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from bazaar_site.translating import ROOMS
from tests.support.commands import ROOT

ASKED = re.compile(r"""(?:\b_?say(?:\.\w+)?\(|TEXTS\[|texts_of\(__file__, )\s*["'](\w+)["']""")
ROOM_WIDE = "arena/words.toml"


def tables() -> Iterator[tuple[str, dict[str, object], list[Path]]]:
    """Every table of sentences with the modules that may ask for them."""
    for room in ROOMS:
        for file in sorted((ROOT / room).rglob("words.toml")):
            table = tomllib.loads(file.read_text())
            name = file.relative_to(ROOT).as_posix()
            if name == ROOM_WIDE:
                yield name, table, sorted((ROOT / room).rglob("*.py"))
                continue
            for stem, rows in table.items():
                yield f"{name} [{stem}]", rows, [file.with_name(f"{stem}.py")]


def test_what_is_asked_for_is_there_and_what_is_there_is_asked_for() -> None:
    missing, unused = {}, {}
    for name, rows, modules in tables():
        sources = [one.read_text() for one in modules]
        asked = {key for source in sources for key in ASKED.findall(source)}
        quoted = {key for source in sources for key in re.findall(r"""["'](\w+)["']""", source)}
        missing[name] = asked - rows.keys()
        unused[name] = rows.keys() - quoted
    assert len(missing) > 90
    assert {name: keys for name, keys in missing.items() if keys} == {}
    assert {name: keys for name, keys in unused.items() if keys} == {}
