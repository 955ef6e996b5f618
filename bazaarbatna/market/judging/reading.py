"""Read the claims of a pitch by a table of patterns; words decide nothing else and never raise.

Numbers are read as people and models write them: figures, English words, Hindi words in Latin
script.
"""

import re
from collections.abc import Iterator
from pathlib import Path

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
from bazaarbatna.word_tables import filled, read_table

_SINGLE: dict[str, int] = (
    {word: value for word, value in NUMBERS.items() if word.isascii()}
    | {"zero": 0, "shunya": 0}
    | UNITS
    | TENS
)
"""``saath`` also says "with" and ``do`` is an English verb: patterns ask for a unit beside them."""


class Number(msgspec.Struct, frozen=True):
    """A number that was said; ``decimals`` is how exactly."""

    value: float
    decimals: int = 0


def number_in(said: str) -> Number:
    """Return the value of a text that ``number`` matched.

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


class _Claims(msgspec.Struct, frozen=True):
    patterns: tuple[Pattern, ...]


class _Table(msgspec.Struct, frozen=True):
    words: dict[str, str]
    hints: dict[ClaimKind, tuple[str, ...]]
    claims: _Claims


_TABLE = read_table(Path(__file__).with_suffix(".toml"), _Table)
_PARTS = _TABLE.words | {
    "any": "|".join(sorted((re.escape(word) for word in _SINGLE), key=lambda word: -len(word))),
    "ten": "|".join(TENS),
    "unit": "|".join(UNITS),
}


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(filled(text, _PARTS), re.IGNORECASE)


@lazily
def _compiled() -> tuple[tuple[Pattern, re.Pattern[str]], ...]:
    return tuple((one, _pattern(one.regex)) for one in _TABLE.claims.patterns)


@lazily
def _range() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What stands before the last number of a range, and after its first."""
    return _pattern(r"@number@\s*(?:%|x)?@joint@\Z"), _pattern("@joint@(?:@number@)")


LONGEST_PITCH = 500
"""Characters that are read: as many as an action may hold."""

_JOB = re.compile(r"\bjob_\d+_\d+\b", re.IGNORECASE)
_TOTAL_BEFORE, _TOTAL_AFTER = _pattern("@total_before@"), _pattern("@total_after@")
_NEAR = 24
"""Characters before a number in which a range may begin."""
_VAGUE = _pattern("@vague@")


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
    likely = {kind for kind, words in _TABLE.hints.items() if any(word in lower for word in words)}
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
