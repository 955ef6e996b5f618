"""What tasks, shocks, characters and labs of a market are called, in the reader's language."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from django.utils.translation import gettext

from bazaarbatna.market.blocks import Condition, Note
from bazaarbatna.market.scenario import ShockKind
from bazaarbatna.word_tables import read_table

Words = dict[str, str]


class Titles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of words; what is a ``Literal`` of the engine is checked as they are read."""

    labs: tuple[str, ...]
    players: tuple[str, ...]
    tasks: Words
    shocks: dict[ShockKind, str]
    shock_effects: dict[ShockKind, str]
    jobs: dict[Note, str]
    first_blocks: Words
    archetypes: Words
    characters: Words
    bands: Words
    block_states: Words
    conditions: dict[Condition, str]
    breaches: Words
    findings: Words
    score_parts: Words
    columns: Words


TITLES = read_table(Path(__file__).with_suffix(".toml"), Titles)


def words_of(table: Mapping[Any, str], key: str, otherwise: str | None = None) -> str:
    """Return what a table calls something; ``KeyError`` where it has no words and none are given.

    >>> words_of(TITLES.bands, "low"), words_of(TITLES.bands, "?", otherwise="unknown")
    ('low', 'unknown')
    """
    if otherwise is not None and key not in table:
        return otherwise
    return gettext(table[key])


def rows_of(table: Mapping[Any, str]) -> list[tuple[str, str]]:
    """Return every key of a table with its words."""
    return [(key, gettext(words)) for key, words in table.items()]


def lab_name(name: str) -> str:
    """Return a lab's name as the reader's language writes it."""
    return gettext(name) if name in TITLES.labs else name


def player_title(name: str) -> str:
    """Return a policy's name as the reader's language writes it."""
    return gettext(name) if name in TITLES.players else name


def task_title(task: str) -> str:
    """Return what a task is called."""
    return words_of(TITLES.tasks, task)


def shock_title(kind: ShockKind) -> str:
    """Return what a shock is called."""
    return words_of(TITLES.shocks, kind)


def archetype_name(archetype: str) -> str:
    """Return what a character is called."""
    return words_of(TITLES.archetypes, archetype, archetype.replace("_", " "))
