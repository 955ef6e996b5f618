"""What somebody's words say of his own wishes: which issue matters to him, what he cannot take.

Found by the names of issues and options and by a table of phrases; what is in doubt says nothing.
"""

import functools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import msgspec

from bazaarbatna.cases.case import Case, Choice, Issue
from bazaarbatna.word_tables import read_table, whole_words


class Hint(msgspec.Struct, frozen=True):
    """An issue matters ``most`` or ``least``, or one of its values, by its place, is refused."""

    sort: str
    issue: int
    value: int = -1


def plain(text: str) -> str:
    """Return words in small letters, without the dots below that some write and some do not."""
    bare = unicodedata.normalize("NFKD", text.lower().replace("’", "'"))
    return re.sub("[\u093c\u200c\u200d]", "", bare).replace("ँ", "ं")


_TABLE = read_table(Path(__file__).with_suffix(".toml"), dict[str, dict[str, tuple[str, ...]]])
_PHRASES, _WORDS = (
    {name: whole_words(*map(plain, words)) for name, words in _TABLE[table].items()}
    for table in ("phrases", "words")
)
_ALIKE = [frozenset(map(plain, group)) for group in _TABLE["names"].values()]


def hints(case: Case, texts: Sequence[str]) -> tuple[Hint, ...]:
    """Return what texts of one side say of its wishes, each thing once; old texts are forgotten.

    >>> from bazaarbatna.cases.case import in_library
    >>> said = ["Delivery matters most to me", "warranty se mujhe farak nahi padta"]
    >>> [(hint.sort, hint.issue) for hint in hints(in_library()["scooter"], said)]
    [('most', 1), ('least', 2)]
    """
    issues = msgspec.json.encode(case.issues) if texts else b""
    return tuple(dict.fromkeys(hint for text in texts[-40:] for hint in _heard(issues, text)))


@functools.lru_cache(maxsize=4096)
def _heard(issues: bytes, text: str) -> tuple[Hint, ...]:
    found: list[Hint] = []
    for sentence in re.findall(r"[^.!?।\n]+\??", plain(text)):
        for part in re.split(r"[,;]", _WORDS["breaks"].sub(",", sentence)):
            is_own = _WORDS["mine"].search(part) or not _WORDS["yours"].search(part)
            if not sentence.endswith("?") and is_own:  # a question is about the other's wishes
                found += _hints(_names(issues), part)
    return tuple(found)


def _hints(names: list[tuple[re.Pattern[str], int, int]], part: str) -> Iterator[Hint]:
    """Read a part of a sentence: with each phrase goes the name that stands nearest to it."""
    for name, pattern in _PHRASES.items():
        sort, side = name.split("_")
        for phrase in pattern.finditer(part):
            at, is_option = phrase.start(), sort == "never"
            part = f"{part[:at]}{'#' * len(phrase[0])}{part[phrase.end() :]}"
            found = [
                ((one.start() < at) == (side == "after"), abs(one.start() - at), issue, value)
                for called, issue, value in names
                if sort != "nothing" and (value >= 0 or not is_option)
                for one in called.finditer(part)
            ]
            if found:
                *_, issue, value = min(found)
                yield Hint(sort, issue, value if is_option else -1)


@functools.lru_cache(maxsize=64)
def _names(issues: bytes) -> list[tuple[re.Pattern[str], int, int]]:
    """Return what finds issues and options; a name that two issues have finds neither."""
    called: dict[str, set[tuple[int, int]]] = {}
    for at, issue in enumerate(msgspec.json.decode(issues, type=tuple[Issue, ...])):
        labels = {plain(one) for one in (issue.key.replace("_", " "), *issue.label.values())}
        own = labels | {word for label in labels for word in label.split() if len(word) > 3}
        for name in own.union(*(group for group in _ALIKE if group & own)):
            called.setdefault(name, set()).add((at, -1))
        for value, option in enumerate(issue.options if isinstance(issue, Choice) else ()):
            for label in chain(option.label.values(), *option.words.values()):
                ends = _WORDS["little"].sub("", plain(label).split(",")[0])
                called.setdefault(ends.strip(), set()).add((at, value))
    return [
        (whole_words(re.escape(name)), *min(places))
        for name, places in called.items()
        if len({issue for issue, _ in places}) == 1 and not _WORDS["generic"].fullmatch(name)
    ]
