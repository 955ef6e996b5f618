"""TOML and JSON that people write and bring: read within bounds that a reader of either needs.

``tomllib`` takes quadratic time over a name of many parts, both stumble over brackets without end
and numbers of thousands of digits, and take numbers that are none. So a text is looked through
once, token by token, before either reads it.
"""

import json
import re
import tomllib
from collections.abc import Iterable
from typing import Any

from negotiation.sentences import sentences

say = sentences(__file__)

MOST_PARTS = 8
"""Of a name: ``arms.plan.rounds`` has three."""
DEEPEST = 12
"""Brackets within brackets."""
MOST_VALUES = 30_000
"""Names, texts, numbers and brackets. The largest study that forms let a host write has half."""
LONGEST_WORD, MOST_DIGITS = 64, 18
"""Characters of what has no quotes around it, and digits of a whole number: 64 bits hold them."""

MARK = "\ufeff"
"""What some editors put before a text in UTF-8."""


class Unreadable(ValueError):
    """A text cannot be read; ``line`` counts from 1, 0 where it is not known."""

    def __init__(self, words: str, line: int = 0) -> None:
        super().__init__(words)
        self.words, self.line = words, line


def read_toml(text: str) -> dict[str, Any]:
    """Read TOML, or raise ``Unreadable``."""
    text = text.removeprefix(MARK)
    _look_through(text)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        line = int(place[1]) if place and place[1] else len(text.splitlines())
        raise Unreadable(f"TOML: {_PLACE.sub('', str(error))}.", line) from error
    except (ValueError, RecursionError) as error:  # a day that no month has
        raise Unreadable(f"TOML: {error}.") from error


def read_json(text: str) -> Any:
    """Read JSON that has one meaning for everybody, or raise ``Unreadable``."""
    text = text.removeprefix(MARK)
    _look_through(text)

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if (name := twice(name for name, _value in pairs)) is not None:
            line = 1 + text.count("\n", 0, max(text.rfind(f'"{name}"'), 0))
            raise Unreadable(say("the_name_name_stands_twice", name=name[:40]), line)
        return dict(pairs)

    try:
        read = json.loads(text, object_pairs_hook=once)
        json.dumps(read, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise Unreadable(f"JSON: {error.msg}.", error.lineno) from error
    except UnicodeEncodeError as error:
        half = ascii(error.object[error.start]).strip("'")
        line = 1 + text.count("\n", 0, max(text.lower().find(half), 0))
        raise Unreadable(say("half_is_half_a_character", half=half), line) from error
    return read


def twice(names: Iterable[str]) -> str | None:
    """Return the first name that has stood before.

    >>> twice(["a", "b", "a"])
    'a'
    """
    seen: set[str] = set()
    return next((name for name in names if name in seen or seen.add(name)), None)  # type: ignore[func-returns-value]


_PLACE = re.compile(r" \(at line (\d+), column \d+\)$| \(at end of document\)$")

# Each alternative takes what it has begun to the end, as if it were closed there, and gives nothing
# back: so every character is looked at once.
_TOKEN = re.compile(
    r'''
    (?P<quoted>
        """(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}+)?
      | \'\'\'(?:[^']|'(?!''))*+(?:'{3,5}+)?
      | "(?:[^"\\\n]|\\.)*+"?
      | '[^'\n]*+'?
    )
  | (?P<comment>(?:\#[^\n]*+\s*+)++)
  | (?P<open>[\[{]) | (?P<close>[\]}]) | (?P<given>[=:])
  | (?P<next>[,\n][,\s]*+)
  | (?P<dot>\.)
  | (?P<word>[^\s"'\#\[\]{}=:,.]++)
    ''',
    re.VERBOSE | re.DOTALL,
)


_DEEPER = {"open": 1, "close": -1}


def _look_through(text: str) -> None:
    """Raise ``Unreadable`` where a text goes past a bound; what it means does not matter here."""
    line, deep, dots, values = 1, 0, 0, 0
    for token in _TOKEN.finditer(text):
        kind = str(token.lastgroup)
        words = _wrong_with(token[0], is_whole=not dots) if kind == "word" else ""
        deep += _DEEPER.get(kind, 0)
        values += kind not in ("comment", "dot", "next")
        if kind == "dot":
            dots += 1
        elif kind not in ("quoted", "word"):
            dots = 0
        if words := words or _too_much(deep, dots, values):
            raise Unreadable(words, line)
        line += token[0].count("\n")


def _too_much(deep: int, dots: int, values: int) -> str:
    if deep > DEEPEST:
        return say("too_deep", most=DEEPEST)
    if dots >= MOST_PARTS:
        return say("too_many_dots", most=MOST_PARTS)
    if values > MOST_VALUES:
        return say("too_many_signs", most=f"{MOST_VALUES:,}")
    return ""


_DIGITS = re.compile(r"[+-]?(?:\d[\d_]*|0[xob][\da-fA-F_]*)")
_POWER = re.compile(r"[+-]?[\d_]+[eE]\+?0*(\d+)")
_NO_NUMBER = re.compile(r"[+-]?(?:nan|inf|NaN|Infinity)")
LARGEST_POWER = 300
"""Of ten: what is larger may be no number to whoever reads it next."""


def _wrong_with(word: str, *, is_whole: bool) -> str:
    """Say what is wrong with a word without quotes; ``is_whole``: no dot stands before it."""
    if len(word) > LONGEST_WORD:
        return say("word_too_long", most=LONGEST_WORD)
    if (
        is_whole
        and len(word.strip("+-").replace("_", "")) > MOST_DIGITS
        and _DIGITS.fullmatch(word)
    ):
        return say("too_many_digits", most=MOST_DIGITS)
    power = _POWER.fullmatch(word)
    if _NO_NUMBER.fullmatch(word) or (power and int(power[1]) > LARGEST_POWER):
        return say("no_number", word=word[:20])
    return ""
