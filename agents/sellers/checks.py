"""What a line of a seller may not be opposite a person, beside what no line of the house may be."""

import re
from collections.abc import Iterator, Sequence

from agents.output_guard.coherence import is_coherent
from agents.speech.checks import is_in, opening_of, wording_faults
from agents.speech.promises import is_promise
from agents.speech.sides import own_step, rivals_step, rounds_left
from agents.text.languages import Register
from negotiation.engine.moves import Move, Offer
from negotiation.engine.observe import SellerObservation
from negotiation.plans import Plan

STOOD = 0.005
"""A step of the buyer below this share of the opening ask is none, nor one to thank for."""

MOVED = re.compile(
    r"\b(?:i (?:come|came|go|went|move|moved) (?:down|too)|come down to|down to"
    r"|main (?:bhi )?(?:utri|utar)|utri\b|neeche aa(?:yi|ti|gayi))"
    r"|मैं भी उतरी|उतर(?:ी|ती|आई)|नीचे आ(?:ई|ती)",
    re.IGNORECASE,
)
"""Words that claim a step down."""
YOU_MOVED = re.compile(
    r"\b(?:you (?:came|moved|come|stepped)\b|aap (?:badhe|aage (?:aaye|badhe)|jhuke|hile))"
    r"|आप (?:बढ़े|आगे)",
    re.IGNORECASE,
)
YOU_STOOD = re.compile(
    r"\b(?:you have not moved|you stand still|aap bhi (?:toh|to) nahi badhe|nahi badhe)"
    r"|नहीं बढ़े",
    re.IGNORECASE,
)
_QUOTED = re.compile("“[^”]*”")


def faults(
    text: str,
    plan: Plan,
    seen: SellerObservation,
    move: Move | None,
    *,
    said: Sequence[str] = (),
    language: Register | None = None,
) -> Iterator[str]:
    """Name what is wrong with a line; nothing where it may be said.

    Arguments as for ``agents.speech.checks.faults``; ``said``: the seller's lines of the whole
    game. What a line quotes of the listing is in the listing's language.
    """
    if not is_coherent(text, seen, move):
        yield "incoherent"
    if is_promise(text):
        yield "promise"
    if "nahi karta" in text:
        yield "masculine"
    yield from _false_claims(text, seen, move)
    yield from wording_faults(text, plan, rounds_left(seen), said=said)
    if language and not is_in(_QUOTED.sub("", text), language):
        yield "language"


def is_new(text: str, said: Sequence[str]) -> bool:
    """Whether a line neither comes twice nor begins like another of the game."""
    return all(text != one and opening_of(text) != opening_of(one) for one in said)


def _false_claims(text: str, seen: SellerObservation, move: Move | None) -> Iterator[str]:
    steps_down = isinstance(move, Offer) and own_step(seen, move.price) > 0
    if MOVED.search(text) and not steps_down:
        yield "false step"
    has_moved = rivals_step(seen) >= STOOD * seen.asks[0]
    if YOU_MOVED.search(text) and not has_moved:
        yield "false step of the buyer"
    has_stood = len(seen.bids) > 1 and not has_moved
    if YOU_STOOD.search(text) and not has_stood:
        yield "false step of the buyer"
