"""What a pitch claims, about whom, and what came of checking it.

Sentences, quotes, hedges and subjects decide whether anybody stands by a number.
"""

import re
from collections.abc import Iterable
from typing import Literal, get_args

import msgspec

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
_CLAUSE = re.compile(
    r",\s|\b(?:and|but|because|while|whereas|although|so|since|then|aur|lekin|kyunki)\b|[—–]",
    re.IGNORECASE,
)
_QUOTES = re.compile(
    r"\"[^\"]*(?:\"|\Z)|“[^”]*(?:”|\Z)|«[^»]*(?:»|\Z)|`[^`]*(?:`|\Z)|‘[^’]*’|(?<!\w)'[^']*'(?!\w)"
)
_SAID = re.compile(r"\b(?:says?|said|claims?|claimed|told|writes|wrote|tells)\b", re.IGNORECASE)
_CONDITIONAL = re.compile(
    r"\b(?:if|unless|suppose|supposing|assuming|assume|imagine|provided that|in case|were to|"
    r"hypothetically|agar|yadi|pretend|otherwise)\b",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|might|likely|presumably|allegedly|apparently|seems?|"
    r"guess|think|believe|hope|estimate|expect|or so|ish|shayad|sambhav|either|"
    r"some(?:thing)? like)\b|\b(?:or|ya)\b(?!\s+(?:better|more|above|higher|kuch))",
    re.IGNORECASE,
)
_MODAL = re.compile(r"\b(?:may|could|would|can|should)\b", re.IGNORECASE)
_NEGATED = re.compile(
    r"\b(?:not|never|no longer|cannot|neither|nor|without|nahi|nahin|mat)\b"
    r"(?!\s+(?:less|lower|below|worse|only|kam))|n't\b|\b(?:need|have|has|is|are)\s+no\b",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:was|were|previously|formerly|tha|thi)\b", re.IGNORECASE)
_SELF = r"we|we're|we've|our|ours|us|i|i'm|i've|my|mine|hum|ham|humein|hamein|hamko|hum[aā]r[aie]|"
_SELF += r"hamar[aie]|mujhe|mer[aie]|main"
_OTHER = r"they|they're|their|theirs|them|he|she|his|her|you|your|yours|rivals?|others?|"
_OTHER += r"competitors?|opponents?|everyone|everybody|nobody|someone|somebody|anyone|unka|unki|"
_OTHER += r"unhe|unko|unhein|uska|uski|aap|aapka|aapki|tum|tumhara|tumhari"
_TO_WHOM = re.compile(r"\b(?:from|to|with|than|like|for|told|asked|tell|ask|between)\s*$", re.I)
_SUPPLY = re.compile(
    r"\b(?:offer|offering|give|giving|gave|sell|selling|sold|provide|have|has|own|owns|hold|holds|"
    r"spare|lend|share|supply|got|idle|pool|commit|block_\d+|blocks?)\b",
    re.IGNORECASE,
)
_MOVED = re.compile(
    r"\b(?:pay|pays|paid|paying|credits?|buy|buying|bought|borrow|returns?|returned|lost|lose|"
    r"losing|missing|short|used|spent|traded?|swap|exchange|more(?!\s+than)|remaining|left|finished|completed)\b",
    re.IGNORECASE,
)
_A_BLOCK = re.compile(r"\bblock_\d+\b", re.IGNORECASE)
_BLOCKS = re.compile(r"\bblock(?:s|_\d+)?\b", re.IGNORECASE)
WORK = re.compile(
    r"\b(?:needs?|needed|needing|requires?|required|requirement|requiring|jobs?|tasks?|work|"
    r"deadline|due|must|finish|chahiye|chaahiye|chahie|lacks?|missing|job_\d+_\d+)\b",
    re.IGNORECASE,
)


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
    for found in _CLAUSE.finditer(text, sentence.start, sentence.end):
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
    if _CONDITIONAL.search(whole):
        return "conditional"
    if _HEDGE.search(whole) or _MODAL.search(clause):
        return "hedged"
    if _NEGATED.search(clause):
        return "negated"
    if _PAST.search(clause):
        return "past"
    if _is_about_others(text, sentence, start, speaker):
        return "others"
    return "plain"


def is_supply(clause: str) -> bool:
    """Whether a clause speaks of what a lab has, and not of what it needs."""
    return bool(_SUPPLY.search(clause)) and not WORK.search(clause)


def is_moved(clause: str) -> bool:
    """Whether a clause speaks of hours that change hands, are gone, or lack to a need."""
    return bool(_MOVED.search(clause))


def is_of_a_block(clause: str, sentence: str) -> bool:
    """Whether a clause describes a block and no job."""
    if _A_BLOCK.search(clause):
        return True
    return bool(_BLOCKS.search(sentence)) and not WORK.search(clause)


def _is_about_others(text: str, sentence: Span, start: int, speaker: Speaker) -> bool:
    """Go by the last subject before the claim, else by the first one after it."""
    own = "|".join([_SELF, *(re.escape(name) for name in speaker.own)])
    other = "|".join([_OTHER, *(re.escape(name) for name in speaker.others), r"lab_\d+"])
    subject = re.compile(rf"\b(?:(?P<own>{own})|(?P<other>{other}))\b", re.IGNORECASE)
    first = before = after = ""
    first_end = 0
    for found in subject.finditer(text, sentence.start, sentence.end):
        whom = "own" if found["own"] else "other"
        if whom == "other" and _TO_WHOM.search(text, sentence.start, found.start()):
            continue
        if found.start() >= start:
            after = after or whom
            continue
        if not first:
            first, first_end = whom, found.end()
        before = whom
    # What another lab is reported to say is its claim, whoever it is about.
    if first == "other" and _SAID.search(text, first_end, start):
        return True
    return (before or after) == "other"
