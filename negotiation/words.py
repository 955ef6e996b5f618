"""What people type, made safe to store and show: the words stay, what steers screens goes."""

import unicodedata

_INVISIBLE = {"Cc", "Cs", "Co", "Cn"}
"""Unicode categories that carry no words: controls, lone surrogates, private and unassigned."""

_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
"""Marks that turn the direction of everything around them."""


def clean(text: str) -> str:
    r"""Drop controls, direction marks and broken characters; keep line breaks and joiners.

    Joiners stay because Indian scripts and emoji need them.

    >>> clean("170\x00 \u202eonly\ud800\n")
    '170 only'
    """
    kept = (" " if c == "\t" else c for c in text.replace("\r\n", "\n") if _is_kept(c))
    return "".join(kept).strip()


def clean_line(text: str) -> str:
    r"""Clean a text that stands on one line.

    >>> clean_line(" Brass\n lamp ")
    'Brass lamp'
    """
    return " ".join(clean(text).split())


def _is_kept(character: str) -> bool:
    if character in "\n\t":
        return True
    return character not in _BIDI and unicodedata.category(character) not in _INVISIBLE
