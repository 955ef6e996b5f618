"""What a seller can say of the listing: its name, words of its description, answers from it."""

import re
from collections.abc import Iterable, Iterator, Sequence
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
from negotiation.catalogue.stock import text_in


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one asks for a thing, and how a listing tells it.

    ``of_all``: of the whole thing; who names a part asks for that.
    """

    asks: str
    tells: str
    of_all: bool = False


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


FACTS_SHORTEST, FACTS_LONGEST = 8, 64

_FACTS_CUTS = re.compile(r"[.;!?।\n]+\s*|,\s+|\s+[-\u2013\u2014]\s+|\s(?:but|aur|lekin|par)\s")
_TITLE_CUTS = re.compile(r",\s+")


def _sounding(words: Iterable[str]) -> frozenset[str]:
    """Write words as they sound: शीशम, sheesham."""
    return frozenset(map(sound, words))


_SUBJECTS = tuple(_sounding(word_set(words)) for words in _WORDS.subjects)
_KINDS = tuple(
    (re.compile(one.asks, re.IGNORECASE), re.compile(one.tells, re.IGNORECASE), one.of_all)
    for one in _WORDS.kinds
)

_WHOLE = _sounding(
    word_set(
        "condition halat kaisa kaisi kaise about details baare batao tell describe kharab fault "
        "good special haal"
    )
)

_BESIDE = re.compile(r"[?,;]\s|\b(?:and|aur)\b|और")
"""What is asked side by side."""

LEAST_TELLING = 3
"""Letters of a word that may say what is meant."""

_SAYS_NOTHING = _sounding(
    word_set(
        f"{_WORDS.weak} {_COMMON} {_JOINING} you she our its these those are was were been does did"
        " has had can could may might must not yes all too now out new two off one still really"
        " even hai kya"
        " koi kuch yeh ye aap main mujhe mera tum bhi tha thi"
    )
)


def fact_of(item: Item, question: str, language: Register = "english") -> str:
    """Return what the listing says to a question; "" where it says nothing of it.

    >>> kettle = Item("Kettle", condition="Boils in a minute, the bill is with me. Lid has a dent.")
    >>> fact_of(kettle, "bill hai kya?"), fact_of(kettle, "any warranty?")
    ('the bill is with me', '')
    >>> fact_of(kettle, "how is the lid?")
    'Lid has a dent'

    Who speaks Hindi hears what the seller wrote in Hindi; what was written in Hinglish is also
    looked for in its English form.
    """
    hindi = text_in("hi", item.condition) if language == "hindi" else None
    texts = (hindi, item.condition, text_in("en", item.condition))
    told = (msgspec.structs.replace(item, condition=one) for one in texts if one is not None)
    return next(filter(None, (_fact_in(one, question) for one in told)), "")


def facts_of(item: Item, question: str, language: Register = "english") -> tuple[str, ...]:
    """Return what the listing says to a question, or to each of two put side by side.

    >>> bike = Item("Hero Splendor, 2023, 9,000 km", condition="Both keys there.")
    >>> facts_of(bike, "which year, and how many km?"), facts_of(bike, "which year?")
    (('2023', '9,000 km'), ('2023',))
    """
    parts = _BESIDE.split(question)
    told = dict.fromkeys(fact for one in parts if (fact := fact_of(item, one, language)))
    facts = tuple(told)[:2] if len(told) > 1 else (fact_of(item, question, language),)
    return tuple(filter(None, facts))


def quoted_facts(item: Item, question: str, language: Register = "english") -> str:
    """Join what `facts_of` finds for one pair of quotation marks; "" where it finds nothing."""
    return "”, “".join(facts_of(item, question, language))


def _fact_in(item: Item, question: str) -> str:
    asked = _words(question)
    short, pieces = tuple(_short_pieces(item)), tuple(_pieces(item))
    # What every question of this thing may name ("the table") tells nothing of what is meant.
    named = _words(f"{item.title} {item.category}") | _SAYS_NOTHING
    own = _telling(question) - named
    near = max(pieces, key=lambda piece: len(own & _words(piece)), default="")
    shared = len(own & _words(near))
    if shared > 1:
        return near
    for asks, tells, of_all in _KINDS:
        if not asks.search(question):
            continue
        told = list(filter(tells.search, short))
        if of_all and (part := _telling(asks.sub(" ", question)) - named):
            told = [piece for piece in told if part & _words(piece)]
        if told:
            # Of a part that the listing names ("when were the tyres changed?") that part is meant.
            of_part = filter(lambda piece: own & _words(piece), (*told, near) if shared else told)
            return next(of_part, told[0])
    for piece in (*pieces, *_quotable(_TITLE_CUTS.split(tidy(item.title))[:1]), *short):
        told_of = _words(piece)
        if any(asked & subject and told_of & subject for subject in _SUBJECTS):
            return piece
    if shared and (_NUMBER.search(near) or not _COUNTS.search(question)):
        return near
    is_of_all = asked & _WHOLE and not own - _WHOLE and not _names_a_subject(asked)
    return pieces[0] if pieces and is_of_all else ""


_COUNTS = re.compile(r"\bhow (?:long|much|many|far|often)\b|\bkitn[aeio]\b|कितन", re.IGNORECASE)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|ten|half|full|ek|do|teen|chaar|paanch|poor[aei]|aadh[aei]"
    r"|year|month|week|day|hour|minute|saal|mahin\w*|ghant\w*|din)s?\b",
    re.IGNORECASE,
)
"""How much there is of something, or for how long."""


def _telling(text: str) -> frozenset[str]:
    return frozenset(word for word in _words(text) if len(word) >= LEAST_TELLING)


def _names_a_subject(words: frozenset[str]) -> bool:
    return any(words & subject for subject in _SUBJECTS)


def _words(text: str) -> frozenset[str]:
    return _sounding(piece.text for piece in to_text(text).pieces)


def _pieces(item: Item) -> Iterator[str]:
    for piece in _FACTS_CUTS.split(tidy(item.condition[:READ_AT_MOST])):
        # What is too long to be quoted is two things, often.
        yield from _quotable((piece,) if len(piece) <= FACTS_LONGEST else piece.split(" and "))
    yield from _quotable(_TITLE_CUTS.split(tidy(item.title))[1:])


def _short_pieces(item: Item) -> Iterator[str]:
    """Return the pieces of text and title, a lone year too."""
    described = _FACTS_CUTS.split(tidy(item.condition[:READ_AT_MOST]))
    for piece in (one.strip() for one in (*described, *_TITLE_CUTS.split(tidy(item.title)))):
        if len(piece) <= FACTS_LONGEST and is_plain(piece) and topic_of(piece) != "rules":
            yield piece


def _quotable(pieces: Iterable[str]) -> Iterator[str]:
    for piece in (one.strip() for one in pieces):
        fits = FACTS_SHORTEST <= len(piece) <= FACTS_LONGEST and " " in piece
        if fits and is_plain(piece) and topic_of(piece) != "rules":
            yield piece
