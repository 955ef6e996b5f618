"""Our own catalogue: listings written for this project, one TOML file per category.

A file names its ``category`` and holds ``[[listing]]`` tables with a stable ``key``, a ``title``,
``condition`` (one of the labels of the tells), ``text`` (what the seller says about it), ``city``,
and ``list`` and ``street`` price in whole rupees. Change anything but the key.
"""

import functools
import re
import tomllib
from pathlib import Path

import msgspec

from bazaarbatna.bargain.tells import ConditionLabel
from bazaarbatna.lazily import lazily
from bazaarbatna.word_tables import read_table

DATA = Path(__file__).parent / "data"

REMARKS = Path(__file__).parent / "facts"
"""What can be said of each thing, by key: a file for each category."""

TEXTS = Path(__file__).parent / "texts"
"""One file a language: what sellers say of their things, by key, where that was written in another
one."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One listing as its author wrote it; prices in whole rupees."""

    key: str
    title: str
    condition: ConditionLabel
    text: str
    city: str
    list: int
    street: int


class Shelf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One category of the catalogue."""

    category: str
    listing: list[Entry]


class Remarks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What can be said of one listing, each in English, Hinglish and Hindi.

    ``facts``: in front the words by which one asks for it, between commas. ``less`` and ``more``
    are reasons of a buyer and of a seller.
    """

    facts: tuple[tuple[str, str, str, str], ...]
    less: tuple[tuple[str, str, str], ...]
    more: tuple[tuple[str, str, str], ...]


class UnreadableShelf(ValueError):
    """A file of the catalogue is not what it should be."""


def read_shelf(path: Path) -> Shelf:
    """Read one category; ``UnreadableShelf`` names the file, what is wrong, and where."""
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Shelf)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as wrong:
        raise UnreadableShelf(f"{path.name}: {wrong}") from wrong


def read_stock(folder: Path = DATA) -> list[Shelf]:
    """Read every category of the catalogue, in the order of the file names."""
    return [read_shelf(path) for path in sorted(folder.glob("*.toml"))]


def text_in(language: str, text: str) -> str | None:
    """Return what a seller says of a thing in a language; None where nobody has written that."""
    return _written(language, "text").get(text)


LANGUAGES = ("en", "hinglish", "hi")
"""In which a seller's words may be written: those of the pages, and Hindi in Latin letters."""


def in_all_languages(title: str, text: str) -> str:
    """Return a listing's words as they are, and as they are written in every language."""
    written = ((title_in(one, title) or "", text_in(one, text) or "") for one in LANGUAGES)
    return " ".join((title, text, *(words for pair in written for words in pair if words)))


def title_in(language: str, title: str) -> str | None:
    """Return what a thing is called in a language; None where nobody has written that."""
    return _written(f"titles-{language}", "title").get(title)


@functools.cache
def _written(name: str, of: str) -> dict[str, str]:
    path = TEXTS / f"{name}.toml"
    if not path.is_file():
        return {}
    by_key = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), dict[str, str])
    stock = {entry.key: getattr(entry, of) for shelf in read_stock() for entry in shelf.listing}
    return {stock[key]: written for key, written in by_key.items()}


def remarks_on(text: str) -> Remarks | None:
    """Return what can be said of the thing of which a seller says this; None where none is ours."""
    return _remarks().get(text)


@functools.lru_cache(maxsize=256)
def sentences_on(text: str) -> tuple[str, ...]:
    """Return all sentences that can be said of the thing of which a seller says this."""
    of = remarks_on(text)
    if of is None:
        return ()
    rows = (*(answers for _, *answers in of.facts), *of.less, *of.more)
    said = tuple(sentence for row in rows for sentence in row)
    return said + tuple(part for sentence in said for part in clauses_of(sentence))


def clauses_of(sentence: str) -> list[str]:
    """Part a sentence of a fact in its clauses, each of which can be said alone.

    >>> clauses_of("It folds; measures are not given.")
    ['It folds.', 'Measures are not given.']
    """
    parts = (part.rstrip(";.। ") for part in re.split(r"(?<=[;.।])\s+", sentence))
    end = "।" if sentence.endswith("।") else "."
    return [f"{part[:1].upper()}{part[1:]}{end}" for part in parts]


@lazily
def _remarks() -> dict[str, Remarks]:
    by_key: dict[str, Remarks] = {}
    for path in sorted(REMARKS.glob("*.toml")):
        by_key |= read_table(path, dict[str, Remarks])
    return {
        entry.text: by_key[entry.key]
        for shelf in read_stock()
        for entry in shelf.listing
        if entry.key in by_key
    }
