"""Read the claims of a pitch by a table of patterns; words decide nothing else and never raise.

Numbers are read as people and models write them: figures, English words, Hindi words in Latin
script.
"""

import re
from collections.abc import Iterator

import msgspec

from bazaarbatna.lazily import lazily
from bazaarbatna.market.judging.claims import (
    JOB_KINDS,
    WORK,
    Claim,
    ClaimKind,
    Manner,
    Span,
    Speaker,
    clause_around,
    is_moved,
    is_of_a_block,
    is_supply,
    manner_of,
    quoted,
    sentences,
)
from bazaarbatna.number_words import NUMBERS, TENS, UNITS

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

    ``regex`` has the group ``n`` and maybe ``percent`` and ``care``, ``relative`` counts rounds
    from now, ``fixed`` is the value where the words name none, and with ``needs_work`` it is a
    claim only in a sentence that speaks of work.
    """

    kind: ClaimKind
    regex: str
    relative: bool = False
    fixed: int | None = None
    needs_work: bool = False


PATTERNS: tuple[Pattern, ...] = (
    Pattern(
        "deadline", rf"\b(?:due|{_DEADLINE}|{_MUST})\s*{_LINK}{_CARE}round\s*(?:no\.?\s*)?{_N}"
    ),
    Pattern("deadline", rf"\b(?:needed|required)\s+by\s+{_LINK}{_CARE}round\s*(?:no\.?\s*)?{_N}"),
    Pattern("deadline", rf"\bround\s*{_N}\s*(?:is\s+(?:our|my|the|its)\s+)?deadline\b"),
    Pattern("deadline", rf"\bround\s*{_N}\s*tak\b"),
    Pattern("deadline", rf"\bby\s+(?:the\s+)?(?:end\s+of\s+)?round\s*{_N}", needs_work=True),
    Pattern("deadline", rf"\bdeadline(?:_round)?\s*[:=]?\s*{_N}(?!\s*(?:rounds?|GPU|h))"),
    Pattern(
        "deadline",
        rf"{_CARE}{_N}\s+rounds?\s+(?:left\s+)?(?:until|till|before)\s+(?:our|the|my)\s+deadline\b",
        relative=True,
    ),
    Pattern(
        "deadline",
        rf"\b(?:due|deadline)\s*(?:(?:is|it|falls|only|just)\s+){{0,2}}(?:in|within)\s+"
        rf"(?:only\s+|just\s+)?{_CARE}{_N}\s+(?:more\s+)?rounds?\b",
        relative=True,
    ),
    Pattern("deadline", rf"\bdeadline\s+{_CARE}{_N}\s+rounds?\s+(?:mein|me|main)\b", relative=True),
    Pattern("deadline", rf"{_CARE}{_N}\s+rounds?\s+(?:mein|me|main)\s+deadline\b", relative=True),
    Pattern("deadline", rf"\b(?:due|deadline)\s*{_LINK}this\s+round\b", relative=True, fixed=0),
    Pattern("deadline", rf"\b(?:due|deadline)\s*{_LINK}next\s+round\b", relative=True, fixed=1),
    Pattern("hours", rf"{_CARE}{_N}\s*(?:more\s+|full\s+|whole\s+)?GPU[\s_-]*{_HOURS}"),
    Pattern("hours", rf"{_CARE}{_N}\s*{_HOURS}\s+(?:of|on)\s+(?:GPUs?|compute|capacity)\b"),
    Pattern("hours", rf"\b(?:needs?|requires?)\s+{_CARE}{_N}\s*{_HOURS}"),
    Pattern("hours", rf"{_CARE}{_N}\s*{_HOURS}\s*(?:chahiye|chaahiye|chahie)\b"),
    Pattern("hours", rf"\bGPU[\s_-]*{_HOURS}\s*(?:needed|required)?\s*[:=]\s*{_CARE}{_N}"),
    Pattern("reliability", rf"(?:\b|_)reliability\s*{_AT_LEAST}{_CARE}{_N}{_PERCENT}"),
    Pattern(
        "reliability",
        rf"{_CARE}{_N}{_PERCENT}\s*(?:or\s+(?:better|more|above|higher)\s+|minimum\s+)?"
        r"reliab(?:ility|le)\b",
    ),
    Pattern("urgency", rf"\burgency\s*{_IS}{_CARE}[x×]?(?P<n>{BARE}){_NO_UNIT}"),
    Pattern("urgency", rf"(?<![\w.])[x×]?(?P<n>{FIGURES}|{BARE})\s*[x×]?\s*urgency\b"),
    Pattern("offers", rf"\b{_MADE}\s+(?:\w+\s+){{0,2}}?{_CARE}{_N}\s+(?:\w+\s+){{0,2}}?{_OFFERS}"),
    Pattern("offers", rf"{_CARE}{_N}\s+(?:\w+\s+)?{_OFFERS}\s+(?:\w+\s+){{0,2}}?{_MADE}"),
    Pattern("offers", rf"\boffers?[\s_](?:made|sent)\s*[:=]?\s*{_CARE}{_N}"),
    Pattern("reputation", rf"\breputation\s*{_IS}{_CARE}{_N}{_PERCENT}"),
    Pattern("reputation", rf"{_CARE}{_N}{_PERCENT}\s*reputation\b"),
)


@lazily
def _compiled() -> tuple[tuple[Pattern, re.Pattern[str]], ...]:
    return tuple((one, re.compile(one.regex, re.IGNORECASE)) for one in PATTERNS)


@lazily
def _range() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What stands before the last number of a range, and after its first."""
    joint = r"\s*(?:to|-|–|/|se|or|ya)\s*"
    before = rf"{NUMBER}\s*(?:%|x)?{joint}\Z"
    return re.compile(before, re.IGNORECASE), re.compile(rf"{joint}(?:{NUMBER})", re.IGNORECASE)


LONGEST_PITCH = 500
"""Characters that are read: as many as an action may hold."""

_JOB = re.compile(r"\bjob_\d+_\d+\b", re.IGNORECASE)
_TOTAL_BEFORE = re.compile(r"\btotal(?:\s+(?:of|need))?\s*:?\s*\Z|\bkul\s*\Z", re.IGNORECASE)
_TOTAL_AFTER = re.compile(
    r"\s*(?:in\s+total|in\s+all|altogether|overall|combined|total)\b", re.IGNORECASE
)
_NEAR = 24
"""Characters before a number in which a range may begin."""
_VAGUE = re.compile(
    r"\b(?:urgen(?:t|tly|cy)|critical(?:ly)?|important|crucial|vital|essential|desperate(?:ly)?|"
    r"asap|immediately|soon|deadlines?|reliab(?:le|ly|ility)|evidence|reputation|fair(?:ly|ness)?|"
    r"trustworthy|trust|huge|massive|priority|best|most|top|strong(?:est)?|world-class|jaldi|"
    r"zaroori|bahut)\b",
    re.IGNORECASE,
)


def read_claims(text: str, speaker: Speaker) -> tuple[Claim, ...]:
    """Find what a pitch claims, in the order of the text; overlapping readings are one claim.

    >>> us = Speaker(("lab_0",), ("lab_1",))
    >>> [(one.kind, one.value) for one in read_claims("We need six GPU-hours by round 4.", us)]
    [('hours', 6.0), ('deadline', 4.0)]
    >>> read_claims("Maybe we need 6 GPU-hours.", us)[0].manner
    'hedged'
    """
    text = text[:LONGEST_PITCH]
    quotes, claims, group = quoted(text), list[Claim](), 0
    for sentence in sentences(text):
        jobs = [(found.start(), found[0].lower()) for found in _JOB.finditer(text)]
        seen: set[str] = set()
        job = ""
        group += 1
        for claim in _in_sentence(text, sentence, speaker, quotes):
            named = [name for place, name in jobs if sentence.start <= place < claim.end]
            now = named[-1] if named else ""
            if claim.kind in JOB_KINDS and (claim.kind in seen or now != job):
                group, seen, job = group + 1, set(), now
            seen.add(claim.kind)
            claims.append(_grouped(claim, group, now))
    return tuple(claims)


def count_vague(text: str, claims: tuple[Claim, ...]) -> int:
    """Count the big words of a pitch that no number stands by."""
    text = text[:LONGEST_PITCH]
    return sum(
        not any(claim.start <= found.start() < claim.end for claim in claims)
        for found in _VAGUE.finditer(text)
    )


def _grouped(claim: Claim, group: int, job: str) -> Claim:
    return msgspec.structs.replace(claim, group=group, job=job)


def _in_sentence(
    text: str, sentence: Span, speaker: Speaker, quotes: list[Span]
) -> Iterator[Claim]:
    found: list[Claim] = []
    lower = text[sentence.start : sentence.end].lower()
    likely = {kind for kind, words in HINTS.items() if any(word in lower for word in words)}
    for pattern, regex in _compiled():
        if pattern.kind not in likely:
            continue
        for match in regex.finditer(text, sentence.start, sentence.end):
            claim = _claim(text, sentence, pattern, match, speaker, quotes)
            if claim is not None:
                found.append(claim)
    # The first pattern that reads a piece keeps it.
    kept: list[Claim] = []
    for claim in found:
        if not any(claim.start < other.end and other.start < claim.end for other in kept):
            kept.append(claim)
    yield from sorted(kept, key=lambda claim: claim.start)


def _claim(
    text: str,
    sentence: Span,
    pattern: Pattern,
    match: re.Match[str],
    speaker: Speaker,
    quotes: list[Span],
) -> Claim | None:
    if _is_something_else(text, sentence, pattern, match):
        return None
    groups = match.groupdict()
    manner: Manner = manner_of(text, sentence, match.start(), match.end(), speaker, quotes)
    value, decimals = _value(pattern, match)
    if manner == "plain" and (groups.get("care") or _is_range(text, match, pattern)):
        manner = "vague"
    return Claim(
        pattern.kind,
        value,
        match.start(),
        match.end(),
        manner,
        decimals=decimals,
        relative=pattern.relative,
        total=pattern.kind == "hours" and _is_total(text, match),
    )


def _is_something_else(text: str, sentence: Span, pattern: Pattern, match: re.Match[str]) -> bool:
    whole = text[sentence.start : sentence.end]
    clause = clause_around(text, sentence, match.start(), match.end())
    if pattern.needs_work:
        return is_supply(clause) or not WORK.search(whole)
    if pattern.kind == "hours":
        return is_supply(clause) or is_moved(clause)
    if pattern.kind == "reliability":
        return is_supply(clause) or is_of_a_block(clause, whole)
    return False


def _is_total(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - _NEAR) : match.start()]
    return bool(_TOTAL_BEFORE.search(before) or _TOTAL_AFTER.match(text, match.end()))


def _value(pattern: Pattern, match: re.Match[str]) -> tuple[float, int]:
    if pattern.fixed is not None:
        return float(pattern.fixed), 0
    said = number_in(match["n"])
    if match.groupdict().get("percent"):
        return said.value / 100, said.decimals + 2
    return said.value, said.decimals


def _is_range(text: str, match: re.Match[str], pattern: Pattern) -> bool:
    if pattern.fixed is not None:
        return False
    before, after = _range()
    near = text[max(0, match.start("n") - _NEAR) : match.start("n")]
    return bool(before.search(near) or after.match(text, match.end("n")))
