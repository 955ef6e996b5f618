"""Words and lines as data: TOML beside the module that reads it."""

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec


class Phrase(msgspec.Struct, frozen=True):
    """A text with ``%(name)s`` places; a value may be a phrase of its own."""

    text: str
    values: Mapping[str, "str | int | Phrase"] = {}

    def told(self, look_up: Callable[[str], str] = str) -> str:
        """Return the sentence, its texts as ``look_up`` has them.

        >>> Phrase("%(who)s left", {"who": Phrase("Mira")}).told()
        'Mira left'
        """
        text = look_up(self.text) if self.text else ""
        if not self.values:
            return text
        filled = {
            name: value.told(look_up) if isinstance(value, Phrase) else value
            for name, value in self.values.items()
        }
        return text % filled


Values = dict[str, str | int | Phrase]
"""What fills the places of a phrase, while it is gathered."""


Table = TypeVar("Table")


class UnreadableTable(ValueError):
    """A table of words is not what it should be."""


def read_table(path: Path, kind: type[Table]) -> Table:
    """Read one TOML file; raises UnreadableTable, naming the file and what is wrong."""
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), kind)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as wrong:
        raise UnreadableTable(f"{path.name}: {wrong}") from wrong


def texts_of(module: str) -> dict[str, Any]:
    """Return the words of the module at a path: its table of the ``words.toml`` beside it."""
    path = Path(module)
    words: dict[str, Any] = _words(path.with_name("words.toml"))[path.stem]
    return words


@cache
def _words(path: Path) -> dict[str, dict[str, Any]]:
    return read_table(path, dict[str, dict[str, Any]])


class _Patterns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    patterns: dict[str, tuple[str, ...]]
    words: dict[str, str] = {}


_LETTERS = r"\w\u0900-\u0963\u0966-\u097f"
"""A Hindi vowel sign is no end of a word."""
_NAME = re.compile(r"@([a-z_]+)@")


def read_patterns(path: Path) -> dict[str, tuple[str, ...]]:
    """Read a file of regular expressions, those of each name in order.

    Under ``words`` stand parts that ``@name@`` puts into a pattern, or into another part. A break
    of a line is not a part of an expression.
    """
    table = read_table(path, _Patterns)
    try:
        return {
            name: tuple(filled(one, table.words) for one in found)
            for name, found in table.patterns.items()
        }
    except KeyError as wrong:
        raise UnreadableTable(f"{path.name}: there are no words named {wrong}") from wrong


def filled(text: str, words: Mapping[str, str]) -> str:
    """Put words in the places of a pattern and of one another; KeyError where there are none.

    >>> filled("@a@ or @b@", {"a": "one", "b": "@a@ more"})
    'one or one more'
    """
    return _NAME.sub(lambda found: filled(words[found[1]], words), text.replace("\n", ""))


def whole_words(*parts: str) -> re.Pattern[str]:
    """Make one pattern of whole words, in capitals or not."""
    either = "|".join(parts)
    return re.compile(rf"(?<![{_LETTERS}])(?:{either})(?![{_LETTERS}])", re.IGNORECASE)
