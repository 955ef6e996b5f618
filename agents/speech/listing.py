"""What a seller can say of the listing: its name, words of its description, answers from it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from agents.output_guard.coherence import is_plain, sayable, tidy
from agents.output_guard.secrets import amounts_in
from agents.text.languages import Register
from agents.text.reading.pieces import to_text
from agents.text.reading.spelling import word_set
from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.scenario import Item
from bazaarbatna.number_words import sound
from bazaarbatna.word_tables import read_table
from negotiation.catalogue.stock import text_in, title_in


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one asks for a property, and how a listing tells it.

    ``of_all``: of the whole thing; who names a part asks for that. ``name``: what it is called, for
    who hears that it is not told.
    """

    asks: str
    tells: str
    of_all: bool = False
    name: dict[Register, str] = {}


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of ``listing.toml``; ``weak`` ones say nothing of what is meant."""

    weak: str
    subjects: tuple[str, ...]
    topics: dict[str, str]
    kinds: tuple[Asked, ...]


_WORDS = read_table(Path(__file__).with_name("listing.toml"), Table)
TOPICS = tuple(_WORDS.topics.items())
_TABLE = tuple((topic, re.compile(pattern)) for topic, pattern in TOPICS)


def topic_of(text: str) -> str:
    """Name what a buyer's line is about; ``talk`` when it is about nothing in the table.

    >>> topic_of("kitna kam karoge?"), topic_of("it is cheaper on OLX")
    ('secret', 'cheaper')
    """
    plain = text[:READ_AT_MOST].lower()
    return next((topic for topic, pattern in _TABLE if pattern.search(plain)), "talk")


def last_words(turns: Sequence[Turn]) -> str:
    """Return the text of the last turn if the buyer spoke in it, else nothing."""
    return turns[-1].text if turns and turns[-1].actor == "buyer" else ""


SHORTEST, LONGEST = 12, 64

READ_AT_MOST = 600

_CUTS = re.compile(r"[.;:!?\n]+\s*|,\s+|\s+[-\u2013\u2014]\s+")
_QUOTABLE = re.compile(r"[^\W\d_](?:[^\W\d_]|[ '’-])*[^\W\d_]\Z")
_WITH = re.compile(r"\s(?:with|on|for|in|from|by)\s")
_JOINING = "and but or so if the a with for of to aur par lekin toh ki ka ke jo"
_HANGING = frozenset(_JOINING.split())
_WORD = re.compile(r"[^\W\d_]{4,}")
_COMMON = (
    "this that with from have been only very good also they them your yours mine will would could "
    "what when where which there here than then just like more less much some good aapka hain "
    "nahi bhi wala wali piece price rate please offer"
)
_EMPTY = frozenset(_COMMON.split())


def name_of(item: Item, fallback: str) -> str:
    """Return the item's title as it can be said in a sentence, else the fallback.

    >>> name_of(Item("Folding high chair with tray, green"), "piece")
    'Folding high chair'
    """
    title = sayable(item.title)
    short = _WITH.split(title, maxsplit=1)[0]
    return (short if " " in short else title) or fallback


def details(item: Item) -> tuple[str, ...]:
    """Cut the description into pieces that can be quoted: plain words, no number, no orders.

    >>> details(Item("Fan", condition="Runs quietly at all speeds, one blade was bent in 2019."))
    ('Runs quietly at all speeds',)
    """
    pieces = (piece.strip() for piece in _CUTS.split(tidy(item.condition[:READ_AT_MOST])))
    return tuple(dict.fromkeys(piece for piece in pieces if _is_quotable(piece)))


def _telling_words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower())) - _EMPTY


def is_anchored(text: str, item: Item) -> bool:
    """Whether a message speaks of this listing: a word of its title, or two of its description."""
    said = _telling_words(text)
    named = _telling_words(f"{item.title} {item.category}")
    return bool(said & named) or len(said & _telling_words(item.condition)) > 1


def _is_quotable(piece: str) -> bool:
    words = piece.lower().split()
    return (
        SHORTEST <= len(piece) <= LONGEST
        and len(words) > 1
        and words[0] not in _HANGING
        and words[-1] not in _HANGING
        and _QUOTABLE.match(piece) is not None
        and is_plain(piece)
        and not amounts_in(piece)
        and topic_of(piece) != "rules"
    )


FACTS_SHORTEST, FACTS_LONGEST = 6, 90

_FACTS_CUTS = re.compile(
    r"[.;!?।:\n]+\s+|[.;!?।\n]+$|,\s+|\s+[-\u2013\u2014]\s+"
    r"|\s(?:but|aur|lekin|और|लेकिन)\s|(?:(?<=hai)|(?<=है))\s(?:par|पर)\s"
)
_TITLE_CUTS = re.compile(r",\s+|\s(?=(?:with|from|in)\s)")
_SENTENCES = re.compile(r"[.!?।]+(?:\s+|$)")


def _sounding(words: Iterable[str]) -> frozenset[str]:
    """Write words as they sound, without the ending of several: शीशम, sheesham; tyres, tyre."""
    return frozenset(_ENDING.sub("", sound(word)) for word in words)


_ENDING = re.compile(r"(?<=\w{3})(?<![su])s$|(?<=\w{3}i)(?:yan?|yo)n?$|(?<=\w{4})(?:o|e)n$")

_SUBJECTS = tuple(_sounding(word_set(words)) for words in _WORDS.subjects)
_KINDS = tuple(
    (re.compile(one.asks, re.IGNORECASE), re.compile(one.tells, re.IGNORECASE), one)
    for one in _WORDS.kinds
)

_WHOLE = _sounding(
    word_set(
        "condition halat kaisa kaisi kaise details baare batao tell describe kharab fault "
        "good special haal"
    )
)

_BESIDE = re.compile(
    r"[?;]\s|\b(?:and|aur)\b|और"
    r"|,\s(?=(?:is|are|does|do|what|which|how|any|kya|kitn|koi|kaun|क्या|कितन|कौन|कोई))"
)
"""What is asked side by side."""

LEAST_TELLING = 3
"""Letters of a word that may say what is meant."""

SAYS_NOTHING = _sounding(
    word_set(
        f"{_WORDS.weak} {_COMMON} {_JOINING} you she our its these those are was were been does did"
        " has had can could may might must not yes all too now out new two off one still really"
        " even hai kya"
        " koi kuch yeh ye aap main mujhe mera tum bhi tha thi"
    )
)
"""Words that tell nothing of what is asked."""
TWO_WORDS, BY_KIND, BY_SUBJECT, ONE_WORD, AS_A_WHOLE, UNTOLD = range(6)
"""How a clause was found, the surest first."""


class Found(msgspec.Struct, frozen=True):
    """What the listing says to a question: ``by`` how it was found, and the words; "" for none.

    ``is_near``: of what was asked it tells of a word alone; ``missing``: a property that was asked
    and is not told; ``is_whole``: all but a word of what was asked is in the clause.
    """

    by: int = UNTOLD
    text: str = ""
    is_near: bool = False
    missing: str = ""
    is_whole: bool = False


def fact_of(item: Item, question: str, language: Register = "english") -> str:
    """Return what the listing says to a question; "" where it says nothing of it.

    >>> kettle = Item("Kettle", condition="Boils in a minute, the bill is with me. Lid has a dent.")
    >>> fact_of(kettle, "bill hai kya?"), fact_of(kettle, "any warranty?")
    ('the bill is with me', '')
    >>> fact_of(kettle, "how is the lid?")
    'Lid has a dent'

    The listing is searched in every language in which it is told, and quoted in the asker's own.
    """
    return found_in(item, question, language).text


@lru_cache(maxsize=2048)
def found_in(item: Item, question: str, language: Register = "english") -> Found:
    """Find what `fact_of` says, and how sure it is that this was asked.

    >>> camera = Item("Camera", condition="Light meter reads high, lens is clear.")
    >>> found_in(camera, "have the light seals been replaced?").is_near
    True
    """
    own, *others = tellings(item, language)
    found = [(_fact_in(told, question), told) for told in (own, *others)]
    best, told = min(found, key=lambda one: one[0].by)
    best = msgspec.structs.replace(best, text=_in_words_of(best.text, told, own))
    clauses = [one.text for one, _ in found if one.text]
    missing = "" if best.by == BY_KIND else _missing(question, language, clauses)
    # Who named it already asks for more.
    clause = _words(best.text)
    beside = _terms(_telling(question) - SAYS_NOTHING) - _terms(clause)
    is_known = bool(clause) and clause <= _words(question) and len(beside) >= MANY_OTHERS
    is_near = best.is_near or (is_known and not _EITHER.search(question))
    return Found(best.by, best.text, is_near, missing, bool(clause) and len(beside) <= 1)


def _missing(question: str, language: Register, clauses: Sequence[str]) -> str:
    """Name the property that is asked and that no clause tells; "" where there is none."""
    asked = [
        (found, tells, kind) for asks, tells, kind in _KINDS if (found := asks.search(question))
    ]
    for found, tells, _ in asked:
        words = _terms(_telling(found[0]) - SAYS_NOTHING)
        if any(tells.search(one) or words & _terms(_words(one)) for one in clauses):
            return ""
    return next((kind.name[language] for *_, kind in asked if kind.name), "")


_EITHER = re.compile(r"\b(?:or|ya|not)\b|\bया\b", re.IGNORECASE)
"""Who asks which of two names the one that is told."""
_CODES: dict[Register, str] = {"english": "en", "hinglish": "hinglish", "hindi": "hi"}


def tellings(item: Item, language: Register) -> list[Item]:
    """Return the listing as it is told in the asker's language, as written, and in the others."""
    codes = (_CODES[language], *(code for code in _CODES.values() if code != _CODES[language]))
    told = {code: text_in(code, item.condition) for code in codes}
    titles = {code: title_in(code, item.title) or item.title for code in codes}
    first, *others = (
        msgspec.structs.replace(item, condition=told[code] or item.condition, title=titles[code])
        for code in codes
    )
    return [first, *(one for one in (item, *others) if one != first)]


def _in_words_of(piece: str, told: Item, own: Item) -> str:
    """Return a clause of one telling as another one has it; the clause itself where none does."""
    for text, other, cuts in (
        (told.condition, own.condition, _FACTS_CUTS), (told.title, own.title, _TITLE_CUTS),
    ):  # fmt: skip
        there, here = (
            [one for one in _SENTENCES.split(tidy(words)) if one] for words in (text, other)
        )
        if not piece or len(there) != len(here):
            continue
        for sentence, same in zip(there, here, strict=True):
            if piece in sentence:
                parts, own_parts = cuts.split(sentence), cuts.split(same)
                at = next((place for place, one in enumerate(parts) if piece in one), None)
                is_same = at is not None and len(parts) == len(own_parts)
                said = own_parts[at].strip() if is_same and at is not None else same
                return said if len(said) <= 2 * FACTS_LONGEST else piece
    return piece


def facts_of(item: Item, question: str, language: Register = "english") -> tuple[str, ...]:
    """Return what the listing says to a question, or to each of two put side by side.

    >>> bike = Item("Hero Splendor, 2023, 9,000 km", condition="Both keys there.")
    >>> facts_of(bike, "which year, and how many km?"), facts_of(bike, "which year?")
    (('2023', '9,000 km'), ('2023',))
    """
    parts = _BESIDE.split(question)
    every = dict.fromkeys(fact for one in parts if (fact := fact_of(item, one, language)))
    told = [one for one in every if not any(one in other for other in every if other != one)]
    facts = tuple(told)[:2] if len(told) > 1 else (fact_of(item, question, language),)
    return tuple(filter(None, facts))


def _fact_in(item: Item, question: str) -> Found:
    asked = _words(question)
    short, pieces = tuple(_short_pieces(item)), tuple(_pieces(item))
    # What every question of this thing may name ("the table") tells nothing of what is meant.
    named = _words(f"{_TITLE_CUTS.split(tidy(item.title))[0]} {item.category}") | SAYS_NOTHING
    own = _terms(_telling(question) - named)
    whole = (*pieces, *_quotable(_SENTENCES.split(tidy(item.condition))))
    near = max(whole, key=lambda piece: len(own & _terms(_words(piece))), default="")
    shared = len(own & _terms(_words(near)))
    if shared > 1:
        return Found(TWO_WORDS, near)
    for asks, tells, kind in _KINDS:
        if not asks.search(question):
            continue
        # A measure or a colour is the title's first, what is wrong with it the text's.
        told = list(filter(tells.search, short if kind.of_all else _titles_first(item, short)))
        part = _terms(_telling(asks.sub(" ", question)) - named)
        if kind.of_all and part:
            told = [piece for piece in told if part & _terms(_words(piece))]
        if told:
            # Of a part that the listing names ("when were the tyres changed?") that part is meant.
            there = (*told, near) if shared else told
            beside = frozenset[str]() if kind.of_all or not shared else own
            piece = _nearest(there, part, beside, asked - SAYS_NOTHING)
            many = len(part - _terms(_words(piece))) > MANY_OTHERS
            return Found(BY_KIND, piece, many and not _NUMBER.search(piece))
    is_near = len(own) - 1 >= MANY_OTHERS
    unnamed = asked - _words(_TITLE_CUTS.split(tidy(item.title))[0])
    for piece in (*pieces, *_quotable((_title_of(item),)), *short):
        told_of = _words(piece)
        if any(unnamed & subject and told_of & subject for subject in _SUBJECTS):
            return Found(BY_SUBJECT, piece, is_near)
    if shared and (_NUMBER.search(near) or not _COUNTS.search(question)):
        return Found(ONE_WORD, near, is_near)
    is_of_all = asked & _WHOLE and not own - _terms(_WHOLE) and not _names_a_subject(asked)
    return Found(AS_A_WHOLE, pieces[0]) if pieces and is_of_all else Found()


MANY_OTHERS = 2
"""Beside so many other telling words the one that is told may not be what was asked."""


_COUNTS = re.compile(r"\bhow (?:long|much|many|far|often)\b|\bkitn[aeio]\b|कितन", re.IGNORECASE)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|ten|half|full|ek|do|teen|chaar|paanch|poor[aei]|aadh[aei]"
    r"|year|month|week|day|hour|minute|saal|mahin\w*|ghant\w*|din)s?\b",
    re.IGNORECASE,
)
"""How much there is of something, or for how long."""


def _telling(text: str) -> frozenset[str]:
    return frozenset(word for word in _words(text) if len(word) >= LEAST_TELLING)


@lru_cache(maxsize=8192)
def _terms(words: frozenset[str]) -> frozenset[str]:
    """Write words of one subject as that subject: box and dibba are one."""
    at = [(str(place), words & subject) for place, subject in enumerate(_SUBJECTS)]
    return words.difference(*(one for _, one in at)) | {place for place, there in at if there}


def _names_a_subject(words: frozenset[str]) -> bool:
    return any(words & subject for subject in _SUBJECTS)


@lru_cache(maxsize=8192)
def _words(text: str) -> frozenset[str]:
    return _sounding(piece.text for piece in to_text(text).pieces)


def _nearest(pieces: Iterable[str], *of: frozenset[str]) -> str:
    """Return the piece of the part that is asked of, then the one with most of the words."""
    *parts, asked = of
    return max(
        pieces,
        key=lambda one: (
            *(bool(part & _terms(_words(one))) for part in parts), len(asked & _words(one)),
        ),
    )  # fmt: skip


def _titles_first(item: Item, pieces: Iterable[str]) -> list[str]:
    return sorted(pieces, key=lambda piece: piece not in item.title)


def _title_of(item: Item) -> str:
    return tidy(item.title).split(", ")[0]


def _pieces(item: Item) -> Iterator[str]:
    for piece in _FACTS_CUTS.split(tidy(item.condition[:READ_AT_MOST])):
        # What is too long to be quoted is two things, often.
        yield from _quotable((piece,) if len(piece) <= FACTS_LONGEST else piece.split(" and "))
    yield from _quotable(_TITLE_CUTS.split(tidy(item.title))[1:])


def _short_pieces(item: Item) -> Iterator[str]:
    """Return the pieces of text and title, a lone year too; the name itself comes last."""
    described = _FACTS_CUTS.split(tidy(item.condition[:READ_AT_MOST]))
    name, *told = _TITLE_CUTS.split(tidy(item.title))
    for piece in (one.strip() for one in (*described, *told, name)):
        if 1 < len(piece) <= FACTS_LONGEST and is_plain(piece) and topic_of(piece) != "rules":
            yield piece


def _quotable(pieces: Iterable[str]) -> Iterator[str]:
    for piece in (one.strip() for one in pieces):
        fits = FACTS_SHORTEST <= len(piece) <= FACTS_LONGEST and " " in piece
        if fits and is_plain(piece) and topic_of(piece) != "rules":
            yield piece
