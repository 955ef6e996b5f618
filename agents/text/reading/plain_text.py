"""What people paste made plain: one small alphabet, with a way back to where it stood."""

import re
import unicodedata

import msgspec

from agents.text.reading.spelling import spell

_LOOKALIKES = str.maketrans(
    "асеіјорѕхуқһԁⅼαβεηικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕКМНОРСТУХЅІЈ",
    "aceijopsxyqhdlabehiknoptuxABEZHIKMNOPTYXABEKMHOPCTYXSIJ",
)

_SPELLED = {
    "½": ".5", "¼": ".25", "¾": ".75",
    "‘": "'", "’": "'", "‛": "'", "`": "'", "´": "'", "ʼ": "'", "′": "'",
    "“": '"', "”": '"', "„": '"',
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-", "−": "-", "﹣": "-", "－": "-",
    "…": "...", "।": ".", "॥": ".", "⁄": "/", "∕": "/", "٫": ".", "٬": ",", "،": ",", "，": ",",
    "²": " ", "³": " ", "¹": " ",
}  # fmt: skip
"""Signs that mean a plain sign; superscripts mean a unit (m²), never a digit of a price."""

_INVISIBLE = frozenset({"Cf", "Me", "Cs", "Cn", "Co"})
_RUPEE = "₹"
_NUKTA = "\u093c"
"""The dot below a Devanagari letter: many leave it out, so all do here."""


class PlainText(msgspec.Struct, frozen=True):
    """Lower-case text; ``places[i]`` is the code point of ``text[i]``, None: nothing moved."""

    text: str
    places: tuple[int, ...] | None = None

    def place(self, index: int) -> int:
        """Return where the plain character stood in the original text."""
        return index if self.places is None else self.places[index]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the original span (in code points) of the plain characters ``start..end - 1``."""
        return self.place(start), self.place(end - 1) + 1


_SPACED = re.compile(r"(?<![\d.,])(?<!\d )(\d{1,3}) (?=000(?! ?\d))")
"""A thousand that is written apart, "17 000": its space is read as the comma of "17,000"."""


def to_plain(text: str) -> PlainText:
    r"""Fold full-width, Devanagari and other digits, look-alike letters, quotes and hidden signs.

    Takes time proportional to the length of the text.

    >>> to_plain("１７０ Ruреes").text
    '170 rupees'
    >>> to_plain("1\u200b70").span(0, 3)
    (0, 4)
    """
    if text.isascii():
        return PlainText(_SPACED.sub(r"\1,", text.lower()))
    letters: list[str] = []
    places: list[int] = []
    for index, character in enumerate(text):
        plain = _plain(character)
        letters.append(plain)
        places.extend([index] * len(plain))
    return PlainText(_SPACED.sub(r"\1,", "".join(letters)), tuple(places))


def _plain(character: str) -> str:
    if character.isascii():
        return character.lower()
    if character == _RUPEE:
        return character
    if character == _NUKTA:
        return ""
    if character in _SPELLED:
        return _SPELLED[character]
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    category = unicodedata.category(character)
    if (
        category in _INVISIBLE
        or "\u0300" <= character <= "\u036f"
        or "\ufe00" <= character <= "\ufe0f"
    ):
        return ""
    folded = unicodedata.normalize("NFKC", character).translate(_LOOKALIKES).lower()
    # Some characters unfold to whole phrases (U+FDFA to 18 characters): they are no one's words.
    if len(folded) > 4:
        return " "
    return " " if folded.isspace() else _without_accents(folded)


def _is_accent(character: str) -> bool:
    accent = "\u0300" <= character <= "\u036f" or "\ufe00" <= character <= "\ufe0f"
    return accent or character == _NUKTA


def _without_accents(folded: str) -> str:
    bare = "".join(c for c in unicodedata.normalize("NFD", folded) if not _is_accent(c))
    return bare.translate(_LOOKALIKES) if bare else " "


_DIGITS = r"\d[\do]*"
_TERM = re.compile(
    rf"(?P<digits>(?:(?<![\w.])\.(?=\d{{1,2}}(?!\d)))?{_DIGITS}(?:[.,]{_DIGITS})*)"
    r"|[₹$€£]|(?:[^\W\d_]|[\u0900-\u0965\u0970-\u097f])+(?:'[^\W\d_]+)*"
)
_STOP = re.compile(r"[.!?;\n|]")
_PAUSE = re.compile(r"[,:()\[\]{}\"/*=>\u2600-\u27bf\U0001f300-\U0001faff]")
"""Signs at which a sentence pauses; people end one with a smile."""


class Term(msgspec.Struct, frozen=True):
    """A word in its one spelling, or digits as written; ``gap`` is what stood before it."""

    text: str
    start: int
    end: int
    gap: str
    digits: bool = False


def to_terms(plain: PlainText) -> tuple[list[Term], str]:
    """Cut a text; gives the terms and what follows the last one.

    >>> [t.text for t in to_terms(PlainText("ok, 17o nahin!"))[0]]
    ['ok', '17o', 'nahi']
    """
    terms: list[Term] = []
    text, end = plain.text, 0
    match = _TERM.search(text)
    while match is not None:
        start, digits = match.start(), match["digits"]
        gap = text[end:start]
        if digits is None:
            end = match.end()
            terms.append(Term(spell(match[0]), start, end, gap))
        else:
            # A letter o is a zero ("17o") unless a word begins with it ("170ok", "20off").
            if digits.endswith("o") and text[match.end() : match.end() + 1].isalpha():
                digits = digits.rstrip("o")
            end = start + len(digits)
            terms.append(Term(digits, start, end, gap, True))
        match = _TERM.search(text, end)
    return terms, text[end:]


def _stops(gap: str) -> bool:
    return _STOP.search(gap) is not None


def pauses(gap: str) -> bool:
    """Whether a sentence ends or pauses in this gap."""
    return _stops(gap) or _PAUSE.search(gap) is not None
