"""What a tell says about "you", said about her or them: for pages that somebody else reads."""

import tomllib
from pathlib import Path

_ROWS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["reason"]
_HER: dict[str, str] = {row["you"]: row["she"] for row in _ROWS}
_THEM: dict[str, str] = {row["you"]: row["they"] for row in _ROWS}


def about_her(why: str) -> str:
    """Return a reason that speaks to the speaker as one that speaks of her.

    >>> about_her("You say you lose money: sellers who say so often want it over.")
    'She says she loses money: sellers who say so often want it over.'
    """
    return _HER.get(why, why)


def about_them(why: str) -> str:
    """Return a reason that speaks to the speaker as one that speaks of a person who is not here.

    >>> about_them("You say you lose money: sellers who say so often want it over.")
    'They say they lose money: sellers who say so often want it over.'
    """
    return _THEM.get(why, why)
