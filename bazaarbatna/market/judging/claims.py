"""What a pitch claims, about whom, and what came of checking it.

Sentences, quotes, hedges and subjects decide whether anybody stands by a number.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, get_args

import msgspec

from bazaarbatna.word_tables import read_patterns

ClaimKind = Literal["deadline", "hours", "reliability", "urgency", "offers", "reputation"]
CLAIM_KINDS: tuple[ClaimKind, ...] = get_args(ClaimKind)
JOB_KINDS: tuple[ClaimKind, ...] = ("deadline", "hours", "reliability", "urgency")
"""Claims about one job; the others are about the lab."""

Manner = Literal[
    "plain", "vague", "hedged", "conditional", "quoted", "negated", "past", "asked", "others"
]
"""How something was said. Only ``plain`` can be held against the state."""

Finding = Literal["true", "false", "repeated", "vague", "set_aside", "unverifiable"]
"""``set_aside``: hedged, conditional, quoted, negated, past or asked: nobody stands by it."""


class Claim(msgspec.Struct, frozen=True):
    """One claim in a pitch.

    Attributes:
        kind: what it is about.
        value: the number that was said: a round counted from 0, GPU-hours, a share 0..1, a factor,
            a count; None where it names none.
        start: place of its first character.
        end: place after its last character.
        manner: how it was said.
        group: claims with the same number were said of one job.
        job: the job that was named for it (empty: none).
        decimals: digits after the point, for claims that may be rounded.
        relative: ``value`` counts rounds from now.
        total: it is meant for all open jobs together.
    """

    kind: ClaimKind
    value: float | None
    start: int
    end: int
    manner: Manner = "plain"
    group: int = 0
    job: str = ""
    decimals: int = 0
    relative: bool = False
    total: bool = False


class Checked(msgspec.Struct, frozen=True):
    """A claim and what was found; ``fact`` names the fact behind a true one (empty: none)."""

    claim: Claim
    finding: Finding
    fact: str = ""


_SENTENCE = re.compile(r"(?:[^.!?;\n]|\.(?=\w))+[.!?;\n]*")
"""A point inside a number or an address ends nothing."""
_QUOTES = re.compile(
    r"\"[^\"]*(?:\"|\Z)|“[^”]*(?:”|\Z)|«[^»]*(?:»|\Z)|`[^`]*(?:`|\Z)|‘[^’]*’|(?<!\w)'[^']*'(?!\w)"
)
_FOUND = {
    name: re.compile(found, re.IGNORECASE)
    for name, (found,) in read_patterns(Path(__file__).with_suffix(".toml")).items()
}
WORK = _FOUND["work"]


class Span(msgspec.Struct, frozen=True):
    """A piece of a text, from ``start`` to before ``end``."""

    start: int
    end: int

    def holds(self, place: int) -> bool:
        """Whether a place lies in it."""
        return self.start <= place < self.end


class Speaker(msgspec.Struct, frozen=True):
    """Who pitches: the names that mean itself, and those that mean others."""

    own: tuple[str, ...]
    others: tuple[str, ...]


def sentences(text: str) -> list[Span]:
    """Cut a text into sentences.

    >>> [text.end for text in sentences("Due in round 4. At 0.85!")]
    [15, 24]
    """
    return [Span(found.start(), found.end()) for found in _SENTENCE.finditer(text)]


def quoted(text: str) -> list[Span]:
    """Find what stands between quotation marks; an open mark quotes the rest."""
    return [Span(found.start(), found.end()) for found in _QUOTES.finditer(text)]


def clause_around(text: str, sentence: Span, start: int, end: int) -> str:
    """Return the clause of a sentence that a claim stands in."""
    head, tail = sentence.start, sentence.end
    for found in _FOUND["clause"].finditer(text, sentence.start, sentence.end):
        if found.end() <= start:
            head = found.end()
        elif found.start() >= end:
            tail = found.start()
            break
    return text[head:tail]


def manner_of(
    text: str, sentence: Span, start: int, end: int, speaker: Speaker, quotes: Iterable[Span]
) -> Manner:
    """Say how a claim was made; the doubt goes against the claim."""
    whole = text[sentence.start : sentence.end]
    clause = clause_around(text, sentence, start, end)
    if any(quote.holds(start) for quote in quotes):
        return "quoted"
    if whole.rstrip().endswith("?"):
        return "asked"
    if _FOUND["conditional"].search(whole):
        return "conditional"
    if _FOUND["hedge"].search(whole) or _FOUND["modal"].search(clause):
        return "hedged"
    if _FOUND["negated"].search(clause):
        return "negated"
    if _FOUND["past"].search(clause):
        return "past"
    if _is_about_others(text, sentence, start, speaker):
        return "others"
    return "plain"


def is_supply(clause: str) -> bool:
    """Whether a clause speaks of what a lab has, and not of what it needs."""
    return bool(_FOUND["supply"].search(clause)) and not WORK.search(clause)


def is_moved(clause: str) -> bool:
    """Whether a clause speaks of hours that change hands, are gone, or lack to a need."""
    return bool(_FOUND["moved"].search(clause))


def is_of_a_block(clause: str, sentence: str) -> bool:
    """Whether a clause describes a block and no job."""
    if _FOUND["a_block"].search(clause):
        return True
    return bool(_FOUND["blocks"].search(sentence)) and not WORK.search(clause)


def _is_about_others(text: str, sentence: Span, start: int, speaker: Speaker) -> bool:
    """Go by the last subject before the claim, else by the first one after it."""
    own = "|".join([_FOUND["self"].pattern, *(re.escape(name) for name in speaker.own)])
    other = "|".join(
        [_FOUND["other"].pattern, *(re.escape(name) for name in speaker.others), r"lab_\d+"]
    )
    subject = re.compile(rf"\b(?:(?P<own>{own})|(?P<other>{other}))\b", re.IGNORECASE)
    first = before = after = ""
    first_end = 0
    for found in subject.finditer(text, sentence.start, sentence.end):
        whom = "own" if found["own"] else "other"
        if whom == "other" and _FOUND["to_whom"].search(text, sentence.start, found.start()):
            continue
        if found.start() >= start:
            after = after or whom
            continue
        if not first:
            first, first_end = whom, found.end()
        before = whom
    # What another lab is reported to say is its claim, whoever it is about.
    if first == "other" and _FOUND["said"].search(text, first_end, start):
        return True
    return (before or after) == "other"
