"""What people type into the search field, made comparable with what a listing says."""

import unicodedata

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
