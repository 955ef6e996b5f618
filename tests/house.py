"""Print what the house weighs: modules, lines, folders, and the files that a move walks through.

``python -m tests.house`` measures this checkout, ``python -m tests.house --root DIR`` the modules
and lines of another one. ``--walks`` plays one move of each game through the site's front door
(Django's test client, a database in memory) and counts what ran; it needs no server.
"""

import argparse
import ast
import io
import json
import os
import sys
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOMS = (
    "bazaar_site",
    "rooms",
    "training",
    "replays",
    "arena",
    "agents",
    "negotiation",
    "bazaarbatna",
)
MOST_IN_A_FOLDER = 25
CEILINGS = {
    "lines": 152_860,
    "modules": 919,
    "lines of training": 27_745,
    "gettext calls in Python": 322,
}
"""What the house weighs at most. A change that needs more raises a number in its own commit and
says why; the aim is 105,000 lines, 800 modules and 26,000 lines of training."""

TRANSLATING = frozenset(
    f"{prefix}gettext{suffix}"
    for prefix in ("", "n", "p", "np")
    for suffix in ("", "_lazy", "_noop")
)
LEAVES = (
    "bazaarbatna/", "/text/", "/reading/", "/tells_reader/", "/hearing/", "/charts/", "/prompts/",
    "/gates/", "/speech/", "/speaking/", "/policies/", "/planner/", "/buyers/", "/sellers/",
    "/lines/", "/templatetags/", "/catalogue/", "/output_guard/", "/words.py", "/terms.py",
    "/shops.py", "/prepared.py", "bazaar_site/", "replays/grade/",
)  # fmt: skip
"""Parts of paths whose files are leaves of a walk: what is asked there comes straight back. So is
every file that asks no other one but leaves."""


def modules(root: Path, room: str) -> list[Path]:
    """Return the modules of a room that hold something; no migrations."""
    return [
        path
        for path in sorted((root / room).rglob("*.py"))
        if "migrations" not in path.parts and path.read_text().strip()
    ]


def lines_of(path: Path) -> tuple[int, int, int]:
    """Return how many lines a module has, and how many of them are code and docstrings."""
    text = path.read_text()
    docs = set()
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", [])
        for one in body if isinstance(body, list) else []:
            value = getattr(one, "value", None)
            if isinstance(one, ast.Expr) and isinstance(value, ast.Constant):
                docs.update(range(one.lineno, (one.end_lineno or one.lineno) + 1))
    code = set()
    blank = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in blank and token.type != tokenize.ENDMARKER:
            code.update(range(token.start[0], token.end[0] + 1))
    return len(text.splitlines()), len(code - docs), len(docs)


def gettext_calls(root: Path) -> dict[str, int]:
    """Count by module the calls that translate, under whatever name they were imported."""
    counts: dict[str, int] = {}
    for path in (path for room in ROOMS for path in modules(root, room)):
        tree, names = ast.parse(path.read_text()), set(TRANSLATING)
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                names |= {one.asname or one.name for one in node.names if one.name in TRANSLATING}
        called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
        found = sum(
            getattr(one, "id", None) in names or getattr(one, "attr", None) in TRANSLATING
            for one in called
        )
        if found:
            counts[path.relative_to(root).as_posix()] = found
    return counts


def weights(root: Path) -> dict[str, int]:
    """Weigh what has a ceiling."""
    lines = {
        room: [len(path.read_text().splitlines()) for path in modules(root, room)] for room in ROOMS
    }
    return {
        "lines": sum(map(sum, lines.values())),
        "modules": sum(map(len, lines.values())),
        "lines of training": sum(lines["training"]),
        "gettext calls in Python": sum(gettext_calls(root).values()),
    }


def print_weight(root: Path) -> None:
    """Print modules and lines of every room, and the folders with too many modules."""
    print(f"{'room':<14}{'modules':>8}{'lines':>9}{'code':>9}{'docstrings':>12}{'longest':>9}")
    sums = [0, 0, 0, 0]
    for room in ROOMS:
        counted = [lines_of(path) for path in modules(root, room)]
        row = [len(counted), *(sum(one[part] for one in counted) for part in range(3))]
        sums = [a + b for a, b in zip(sums, row, strict=True)]
        longest = max(one[0] for one in counted)
        print(f"{room:<14}{row[0]:>8}{row[1]:>9,}{row[2]:>9,}{row[3]:>12,}{longest:>9}")
    print(f"{'all':<14}{sums[0]:>8}{sums[1]:>9,}{sums[2]:>9,}{sums[3]:>12,}")
    for what, weight in weights(root).items():
        print(f"{what}: {weight:,} of at most {CEILINGS[what]:,}")
    for folder, count in crowded(root):
        print(f"  {count} modules in {folder}")


def crowded(root: Path) -> list[tuple[str, int]]:
    """Return the folders with more than ``MOST_IN_A_FOLDER`` modules, fullest first."""
    counts: dict[str, int] = {}
    for room in ROOMS:
        for path in modules(root, room):
            folder = path.parent.relative_to(root).as_posix()
            counts[folder] = counts.get(folder, 0) + 1
    full = [(folder, count) for folder, count in counts.items() if count > MOST_IN_A_FOLDER]
    return sorted(full, key=lambda row: -row[1])


FLOORS = {
    "bazaar_site": "settings, addresses, the landing page",
    "rooms": "classes and studies",
    "training": "trains, measures, publishes",
    "replays": "browse, scrub, ask what if, grade, take home",
    "arena": "several at one table: the auction match, the GPU market",
    "agents": "who plays, what is read and said",
    "negotiation": "the spine of all games; the sale",
    "bazaarbatna": "the library: rules, people, environments; no Django, no torch",
}
"""Top to bottom: imports go down; ``rooms`` and ``training`` do not know each other."""


def picture(root: Path) -> str:
    """Draw the rooms on their floors with the folders in each, for ``docs/index.md``."""
    lines = ["```mermaid", "flowchart TB"]
    for room, what in FLOORS.items():
        folders = {path.relative_to(root / room).parts[:-1] for path in modules(root, room)}
        names: dict[str, list[str]] = {}
        for parts in sorted(folders):
            if parts and not {"management", "templatetags"} & set(parts):
                names.setdefault(parts[0], []).extend(parts[1:2])
        told = [
            f"{name} ({', '.join(dict.fromkeys(inner))})" if inner else name
            for name, inner in names.items()
        ]
        lines.append(f'    {room}["<b>{room}</b>: {what}<br>{"<br>".join(told)}"]')
    ways = " --> ".join(FLOORS).replace("rooms --> training", "rooms & training")
    lines.append(f"    {ways}")
    return "\n".join([*lines, "```"])


class Walk:
    """The files of this project in the order in which a call enters them."""

    def __init__(self, root: Path) -> None:
        self.files: list[str] = []
        self.asked: dict[str, set[str]] = {}
        self._root = f"{root}/"

    def __call__(self, frame: Any, event: str, _: object) -> None:
        """Note the file of a function that is called."""
        if event != "call":
            return
        if not (name := self._name(frame)):
            return
        if not self.files or self.files[-1] != name:
            self.files.append(name)
        below = frame.f_back
        while below is not None and not self._name(below):
            below = below.f_back
        if below is not None:
            self.asked.setdefault(self._name(below), set()).add(name)

    def of(self, work: Callable[[], object]) -> None:
        """Print what runs through in some work."""
        sys.setprofile(self)
        try:
            work()
        finally:
            sys.setprofile(None)

    @property
    def backbone(self) -> list[str]:
        """The files that are no leaves, in the order of their first call."""
        return [name for name in dict.fromkeys(self.files) if self._hands_on(name)]

    def _hands_on(self, name: str) -> bool:
        asked = self.asked.get(name, set()) - {name}
        return not _is_leaf(name) and not all(_is_leaf(one) for one in asked)

    def _name(self, frame: Any) -> str:
        path = frame.f_code.co_filename
        short = path[len(self._root) :] if path.startswith(self._root) else ""
        return short if short.startswith(ROOMS) else ""


def _is_leaf(name: str) -> bool:
    return any(leaf in f"/{name}" for leaf in LEAVES)


def walks(root: Path) -> Iterator[tuple[str, Walk]]:
    """Play one move of each game and yield what it walked through."""
    os.environ["DATABASE_URL"] = "sqlite://:memory:"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    import django

    django.setup()
    from django.core.management import call_command
    from django.test import Client
    from django.test.utils import setup_test_environment

    from negotiation.models import Listing

    setup_test_environment()
    call_command("migrate", verbosity=0)
    client = Client()

    def post(path: str, body: object) -> Any:
        answer = client.post(path, json.dumps(body), content_type="application/json")
        assert answer.status_code < 300, (path, answer.content[:300])
        return answer.json()

    def moves(path: str, form: dict[str, str]) -> None:
        answer = client.post(path, form)
        assert answer.status_code < 400, (path, answer.status_code)

    client.get("/sell/")
    asked = {"title": "Brass lamp", "asking_price": 2000, "reservation_price": 1200}
    sale = post("/api/sell/", asked)["id"]
    client.get(f"/api/sell/{sale}/")
    for name, repeat in (("warm", False), ("a seller's sentence", True)):
        walk = Walk(root)
        said = {"text": "I could give it for 1,900."} if repeat else {"text": "What is wrong?"}
        walk.of(lambda said=said: moves(f"/sell/{sale}/move/", said))  # type: ignore[misc]
        if name != "warm":
            yield name, walk
    lamp = Listing.objects.create(title="Lamp", list_price=2000_00, street_price=1500_00)
    order = {"listing": lamp.pk, "lineup": ["person", "rules:linear"], "seed": 3}
    match = post("/api/arena/", order)["id"]
    client.get(f"/api/arena/{match}/")
    walk = Walk(root)
    bid = {"action": "say", "text": "", "price": "300"}  # within every budget
    walk.of(lambda: moves(f"/arena/{match}/move/", bid))
    yield "a sealed bid", walk
    market = post("/env/market/reset", {"seed": 3})["metadata"]["episode_id"]
    step = {"episode_id": market, "action": {"action": "wait"}}
    post("/env/market/step", step)
    walk = Walk(root)
    walk.of(lambda: post("/env/market/step", step))
    yield "a step of the market over OpenEnv", walk
    bazaar = post("/env/bazaar/reset", {"seed": 3})["metadata"]["episode_id"]
    step = {"episode_id": bazaar, "action": {"action": "offer", "price": 30}}
    walk = Walk(root)
    walk.of(lambda: client.post("/env/bazaar/step", json.dumps(step), "application/json"))
    yield "a step of the bazaar over OpenEnv", walk


def main() -> None:
    """Print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--walks", action="store_true")
    parser.add_argument("--picture", action="store_true", help="only the picture of the house")
    asked = parser.parse_args()
    if asked.picture:
        print(picture(asked.root))
        return
    print_weight(asked.root)
    if asked.walks:
        for name, walk in walks(asked.root):
            files = len(set(walk.files))
            print(f"{name}: {files} files, {len(walk.files) - 1} changes of file")
            print(f"  backbone of {len(walk.backbone)}: {', '.join(walk.backbone)}")


if __name__ == "__main__":
    main()
