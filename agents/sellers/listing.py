"""What a seller can say of the listing: its name, words of its description, answers from it."""

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from agents.output_guard.coherence import is_plain, sayable, tidy
from agents.output_guard.secrets import amounts_in
from agents.text.reading.pieces import to_text
from agents.text.reading.spelling import word_set
from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.scenario import Item
from bazaarbatna.number_words import sound
from negotiation.catalogue.stock import text_in

TOPICS: tuple[tuple[str, str], ...] = (
    (
        "rules",
        r"ignore (?:all|your|previous|the)|system prompt|instructions?|as an ai|pretend|jailbreak"
        r"|developer mode|you must (?:accept|sell|give)|override|</?\w+>|\{\s*\"",
    ),
    ("bot", r"\b(?:bot|robot|chat ?gpt|a i|ai|machine|human|insaan|program)\b"),
    (
        "secret",
        r"\b(?:lowest|minimum|reservation|reserve price|bottom line|your (?:limit|floor|cost))\b"
        r"|how low|kitna kam|kam se kam kitn|least (?:you|price)|kitne (?:tak|ka pad)",
    ),
    (
        "rude",
        r"\b(?:stupid|idiot|fool|pagal|bewakoof|chor|thief|scam\w*|cheat\w*|bakwaas|bakwas"
        r"|shut up|rubbish|nonsense|loot|loot rahe|dimag kharab)\b|!!!",
    ),
    (
        "cheaper",
        r"\b(?:cheaper|elsewhere|olx|amazon|flipkart|online|other (?:shop|seller)s?|sast[aei]"
        r"|meh[a]?ng[aei]|expensive|too (?:much|high)|zyada hai|doosri dukaan|dusri dukan)\b",
    ),
    (
        "poor",
        r"\b(?:budget|student|afford|paise? nahi|no money|salary|gareeb|garib|mushkil|fees?)\b",
    ),
    (
        "condition",
        r"\b(?:condition|scratch\w*|work(?:s|ing)?|problem|original|bill|warranty|used|old|dent"
        r"|kharab|kaisa|kaisi|chalta|chalti|toot[aei]|box)\b",
    ),
    (
        "pickup",
        r"\b(?:deliver\w*|pick ?up|collect|shipping|where|when|kahan|kab|address|meet)\b",
    ),
    ("greeting", r"^\W*(?:hi+|hello+|hey+|namaste|namaskar|salaam|ram ram|good \w+)\b"),
)

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

_FACTS_CUTS = re.compile(r"[.;!?\n]+\s*|,\s+|\s+[-\u2013\u2014]\s+|\s(?:but|aur|lekin|par)\s")
_TITLE_CUTS = re.compile(r",\s+")


def _sounding(words: Iterable[str]) -> frozenset[str]:
    """Write words as they sound: शीशम, sheesham."""
    return frozenset(map(sound, words))


_SUBJECTS = tuple(
    _sounding(word_set(words))
    for words in (
        "bill bil invoice receipt papers rc",
        "warranty waranti guarantee garanti",
        "box dibba packing packaging",
        "scratch scratches dent dents crack cracked damage line mark marks stain stains daag "
        "nishaan chip chipped tape broken bent loose torn rust rusty faded worn hole tuta toota "
        "tooti patch defect flaw problem issue kharabi kami nuksan dikkat mended repaired repair",
        "charger charjar cable adapter",
        "battery baitri",
        "screen display glass",
        "work works working runs run running motor engine chalta chalti chalu start starts "
        "turn fine",
        "old year years purana purani saal bought since age",
        "key keys chabi lock",
        "cover case bag",
        "colour color rang",
        "tyre tyres tire brake brakes chain gear",
        "service serviced insurance",
        "sound awaaz noise quiet",
        "original genuine asli company brand",
        "cloth fabric kapda cotton silk",
        "pages page binding cover jild",
        "wood teak sheesham polish polished",
        "manual book booklet",
        "clean cleaned washed",
        "gb storage memory ram",
        "drawer drawers daraz daraj",
        "water rain leak leaks leaking pani barish waterproof",
    )
)
"""Words of one subject: who asks with one of them may be answered with any of them."""

_COLOURS = (
    "black|white|red|blue|green|gr[ae]y|silver|golden?|brown|pink|purple|yellow|orange|cream"
    "|beige|maroon|olive|indigo|lime|ivory|lemon"
)
_KINDS = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(told, re.IGNORECASE))
    for asked, told in (
        (
            r"\b(?:km|kms|kilomet\w*|odometer|driven|distance)\b|how (?:far|much) (?:has|did)"
            r"|kitn[aie] (?:door )?(?:chal|daud)\w*|किलोमीटर|किमी|कितन[ाीे] (?:दूर )?(?:चल|दौड़)",
            r"\b[\d,.]+\s?(?:km|kms|kilomet\w*|किमी|किलोमीटर)\b(?! (?:a|per|ek))",
        ),
        (
            r"\b(?:old|year|years|age|saal|purana|purani|purane|model|bought|kab|when|kis saal)\b"
            r"|साल|पुरान[ाीे]|कब|मॉडल",
            r"\b(?:19|20)\d\d\b|\b\d+(?:th|st|nd|rd)? (?:year|saal|month|mahin|साल|महीन)",
        ),
        (
            r"\b(?:age|umar|umr|beta|beti|son|daughter|kid|child|fit|aayega|aayegi|saal|years?)\b"
            r"|\b\d\d? k[aei]\b|उम्र|बेट[ाीे]|आएग[ाी]|साल",
            r"\bage\b|\b\d+ (?:to|-) \d+ (?:years|yrs|saal)\b|उम्र",
        ),
        (
            r"\b(?:size|big|large|bad[aie]|naap|inch\w*|litre|liter|capacity|watt\w*|power)\b"
            r"|साइज़|बड़[ाीे]|नाप|इंच|लीटर|वॉट",
            r"\b[\d,.]+\s?(?:inch|litre|liter|cm|mm|feet|ft|w|hp|v|ton|l|ml)\b|\bsize \w+",
        ),
        (r"\b(?:weight|wazan|heavy|bhaari)\b|वज़न|भारी", r"\b[\d,.]+\s?(?:kg|gram|g)\b"),
        (r"\b(?:storage|gb|memory|ram)\b|मेमोरी|स्टोरेज", r"\b\d+\s?(?:gb|tb)\b"),
        (r"\b(?:colou?r|rang)\b|रंग", rf"\b(?:{_COLOURS})\b"),
        (
            r"\b(?:owners?|malik|maalik|hand)\b|मालिक",
            r"\b(?:one|single|first|second) (?:owner|hand)\b|\b(?:malik|maalik)\b|मालिक",
        ),
        (r"\b(?:petrol|diesel|cng|fuel)\b|पेट्रोल|डीज़ल", r"\b(?:petrol|diesel|cng|electric)\b"),
        (r"\b(?:clicks?|shutter)\b", r"\bclicks?\b|\bshutter\b"),
        (r"\b(?:battery|baitri)\b|बैटरी", r"\bbattery (?:health|backup|life|lasts)|बैटरी"),
    )
)
"""How one asks for a measure, and how a listing gives it: often in a number and a short word."""

_WHOLE = _sounding(
    word_set(
        "condition halat kaisa kaisi kaise about details baare batao tell describe kharab fault "
        "good special"
    )
)

LEAST_TELLING = 3
"""Letters of a word that may say what is meant."""

_SAYS_NOTHING = _sounding(
    word_set(
        f"{_COMMON} {_JOINING} you she our its these those are was were been does did has had can"
        " could may might must not yes all too now out new two off one still really even hai kya"
        " koi kuch yeh ye aap main mujhe mera tum bhi tha thi"
    )
)


def fact_of(item: Item, question: str) -> str:
    """Return what the listing says to a question; "" where it says nothing of it.

    >>> kettle = Item("Kettle", condition="Boils in a minute, the bill is with me. Lid has a dent.")
    >>> fact_of(kettle, "bill hai kya?"), fact_of(kettle, "any warranty?")
    ('the bill is with me', '')
    >>> fact_of(kettle, "how is the lid?")
    'Lid has a dent'

    What was written in Hinglish is also looked for in its English form.
    """
    english = text_in("en", item.condition)
    found = _fact_in(item, question)
    if found or english is None:
        return found
    return _fact_in(msgspec.structs.replace(item, condition=english), question)


def _fact_in(item: Item, question: str) -> str:
    asked = _words(question)
    short = tuple(_short_pieces(item))
    for asks, tells in _KINDS:
        if asks.search(question) and (given := next(filter(tells.search, short), "")):
            return given
    pieces = tuple(_pieces(item))
    for piece in (*pieces, *_quotable(_TITLE_CUTS.split(tidy(item.title))[:1])):
        told = _words(piece)
        if any(asked & subject and told & subject for subject in _SUBJECTS):
            return piece
    # What every question of this thing may name ("the table") tells nothing of what is meant.
    named = _words(f"{item.title} {item.category}") | _SAYS_NOTHING
    own = {word for word in asked - named if len(word) >= LEAST_TELLING}
    shared = {piece: len(own & _words(piece)) for piece in pieces}
    if any(shared.values()):
        return max(shared, key=lambda piece: shared[piece])
    return pieces[0] if pieces and asked & _WHOLE and not _names_a_subject(asked) else ""


def _names_a_subject(words: frozenset[str]) -> bool:
    return any(words & subject for subject in _SUBJECTS)


def _words(text: str) -> frozenset[str]:
    return _sounding(piece.text for piece in to_text(text).pieces)


def _pieces(item: Item) -> Iterator[str]:
    described = _FACTS_CUTS.split(tidy(item.condition[:READ_AT_MOST]))
    titled = _TITLE_CUTS.split(tidy(item.title))[1:]
    yield from _quotable((*described, *titled))


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
