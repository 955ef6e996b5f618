"""Read the claims of a pitch. The words decide nothing else, and never raise."""

import re
from collections.abc import Iterator

import msgspec

from arena.gpu_market.judging.claims import (
    JOB_KINDS,
    WORK,
    Claim,
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
from arena.gpu_market.judging.patterns import HINTS, NUMBER, PATTERNS, Pattern, number_in

LONGEST_PITCH = 500
"""Characters that are read: as many as an action may hold."""

_JOB = re.compile(r"\bjob_\d+_\d+\b", re.IGNORECASE)
_TOTAL_BEFORE = re.compile(r"\btotal(?:\s+(?:of|need))?\s*:?\s*\Z|\bkul\s*\Z", re.IGNORECASE)
_TOTAL_AFTER = re.compile(
    r"\s*(?:in\s+total|in\s+all|altogether|overall|combined|total)\b", re.IGNORECASE
)
_RANGE_BEFORE = re.compile(rf"{NUMBER}\s*(?:%|x)?\s*(?:to|-|–|/|se|or|ya)\s*\Z", re.IGNORECASE)
_RANGE_AFTER = re.compile(rf"\s*(?:to|-|–|/|se|or|ya)\s*(?:{NUMBER})", re.IGNORECASE)
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
    for pattern in PATTERNS:
        if pattern.kind not in likely:
            continue
        for match in pattern.regex.finditer(text, sentence.start, sentence.end):
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
    """Whether the number belongs to a supply, a trade or a block, and to no need of a job."""
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
    before = text[max(0, match.start("n") - _NEAR) : match.start("n")]
    return bool(_RANGE_BEFORE.search(before) or _RANGE_AFTER.match(text, match.end("n")))
