"""What the seller's last words were about, so that the buyer can answer them; words only."""

import re
from collections.abc import Sequence
from pathlib import Path

from bazaarbatna.bargain.episode import Turn
from bazaarbatna.word_tables import read_patterns

READ_AT_MOST = 600

TOPICS: tuple[tuple[str, str], ...] = tuple(
    (name, "".join(found))
    for name, found in read_patterns(Path(__file__).with_name("topics.toml")).items()
)

_TABLE = tuple((topic, re.compile(pattern)) for topic, pattern in TOPICS)
_DENIED = re.compile(
    r"\b(?:no|not|never|koi|nahi|nhi|without|isn't|isnt|don't|dont|bina)\s(?:\S+\s){0,2}$"
)
_DENIED_AFTER = re.compile(r"^\s(?:\S+\s)?(?:nahi|nahin|nhi|nai)\b")
_MAY_BE_DENIED = frozenset({"rivals", "hardship", "hurry"})


def topic_of(text: str) -> str:
    """Name what a line is about; ``talk`` when it is about nothing in the table.

    >>> topic_of("teen aur log dekh rahe hain"), topic_of("koi jaldi nahi hai")
    ('rivals', 'talk')
    """
    plain = text[:READ_AT_MOST].lower()
    for topic, pattern in _TABLE:
        match = pattern.search(plain)
        if match is None:
            continue
        if topic in _MAY_BE_DENIED and _is_denied(plain, match.start(), match.end()):
            continue
        return topic
    return "talk"


def last_words(turns: Sequence[Turn]) -> str:
    """Return the text of the last turn if the seller spoke in it, else nothing."""
    return turns[-1].text if turns and turns[-1].actor == "seller" else ""


def _is_denied(text: str, start: int, end: int) -> bool:
    before = text[max(start - 30, 0) : start]
    return _DENIED.search(before) is not None or _DENIED_AFTER.match(text[end:]) is not None
