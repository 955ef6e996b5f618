"""Things that lines name, and sentences in which a thing is named again."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from agents.output_guard.coherence import tidy
from agents.speech.together import pattern_of
from agents.text.languages import Register
from bazaarbatna.lazily import lazily
from bazaarbatna.word_tables import read_table

NOUN = "<noun>"
NOUNS = Path(__file__).with_name("nouns.toml")
SCENES = Path(__file__).with_name("scenes.toml")
GOODS = Path(__file__).with_name("goods.toml")
VAGUE = frozenset(
    {"sound", "wood", "glass", "cloth", "fabric", "shop", "power", "room", "music", "bead"}
)  # fmt: skip
"""Things that a line names for many reasons: in talk of no kind they are not echoed."""
_BEFORE = ("to", "can", "cant", "cannot", "canot", "vill", "ill", "i", "they", "in", "next", "last")
"""Behind these a word names no thing: "cannot stand", "in case", "next door"."""
_HEADS = "mat|mats|cloth|holder|tray|cable|port|pin|strap|guard"
"""Things of no name of their own here, of which another word tells what they are for."""
_ALL = r"(?!(?<= sari) (?:dun\w+|chij\w*|bat\w*|rat|um\w+|jindagi|mehnat|din|photo\w*|jagah) )"
"""Before these "saari" is all of them, and nothing to wear."""
_OTHERWISE = "".join(f"(?<! {word} )" for word in _BEFORE)


Names = dict[str, tuple[str, str, str]]


@lazily
def nouns() -> Names:
    """Read what goods have and stories tell of: in Hinglish, in Hindi, and the words for it."""
    return read_table(NOUNS, Names) | read_table(SCENES, Names)


def _forms_of(names: Names) -> dict[str, str]:
    return {
        pattern_of(form).replace("\\", ""): name
        for name, (_, _, forms) in names.items()
        for form in forms.split()
    }


_forms = lazily(lambda: _forms_of(read_table(NOUNS, Names)))
_scenes = lazily(lambda: _forms_of(read_table(SCENES, Names)))


@lazily
def _any_form() -> re.Pattern[str]:
    forms = "|".join(sorted(map(re.escape, _forms()), key=len, reverse=True))
    # "lohe ke dibbe", "table mat": what only owns or begins a thing is not what is named.
    owns = rf"(?! (?:k[aei] )?(?:{forms}|{_HEADS}) )"
    return re.compile(rf"{_OTHERWISE}(?<= )(?:{forms})(?= ){owns}{_ALL}")


def noun_of(words: str) -> str:
    """Name the first thing of words in the spelling of `same`; "" where there is none.

    >>> noun_of(" the rear tyre is vorn "), noun_of(" i canot stand it "), noun_of(" sari bat ")
    ('rear tyre', '', '')
    """
    return next(nouns_of(words), "")


def nouns_of(words: str) -> Iterator[str]:
    """Name all things of words in the spelling of `same`."""
    return (_forms()[found[0]] for found in _any_form().finditer(words))


def scene_of(words: str) -> str:
    """Name who or what of a story is in words in the spelling of `same`; "" for none."""
    return next((_scenes()[word] for word in words.split() if word in _scenes()), "")


def named(says: Iterable[str], thing: str, language: Register) -> list[str]:
    """Return the sentences that name a thing, with its name; none where there is no thing."""
    if not thing:
        return []
    hinglish, hindi, _ = nouns()[thing]
    name = {"english": thing, "hinglish": hinglish, "hindi": hindi}[language]
    filled = (one.replace(NOUN, name) for one in says if NOUN in one)
    return [one[:1].upper() + one[1:] for one in filled]


_TITLES = read_table(Path(__file__).with_name("titles.toml"), dict[str, str])
_COLOUR, _PARTS = (re.compile(_TITLES[name], re.IGNORECASE) for name in ("colour", "parts"))
"""What of a thing there is so much of, said behind it."""
_QUALITIES = frozenset(_TITLES["qualities"].split())
"""Words that tell how a thing is, and never which: "almirah steel ki", "cooler purana"."""
_MEASURE = re.compile(r"\s\d[\d.,]*\s?(?:W|V|GB|TB|L|l|litres?|kg|g|ml|inch|cm|mm|cc|ton|Ah)$")
_TAIL = re.compile(
    r"\s*[,(|:;+&\u2013\u2014].*|\s-\s.*|\s(?:with|for|in|by|of|from|and|on|aur|incl\w*)\s.*"
    r"|\s\S+ ke saa?th\b.*"
)
_COUNTED = re.compile(
    r"(?: \d+(?:[.x]\d+)*(?:gb|tb)?)? \d{1,3}(?:[.x]\d+)* [a-z]{2,}(?: pair| set)?$"
)
"""What is counted or measured behind a thing: "ps4 2 controller", "aquarium 3 feet"."""


def thing_of(title: str) -> str:
    """Name a thing as people do in talk, from its listing's title; "" if that cannot be done.

    >>> thing_of("Brass hanging lamp with chain"), thing_of("Canon EOS 1500D with lens")
    ('lamp', 'Canon EOS 1500D')
    >>> thing_of("Almirah steel ki purani"), thing_of("Usha cooler purana"), thing_of("purani")
    ('Almirah', 'cooler', '')
    >>> thing_of("Maruti Alto 800 LXI"), thing_of("iPhone 11 64GB black")
    ('Maruti Alto 800 LXI', 'iPhone 11')
    >>> thing_of("Aquarium 3 feet with 9 fish"), thing_of("study table + chair")
    ('Aquarium', 'table')
    >>> thing_of("Violin 4/4 Kolkata made with hard case"), thing_of("Diwan 6x4 storage ke saath")
    ('violin', 'Diwan')
    >>> [thing_of(title) for title in ("ac remote", "guitar strap", "Sewing machine motor")]
    ['remote', 'strap', 'motor']
    >>> thing_of("Samsung A34 5G 8/128 violet"), thing_of("पीतल का सिंहासन लड्डू गोपाल जी का")
    ('Samsung A34 5G', 'सिंहासन')
    """
    short = _TAIL.sub("", re.sub(r"^(?:Pair|Set|Box) of (?:\w+ )?(?=[A-Za-z])", "", tidy(title)))
    short = _without_qualities(_COUNTED.sub("", _without_qualities(short)))
    words = _without_qualities(_MEASURE.sub("", _COLOUR.sub("", _PARTS.sub("", short)))).split()
    if not words or all(word.lower() in _QUALITIES for word in words):
        return ""
    last = words[-1].strip("'\"")
    # A name of its own ("Alto LXI") is no kind of thing.
    is_kind = last.isalpha() and len(last) > 2 and last.islower()
    places = [at for at, word in enumerate(words) if _known(word)]
    known = _known(words[places[-1]]) if places else ""
    # "ac remote": the unknown thing behind a known one is what is sold.
    is_owner = is_kind and places[-1:] == [len(words) - 2]
    # "चाँदी के कंगन": what is named is several, and bends.
    if known and (is_kind or not last.isascii()) and "के" not in words and not is_owner:
        return known
    behind_figures = len(words) > 1 and _FIGURES.fullmatch(words[-2]) is not None
    if is_kind and not behind_figures:
        return last
    words = words[: len(words) - is_kind]
    while words and _SIZE.fullmatch(words[-1]):
        words.pop()
    short = " ".join(words)
    return short if len(short) <= 24 else known


def _known(word: str) -> str:
    """Return a word as goods are named, where it names one; "a pair" does not."""
    word = word.strip("'\"")
    is_there = _plain(word) in _in_hindi() or word.lower() in goods().keys() - _SEVERAL
    return word.lower() if is_there else ""


@lazily
def goods() -> dict[str, str]:
    """Read the goods that titles name, and how Hindi writes each."""
    return read_table(GOODS, dict[str, str])


def goods_in(language: Register, name: str) -> str:
    """Return what goods are called in a language, where the table has them; the name itself else.

    >>> goods_in("hindi", "almirah"), goods_in("hindi", "Alto 800")
    ('अलमारी', 'Alto 800')
    >>> goods_in("english", "आलमारी"), goods_in("english", "टेबल"), goods_in("hindi", "table")
    ('almirah', 'table', 'मेज़')
    """
    if language == "hindi":
        return goods().get(name.lower(), name).split("|")[0]
    return _in_hindi().get(_plain(name), name)


@lazily
def _in_hindi() -> dict[str, str]:
    """Return the shortest name in Latin letters of what goods are called in Hindi."""
    names = sorted(sorted(goods().keys() - _SEVERAL, reverse=True), key=len, reverse=True)
    return {_plain(hindi): name for name in names for hindi in goods()[name].split("|")}


def _plain(word: str) -> str:
    return word.replace("\N{DEVANAGARI SIGN NUKTA}", "")


_SEVERAL = {"pair", "set", "kit", "jodi"}
_SIZE = re.compile(r"\d+[/x]\d+")
_FIGURES = re.compile(r"\d[\d./x]*(?:gb|tb)?", re.IGNORECASE)
"""What stands in a title between a name and how the thing is: "8/128 violet"."""


def _without_qualities(name: str) -> str:
    words = name.split()
    while words and words[-1].lower() in _QUALITIES:
        words.pop()
    return " ".join(words)
