"""What claims look like, as a table. Each row finds a number (``n``) next to its meaning.

Numbers are read as people and models write them: figures, English words, Hindi words in Latin
script.
"""

import re

import msgspec

from agents.text.reading.number_words import NUMBERS, TENS, UNITS
from arena.gpu_market.judging.claims import ClaimKind

_SINGLE: dict[str, int] = (
    {word: value for word, value in NUMBERS.items() if word.isascii()}
    | {"zero": 0, "shunya": 0}
    | UNITS
    | TENS
)
"""``saath`` also says "with" and ``do`` is an English verb: patterns ask for a unit beside them."""

_ANY = "|".join(sorted((re.escape(word) for word in _SINGLE), key=lambda word: -len(word)))
_TEN, _UNIT = "|".join(TENS), "|".join(UNITS)
WORDS = (
    rf"(?:(?:(?:{_TEN})[ -](?:{_UNIT})|{_ANY})(?:\s+point(?:\s+(?:{_ANY})){{1,3}})?"
    rf"|point(?:\s+(?:{_ANY})){{1,3}})"
)
FIGURES = r"(?:[0-9]{1,5}(?:\.[0-9]{1,4})?|\.[0-9]{1,4})"

BARE = rf"(?:{FIGURES}|{WORDS})(?![\w]|[.,][0-9])"
"""A number, whatever stands before it."""
NUMBER = rf"(?<![\w.,#-]){BARE}"
"""A number of its own: no part of an id, of a longer number or of a negative one."""


class Number(msgspec.Struct, frozen=True):
    """A number that was said; ``decimals`` is how exactly."""

    value: float
    decimals: int = 0


def number_in(said: str) -> Number:
    """Return the value of a text that ``NUMBER`` matched.

    >>> number_in("0.85")
    Number(value=0.85, decimals=2)
    >>> number_in("twenty-four").value, number_in("chaar").value
    (24.0, 4.0)
    >>> number_in("zero point eight five")
    Number(value=0.85, decimals=2)
    """
    if said[0] in ".0123456789":
        return Number(float(said), len(said.partition(".")[2]))
    whole, point, rest = said.lower().replace("-", " ").partition("point")
    value = sum(_SINGLE[word] for word in whole.split())
    if not point:
        return Number(float(value))
    digits = "".join(str(_SINGLE[word]) for word in rest.split())
    return Number(float(f"{value}.{digits}"), len(digits))


_N = rf"(?P<n>{NUMBER})"
_PERCENT = r"(?P<percent>\s*(?:%|per\s?cent\b))?"
_CARE = (
    r"(?P<care>(?:about|around|roughly|approximately|nearly|almost|some|circa|up to|at most|"
    r"another|additional|extra|further|more than|less than|over|above|under|below|before|after|"
    r"lagbhag|kareeb|~|<|>)\s*)?"
)
"""Words that leave the number open."""
_LINK = (
    r"(?:(?:(?:is|falls|in|at|on|by|for|the|our|its|my|end|of|set|to|hai|ki|ka|ke)\b|[:=,(—-])"
    r"\s*){0,6}"
)
_IS = (
    r"(?:(?:(?:is|of|at|score|factor|level|multiplier|now|currently|stands|the|hai)\b|[:=])"
    r"\s*){0,4}"
)
_AT_LEAST = (
    r"(?:(?:(?:is|of|at|least|minimum|min|a|need|needed|required|requirement|must|be|the|floor|"
    r"threshold|we|from|above|over|no|not|lower|less|below|than|hai|kam|se)\b|[:=≥]|>=)\s*){0,6}"
)
_NO_UNIT = r"(?!\s*(?:x\s*)?(?:GPU|hours?|rounds?|%|per\s?cent|offers?|blocks?|jobs?))"
_HOURS = r"(?:hours?|hrs?|h|ghant[ae]|ghanton)\b"
_OFFERS = r"(?:counter-?\s?)?(?:offers?|proposals?)\b"
_MADE = r"(?:made|sent|proposed|extended|submitted|bhej\w*|diy\w*|kiy\w*)\b"
_DEADLINE = r"deadline(?:\s+(?:for|of)(?:\s+\w+){1,3}?\s+(?=is\b))?"
_MUST = (
    r"(?:must|has\s+to|have\s+to|needs\s+to)\s+(?:be\s+)?"
    r"(?:finish|finished|done|delivered|ready|complete|completed|run)\b"
)


HINTS: dict[ClaimKind, tuple[str, ...]] = {
    "deadline": ("round", "deadline"),
    "hours": ("gpu", "hour", "hr", "ghant", "compute", "capacity"),
    "reliability": ("reliab",),
    "urgency": ("urgency",),
    "offers": ("offer", "propos"),
    "reputation": ("reputation",),
}
"""A sentence with none of these, in small letters, makes no such claim: most need no search."""


class Pattern(msgspec.Struct, frozen=True):
    """One way to make a claim.

    Attributes:
        kind: what is claimed.
        regex: with the groups ``n``, and where it applies ``percent`` and ``care``.
        relative: the number counts rounds from now.
        fixed: the value where the words name none.
        needs_work: it is a claim only in a sentence that speaks of work.
    """

    kind: ClaimKind
    regex: re.Pattern[str]
    relative: bool = False
    fixed: int | None = None
    needs_work: bool = False


def _row(
    kind: ClaimKind,
    regex: str,
    *,
    relative: bool = False,
    fixed: int | None = None,
    needs_work: bool = False,
) -> Pattern:
    return Pattern(kind, re.compile(regex, re.IGNORECASE), relative, fixed, needs_work)


PATTERNS: tuple[Pattern, ...] = (
    _row("deadline", rf"\b(?:due|{_DEADLINE}|{_MUST})\s*{_LINK}{_CARE}round\s*(?:no\.?\s*)?{_N}"),
    _row("deadline", rf"\b(?:needed|required)\s+by\s+{_LINK}{_CARE}round\s*(?:no\.?\s*)?{_N}"),
    _row("deadline", rf"\bround\s*{_N}\s*(?:is\s+(?:our|my|the|its)\s+)?deadline\b"),
    _row("deadline", rf"\bround\s*{_N}\s*tak\b"),
    _row("deadline", rf"\bby\s+(?:the\s+)?(?:end\s+of\s+)?round\s*{_N}", needs_work=True),
    _row("deadline", rf"\bdeadline(?:_round)?\s*[:=]?\s*{_N}(?!\s*(?:rounds?|GPU|h))"),
    _row(
        "deadline",
        rf"{_CARE}{_N}\s+rounds?\s+(?:left\s+)?(?:until|till|before)\s+(?:our|the|my)\s+deadline\b",
        relative=True,
    ),
    _row(
        "deadline",
        rf"\b(?:due|deadline)\s*(?:(?:is|it|falls|only|just)\s+){{0,2}}(?:in|within)\s+"
        rf"(?:only\s+|just\s+)?{_CARE}{_N}\s+(?:more\s+)?rounds?\b",
        relative=True,
    ),
    _row("deadline", rf"\bdeadline\s+{_CARE}{_N}\s+rounds?\s+(?:mein|me|main)\b", relative=True),
    _row("deadline", rf"{_CARE}{_N}\s+rounds?\s+(?:mein|me|main)\s+deadline\b", relative=True),
    _row("deadline", rf"\b(?:due|deadline)\s*{_LINK}this\s+round\b", relative=True, fixed=0),
    _row("deadline", rf"\b(?:due|deadline)\s*{_LINK}next\s+round\b", relative=True, fixed=1),
    _row("hours", rf"{_CARE}{_N}\s*(?:more\s+|full\s+|whole\s+)?GPU[\s_-]*{_HOURS}"),
    _row("hours", rf"{_CARE}{_N}\s*{_HOURS}\s+(?:of|on)\s+(?:GPUs?|compute|capacity)\b"),
    _row("hours", rf"\b(?:needs?|requires?)\s+{_CARE}{_N}\s*{_HOURS}"),
    _row("hours", rf"{_CARE}{_N}\s*{_HOURS}\s*(?:chahiye|chaahiye|chahie)\b"),
    _row("hours", rf"\bGPU[\s_-]*{_HOURS}\s*(?:needed|required)?\s*[:=]\s*{_CARE}{_N}"),
    _row("reliability", rf"(?:\b|_)reliability\s*{_AT_LEAST}{_CARE}{_N}{_PERCENT}"),
    _row(
        "reliability",
        rf"{_CARE}{_N}{_PERCENT}\s*(?:or\s+(?:better|more|above|higher)\s+|minimum\s+)?"
        r"reliab(?:ility|le)\b",
    ),
    _row("urgency", rf"\burgency\s*{_IS}{_CARE}[x×]?(?P<n>{BARE}){_NO_UNIT}"),
    _row("urgency", rf"(?<![\w.])[x×]?(?P<n>{FIGURES}|{BARE})\s*[x×]?\s*urgency\b"),
    _row("offers", rf"\b{_MADE}\s+(?:\w+\s+){{0,2}}?{_CARE}{_N}\s+(?:\w+\s+){{0,2}}?{_OFFERS}"),
    _row("offers", rf"{_CARE}{_N}\s+(?:\w+\s+)?{_OFFERS}\s+(?:\w+\s+){{0,2}}?{_MADE}"),
    _row("offers", rf"\boffers?[\s_](?:made|sent)\s*[:=]?\s*{_CARE}{_N}"),
    _row("reputation", rf"\breputation\s*{_IS}{_CARE}{_N}{_PERCENT}"),
    _row("reputation", rf"{_CARE}{_N}{_PERCENT}\s*reputation\b"),
)
