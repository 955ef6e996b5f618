"""Things that lines name, and sentences in which a thing is named again."""

import re
from collections.abc import Iterable
from pathlib import Path

from agents.speech.together import pattern_of
from agents.text.languages import Register
from bazaarbatna.lazily import lazily
from bazaarbatna.word_tables import read_table

NOUN = "<noun>"
NOUNS = Path(__file__).with_name("nouns.toml")
VAGUE = frozenset({"sound", "wood", "glass", "cloth", "fabric", "shop", "power", "room", "music"})
"""Things that a line names for many reasons: in talk of no kind they are not echoed."""
_BEFORE = ("to", "can", "cant", "cannot", "canot", "vill", "ill", "i", "they", "in", "next", "last")
"""Behind these a word names no thing: "cannot stand", "in case", "next door"."""
_OTHERWISE = "".join(f"(?<! {word} )" for word in _BEFORE)


@lazily
def nouns() -> dict[str, tuple[str, str, str]]:
    """Read the table: each thing in Hinglish, in Hindi, and the words that name it."""
    return read_table(NOUNS, dict[str, tuple[str, str, str]])


@lazily
def _forms() -> dict[str, str]:
    return {
        pattern_of(form).replace("\\", ""): name
        for name, (_, _, forms) in nouns().items()
        for form in forms.split()
    }


@lazily
def _any_form() -> re.Pattern[str]:
    forms = sorted(map(re.escape, _forms()), key=len, reverse=True)
    return re.compile(rf"{_OTHERWISE}(?<= )(?:{'|'.join(forms)})(?= )")


def noun_of(words: str) -> str:
    """Name the first thing of words in the spelling of `same`; "" where there is none.

    >>> noun_of(" the rear tyre is vorn "), noun_of(" i canot stand it ")
    ('rear tyre', '')
    """
    found = _any_form().search(words)
    return _forms()[found[0]] if found else ""


def named(says: Iterable[str], thing: str, language: Register) -> list[str]:
    """Return the sentences that name a thing, with its name; none where there is no thing."""
    if not thing:
        return []
    hinglish, hindi, _ = nouns()[thing]
    name = {"english": thing, "hinglish": hinglish, "hindi": hindi}[language]
    filled = (one.replace(NOUN, name) for one in says if NOUN in one)
    return [one[:1].upper() + one[1:] for one in filled]
