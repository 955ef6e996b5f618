"""What people type and files hold, made safe to store and show: words stay, what steers goes."""

import html
import re
import unicodedata

_INVISIBLE = {"Cc", "Cs", "Co", "Cn"}
"""Unicode categories that carry no words: controls, lone surrogates, private and unassigned."""

_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
"""Marks that turn the direction of everything around them."""


def clean(text: str) -> str:
    """Drop controls, direction marks and broken characters; keep line breaks and joiners.

    Joiners stay because Indian scripts and emoji need them.
    """
    kept = (" " if c == "\t" else c for c in text.replace("\r\n", "\n") if _is_kept(c))
    return "".join(kept).strip()


LONGEST_ID = 18
"""Digits of a row's number."""


def number_in(text: str, digits: int = 8) -> int | None:
    """Read a whole number of an address or a form; None for anything else.

    Python reads no number of thousands of digits, and a database none of twenty.
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def clean_line(text: str) -> str:
    """Clean a text that stands on one line."""
    return " ".join(clean(text).split())


def _is_kept(character: str) -> bool:
    if character in "\n\t":
        return True
    return character not in _BIDI and unicodedata.category(character) not in _INVISIBLE


_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>|<!--.{0,500}?-->", re.DOTALL)
_DROPPED = {"Cc", "Cf", "Cn", "Co", "Cs"}
"""Control, format (zero width, bidi), unassigned, private use, half a surrogate pair."""
_BLANKS = dict.fromkeys([0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0], " ")
"""Letters and symbols that show nothing."""
_MAX_MARKS = 3
"""Combining marks kept on one letter: enough for every script, too few to climb out of the line."""


def clean_text(text: str, longest: int) -> str:
    """Make one line of visible characters out of anything.

    Entities are resolved (also when escaped twice), tags and invisible characters removed, every
    kind of space becomes one space; a text of more than ``longest`` characters ends in an ellipsis.

    >>> clean_text("  Kettle&amp;amp; <b>mug</b> set ", 200)
    'Kettle& mug set'
    """
    plain = _TAG.sub(" ", html.unescape(html.unescape(text[: longest * 20])))
    plain = unicodedata.normalize("NFC", plain).translate(_BLANKS)
    return _shorten(" ".join(_visible(plain).split()), longest)


def _visible(text: str) -> str:
    kept: list[str] = []
    marks = 0
    for c in text:
        kind = unicodedata.category(c)
        marks = marks + 1 if kind == "Mn" else 0
        if kind == "Cc":
            kept.append(_windows_character(c))
        elif kind not in _DROPPED and marks <= _MAX_MARKS:
            kept.append(c)
    return "".join(kept)


def _windows_character(control: str) -> str:
    # Dashes and quotes of Windows-1252 that somebody read as Latin-1 arrive as C1 controls.
    if "\x80" <= control <= "\x9f":
        return control.encode("latin-1").decode("cp1252", "ignore")
    return " "


def _shorten(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    cut = text[: longest - 1]
    at_word = cut.rsplit(" ", 1)[0]
    return f"{(at_word if len(at_word) > longest // 2 else cut).rstrip(' ,;:-')}…"


MAX_QUERY = 100

MAX_WORDS = 8

TWINS = (
    ("almirah", "cupboard", "wardrobe"),
    ("bicycle", "cycle"),
    ("cooker", "kukar"),
    ("cot", "charpai", "khat"),
    ("fridge", "refrigerator"),
    ("motorcycle", "motorbike", "bike"),
    ("mobile", "phone"),
    ("notebook", "laptop"),
    ("saree", "sari"),
    ("scarf", "scarve"),
    ("scooter", "scooty"),
    ("sofa", "couch"),
    ("television", "tv"),
)
"""Words that Indian classifieds use for the same thing; either finds both."""

_APOSTROPHES = "'\N{RIGHT SINGLE QUOTATION MARK}"
_FIRST_ACCENT, _LAST_ACCENT = 0x0300, 0x036F


def fold(text: str) -> str:
    """Bring text to the form in which it is stored for search and compared.

    Case, Latin accents, compatibility forms and punctuation make no difference; Devanagari vowel
    signs do. Every word stands between two spaces, so that a search can ask for beginnings.
    """
    apart = unicodedata.normalize("NFKD", text.casefold())
    kept = unicodedata.normalize("NFC", "".join(_fold_character(c) for c in apart))
    return f" {' '.join(kept.split())} "


def search_words(query: str) -> list[tuple[str, ...]]:
    """Split a query (its first 100 characters, eight words) into words with other spellings.

    A listing is found when, for every word, one of its words begins with one of the spellings.

    >>> search_words("Old Fridges")
    [('old',), ('fridge', 'refrigerator')]
    """
    words = dict.fromkeys(_stem(word) for word in fold(query[:MAX_QUERY]).split())
    return [_spellings(word) for word in list(words)[:MAX_WORDS]]


def _fold_character(c: str) -> str:
    if c in _APOSTROPHES or _FIRST_ACCENT <= ord(c) <= _LAST_ACCENT:
        return ""
    kind = unicodedata.category(c)
    if kind == "Cf":  # invisible, and would make two equal words differ
        return ""
    return c if kind[0] in "LMN" else " "


def _stem(word: str) -> str:
    # Words are looked up by their beginnings, so that "glas" still finds "glass".
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def _spellings(word: str) -> tuple[str, ...]:
    for twins in TWINS:
        if word in twins:
            return (word, *(twin for twin in twins if twin != word))
    return (word,)
