"""Phrases by which a side takes the other's standing price, seems to, or does not."""

from pathlib import Path
from typing import Literal

import msgspec

from agents.text.reading.spelling import word_set
from agents.text.word_tables import read_table

Answer = Literal["yes", "maybe", "no"]


class _Acceptance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    phrases: tuple[tuple[str, Answer], ...]
    buyers_phrases: tuple[tuple[str, Answer], ...]
    turns: str
    fillers: str


_ACCEPTANCE = read_table(Path(__file__).with_name("acceptance.toml"), _Acceptance)
TABLE, BUYERS_TABLE = _ACCEPTANCE.phrases, _ACCEPTANCE.buyers_phrases
TURNS, FILLERS = word_set(_ACCEPTANCE.turns), word_set(_ACCEPTANCE.fillers)
