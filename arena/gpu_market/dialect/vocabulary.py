"""What the small model reads and writes as one token: frames of an answer, names, words."""

from arena.gpu_market.dialect import names
from arena.gpu_market.engine.actions import ACTION_NAMES
from arena.gpu_market.engine.blocks import CONDITIONS
from arena.gpu_market.policies.belief import WORDS as PRESSING_WORDS
from arena.gpu_market.policies.buying import FAIR_WORDS
from arena.gpu_market.policies.joining import PURPOSE

WORDS: dict[str, str] = {
    "<fair>": FAIR_WORDS,
    "<pool>": PURPOSE,
    "<press>": PRESSING_WORDS,
}
"""Slots for whole sentences: the table puts the real words."""

ONE = ("target_lab_id", "offer_id", "coalition_id", "job_id")
SEVERAL = ("block_ids", "requested_block_ids", "conditions")
"""Fields of an action that hold one name, and those that hold a list."""

_COUNTS = {
    "m": names.MOST_MINE,
    "x": names.MOST_THEIRS,
    "j": names.MOST_JOBS,
    "o": names.MOST_OFFERS,
    "c": names.MOST_POOLS,
    "l": names.MOST_LABS,
}
SHORTS: tuple[str, ...] = tuple(
    f"{letter}{number}" for letter, count in _COUNTS.items() for number in range(count)
)

FRAMES: tuple[str, ...] = (
    '{"action": "',
    *(f'", "{field}": "' for field in ONE),
    *(f'", "{field}": ["' for field in SEVERAL),
    *(f'"], "{field}": ["' for field in SEVERAL),
    *(f'{end}, "payment": ' for end in ('"', '"]')),
    *(f'{end}, "message": "' for end in ("", '"', '"]')),
    ', "conditions": ["',
    '", "',
    '"}',
    '"]}',
    *ACTION_NAMES,
    *CONDITIONS,
    *WORDS,
)

PIECES: tuple[str, ...] = (*FRAMES, *SHORTS)
