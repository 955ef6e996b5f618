"""Devanagari letters in the Latin spelling that people type, for words that no table holds."""

_CONSONANTS = {
    "क": "k", "ख": "kh", "ग": "g", "घ": "gh", "ङ": "n", "च": "ch", "छ": "chh", "ज": "j",
    "झ": "jh", "ञ": "n", "ट": "t", "ठ": "th", "ड": "d", "ढ": "dh", "ण": "n", "त": "t",
    "थ": "th", "द": "d", "ध": "dh", "न": "n", "प": "p", "फ": "f", "ब": "b", "भ": "bh",
    "म": "m", "य": "y", "र": "r", "ल": "l", "ळ": "l", "व": "w", "श": "sh", "ष": "sh",
    "स": "s", "ह": "h",
}  # fmt: skip
_VOWELS = {
    "अ": "a", "आ": "A", "इ": "i", "ई": "i", "उ": "u", "ऊ": "u", "ऋ": "ri", "ए": "e", "ऐ": "ai",
    "ओ": "o", "औ": "au", "ऑ": "o", "ऍ": "e",
}  # fmt: skip
_SIGNS = {
    "ा": "A", "ि": "i", "ी": "i", "ु": "u", "ू": "u", "ृ": "ri", "े": "e", "ै": "ai", "ो": "o",
    "ौ": "au", "ॉ": "o", "ॅ": "e",
}  # fmt: skip
_NASALS = {"ं": "n", "ँ": "n", "ः": "h"}
_SILENT = "\u094d"
"""The stroke below a consonant that takes its vowel away."""

_INHERENT = "@"
"""The short a that a bare consonant carries; it is spoken or not by its place."""

Sound = tuple[str, bool]
"""Latin letters, and whether they are a vowel."""


def to_latin(word: str) -> str | None:
    """Write a Devanagari word as people type it; None for other words.

    The short vowel of a bare consonant is dropped at the end and between a vowel and a consonant
    with one ("करता": karta), so is a nasal at the end ("परसों": parso); a long a is doubled in words
    of one syllable alone ("काम": kaam).

    >>> to_latin("दिमाग"), to_latin("निकलना"), to_latin("काम"), to_latin("kaam")
    ('dimag', 'nikalna', 'kaam', None)
    """
    sounds = _sounds(word)
    if sounds is None:
        return None
    spoken = _without_silent(sounds)
    if len(spoken) > 2 and word[-1] in _NASALS:
        spoken.pop()
    syllables = sum(vowel for _, vowel in spoken)
    ends_long = bool(spoken) and spoken[-1][0] == "A"
    long_a = "aa" if syllables == 1 and not ends_long else "a"
    text = "".join(letters for letters, _ in spoken).replace("A", long_a).replace(_INHERENT, "a")
    return "v" + text[1:] if text.startswith(("wi", "we")) else text


def _sounds(word: str) -> list[Sound] | None:
    sounds: list[Sound] = []
    for letter in word:
        if letter in _CONSONANTS:
            sounds += [(_CONSONANTS[letter], False), (_INHERENT, True)]
        elif letter in _VOWELS:
            sounds.append((_VOWELS[letter], True))
        elif letter in _NASALS:
            sounds.append((_NASALS[letter], False))
        elif letter in _SIGNS or letter == _SILENT:
            if not sounds or sounds[-1][0] != _INHERENT:
                return None
            sounds.pop()
            if letter in _SIGNS:
                sounds.append((_SIGNS[letter], True))
        else:
            return None
    return sounds


def _without_silent(sounds: list[Sound]) -> list[Sound]:
    kept = list(sounds)
    if len(kept) > 2 and kept[-1][0] == _INHERENT:
        kept.pop()
    place = len(kept) - 3
    while place >= 2:
        around = [kept[i][1] for i in (place - 2, place - 1, place + 1, place + 2)]
        if kept[place][0] == _INHERENT and around == [True, False, False, True]:
            del kept[place]
        place -= 1
    return kept
