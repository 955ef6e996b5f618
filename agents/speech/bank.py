"""Sauda's lines: exchanges written by hand, prices in slots, and which of them fit a turn."""

import hashlib
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeVar, get_args

import msgspec

from agents.text.acts.acts import Act
from agents.text.languages import Register
from bazaarbatna.lazily import lazily
from bazaarbatna.word_tables import read_patterns
from negotiation.catalogue.stock import DATA, read_shelf
from negotiation.plans import MoveName

CORPUS = Path(__file__).parent / "corpus"
WARNINGS = CORPUS / "warnings" / "warnings.jsonl"

ANY_GOODS = "any"
BID, LAST, ASK, ITEM = "<bid>", "<last>", "<ask>", "<item>"
"""Slots: her new bid, her standing bid, the seller's price, the thing in a word or two."""
SCORE = "<score>"
"""Slot: which of the two gave way more often so far."""
SLOTS = (BID, LAST, ASK, ITEM, SCORE)
SLOT = re.compile("<[a-z]+>")
OR = "|"

HELD_OUT = 10
"""One exchange in so many measures voices: none of them speaks it or learns from it."""


class Exchange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One exchange: what she had said ``before``, what the seller ``said``, and her ``line``.

    ``speaks_to`` lists what of the ``heard`` acts her line answers, questions first; ``needs``
    words that the seller must have used ("why|how come": one is enough); ``promise``: a step for a
    step; ``final``: her last word; ``asks``: it asks for a price.
    """

    language: Register
    goods: str
    before: str
    said: str
    heard: tuple[Act, ...]
    speaks_to: tuple[Act, ...]
    move: MoveName
    promise: bool
    final: bool
    needs: tuple[str, ...]
    line: str
    asks: bool = False


class UnreadableCorpus(ValueError):
    """A file of the corpus is not what it should be."""


Kind = TypeVar("Kind", bound=Exchange)


def read_exchanges(path: Path, kind: type[Kind]) -> Iterator[Kind]:
    """Read a file of exchanges; raises UnreadableCorpus, naming the file and the line."""
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            yield msgspec.json.decode(line, type=kind)
        except msgspec.DecodeError as wrong:
            raise UnreadableCorpus(f"{path.name}, line {number}: {wrong}") from wrong


@cache
def corpus() -> tuple[Exchange, ...]:
    """Read the whole corpus, once for each process."""
    return tuple(
        one for path in sorted(CORPUS.glob("*.jsonl")) for one in read_exchanges(path, Exchange)
    )


@cache
def is_held_out(exchange: Exchange) -> bool:
    """Whether an exchange is kept for measuring; its own words decide, not its place."""
    digest = hashlib.sha256(msgspec.json.encode(exchange)).digest()
    return int.from_bytes(digest[:4]) % HELD_OUT == 0


@cache
def pool(language: Register, move: MoveName) -> tuple[Exchange, ...]:
    """Return the exchanges of a language that go with a move; those held out are not said."""
    return tuple(
        one
        for one in corpus()
        if one.language == language and one.move == move and not is_held_out(one)
    )


@cache
def warnings(language: Register, move: MoveName) -> tuple[Exchange, ...]:
    """Return what she says before she leaves, with a bid: all of it is said, nothing held out."""
    return tuple(
        one
        for one in read_exchanges(WARNINGS, Exchange)
        if one.language == language and one.move == move
    )


@cache
def is_spoken(language: Register) -> bool:
    """Whether a language has words for every move: half a game in another script is worse."""
    return all(pool(language, move) for move in get_args(MoveName))


@cache
def shelves() -> dict[str, str]:
    """Return the name of the catalogue's file for each category."""
    return {read_shelf(path).category: path.stem for path in sorted(DATA.glob("*.toml"))}


@cache
def look(name: str) -> re.Pattern[str]:
    """Return a pattern of words (looks.toml)."""
    return re.compile("|".join(_looks()[name]), re.IGNORECASE)


@lazily
def _looks() -> dict[str, tuple[str, ...]]:
    return read_patterns(Path(__file__).with_name("looks.toml"))


def is_said(line: str, texts: Iterable[str]) -> bool:
    """Whether one of some texts has a line in it, whatever stands in its slots.

    >>> is_said("For the <item> I say <bid>.", ["Hm. For the lamp I say 900."])
    True
    """
    longest = _longest_of(line)
    return any(longest in text for text in texts)


@lru_cache(maxsize=8192)
def _longest_of(line: str) -> str:
    return max(SLOT.split(line), key=len)


NUKTA, NASAL = "\u093c", ("\u0901", "\u0902")
_WORDS = re.compile(r"[a-z\u0900-\u097f]+")

Weights = dict[str, float]


@lru_cache(maxsize=4096)
def spelt(text: str) -> str:
    """Spell Hindi as phones do: with or without dots below, any sign for a nasal vowel.

    >>> spelt("ज़रा हूँ") == spelt("जरा हूं")
    True
    """
    apart = unicodedata.normalize("NFD", text.lower())
    return unicodedata.normalize("NFC", apart.replace(NUKTA, "").replace(*NASAL))


def likeness(text: str, language: Register) -> dict[str, float]:
    """Return how like a line is to each that exchanges answer, 0..1: cosine of tf-idf words."""
    known = _weights(text, language)
    near: dict[str, float] = {}
    for word, weight in known.items():
        for said, other in _said(language).get(word, ()):
            near[said] = near.get(said, 0.0) + weight * other
    return near


def _weights(text: str, language: Register) -> Weights:
    rarity = _rarity(language)
    words = {word: rarity.get(word, 0.0) for word in _WORDS.findall(spelt(text))}
    length = math.sqrt(sum(value * value for value in words.values()))
    return {word: value / length for word, value in words.items() if value} if length else {}


@cache
def _rarity(language: Register) -> Weights:
    lines = {one.said for one in corpus() if one.language == language and one.said}
    count = Counter(word for line in lines for word in set(_WORDS.findall(spelt(line))))
    return {word: math.log(len(lines) / number) for word, number in count.items()}


@cache
def _said(language: Register) -> dict[str, list[tuple[str, float]]]:
    found: dict[str, list[tuple[str, float]]] = {}
    for line in sorted({one.said for one in corpus() if one.language == language}):
        for word, weight in _weights(line, language).items():
            found.setdefault(word, []).append((line, weight))
    return found
