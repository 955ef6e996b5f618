"""Teacher games on disk, made once for each recipe: lessons, prose, and a card with the counts."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from agents.buyers.network import Network
from agents.dialects.compact import dialect
from bazaarbatna.bargain.people.suites import people_suite
from bazaarbatna.bargain.sellers import VERSIONS
from negotiation.policies import policy
from training.data.seeds import HELD_OUT_FROM, TRAIN_FROM, first_seed
from training.data.teaching import (
    PEOPLE,
    SUITE_IDS,
    TEMPERS,
    WAITER,
    Lesson,
    Source,
    Taught,
    Teachers,
    teach,
)
from training.disk import Made, made_once, read_rows, write_rows

NUMBER = 3  # Version of how teacher games are made; raise it with every change
HELD_OUT_SHARE = 0.05


class Recipe(msgspec.Struct, frozen=True):
    """Everything that decides a corpus; ``seed`` (0..999) shifts all games.

    ``people`` and ``waiting`` are shares 0..1: of bargains with people, which a network plays, and
    of pinned sellers' games that the waiter plays. ``network`` is its digest, "" without people.
    """

    dialect: str = "compact"
    bargains: int = 900
    seed: int = 0
    people: float = 0.0
    waiting: float = 0.0
    network: str = ""

    @property
    def key(self) -> str:
        """Name the corpus: equal recipes with equal players and prompts give the same."""
        tempers = [policy(name).version for name in TEMPERS]
        others = (
            policy(WAITER).version,
            people.version if (people := people_suite(PEOPLE)) else "",
        )
        players = (Teachers.version(), tempers, others, sorted(VERSIONS.items()))
        facts = (NUMBER, msgspec.to_builtins(self), players)
        text = msgspec.json.encode((facts, dialect(self.dialect).version))
        return f"{self.dialect}-{self.bargains}-{hashlib.sha256(text).hexdigest()[:10]}"


class Corpus(Made, frozen=True):
    """A corpus that lies in a folder."""

    def lessons(self, part: str) -> list[Lesson]:
        """Read the lessons of "train" or "held-out"."""
        return list(read_rows(self.folder / f"{part}.jsonl", Lesson))

    def prose(self) -> list[str]:
        """Read the bargains as prose."""
        return list(read_rows(self.folder / "prose.jsonl", str))


def corpus(recipe: Recipe, network: Network | None = None) -> Corpus:
    """Return the corpus of a recipe; it is made the first time."""
    source = Source(recipe.people, recipe.waiting, network)
    return made_once(Corpus, recipe.key, lambda folder: _make(recipe, source, folder))


def _make(recipe: Recipe, source: Source, folder: Path) -> dict[str, Any]:
    first = first_seed("sft", recipe.seed)
    way = dialect(recipe.dialect)
    people = first_seed("people", recipe.seed)
    away = HELD_OUT_FROM - TRAIN_FROM
    train = list(teach(way, first, recipe.bargains, source, people))
    few = max(1, round(HELD_OUT_SHARE * recipe.bargains))
    held_out = list(teach(way, first + away, few, source, people + away))
    lessons, again = _without_doubles(train, set())
    others, again_held = _without_doubles(held_out, {_key(one) for one in lessons})
    write_rows(folder / "train.jsonl", lessons)
    write_rows(folder / "held-out.jsonl", others)
    write_rows(folder / "prose.jsonl", [text for game in train for text in game.prose])
    return {
        "recipe": msgspec.to_builtins(recipe),
        "teachers": Teachers.version(),
        "prompt": way.version,
        "suites": (*SUITE_IDS, PEOPLE) if recipe.people else SUITE_IDS,
        "sellers": VERSIONS,
        "lessons": {"train": len(lessons), "held-out": len(others)},
        "doubles left out": {"train": again, "held-out": again_held},
        "bargains": sum(len(game.prose) for game in train),
        "games by teacher": Counter(game.temper for game in train),
    }


def _without_doubles(games: Iterable[Taught], known: set[bytes]) -> tuple[list[Lesson], int]:
    kept: list[Lesson] = []
    doubles = 0
    for lesson in (one for game in games for one in game.lessons):
        key = _key(lesson)
        doubles += key in known
        if key not in known:
            known.add(key)
            kept.append(lesson)
    return kept, doubles


def _key(lesson: Lesson) -> bytes:
    return hashlib.sha256(msgspec.json.encode(lesson)).digest()
