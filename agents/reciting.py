"""Does a message recite the instructions that a model was given? They are nobody's business."""

import re
from functools import lru_cache

RUN = 7
"""So many words in a row are no chance."""

_WORD = re.compile(r"[^\W_]+")


def recites(text: str, instructions: str) -> bool:
    """Tell whether a text and the instructions share a run of ``RUN`` words.

    >>> recites("Sure: you sell one item in an Indian stall", "You sell one item in an Indian ...")
    True
    """
    return not _runs(text).isdisjoint(_runs(instructions))


@lru_cache(maxsize=256)
def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return frozenset(tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1))
