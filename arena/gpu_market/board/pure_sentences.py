"""What the pure market says of a refusal or a hearing, in the reader's language.

The engine knows no languages, and its sentences lie in stored logs as they are. A page finds each
again by its form, takes out what it names, and says the sentence of its own language.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from arena.gpu_market.board.titles import lab_name
from arena.words import say
from bazaarbatna.word_tables import read_table

_HOLE = re.compile(r"\{(\w+)\}")
_SPLIT = re.compile(r", | and ")


def in_language(sentence: str) -> str:
    """Say a sentence of the engine as the reader would; one that is not known stays as it is.

    >>> in_language("B4 has failed."), in_language("That is new.")
    ('B4 has failed.', 'That is new.')
    """
    for form, known in _forms():
        if found := form.fullmatch(sentence):
            values = {name: _named(name, value) for name, value in found.groupdict().items()}
            return _(known).format(**values)
    return sentence


def _named(hole: str, value: str) -> str:
    if hole == "winner":
        return lab_name(value)
    if hole == "claims":
        # Joined anew, as the reader's language joins.
        *first, last = (_(_table()["words"].get(one, one)) for one in _SPLIT.split(value))
        return say("first_and_last", first=", ".join(first), last=last) if first else last
    return value


@cache
def _forms() -> tuple[tuple[re.Pattern[str], str], ...]:
    table = _table()
    known = [*table["refusals"], *table["states"], *table["judge"]]
    return tuple((_form(one), one) for one in known)


def _form(sentence: str) -> re.Pattern[str]:
    parts = _HOLE.split(sentence)
    return re.compile(
        "".join(
            f"(?P<{part}>.+?)" if place % 2 else re.escape(part) for place, part in enumerate(parts)
        )
    )


@cache
def _table() -> dict[str, Any]:
    return read_table(Path(__file__).with_suffix(".toml"), dict[str, Any])
