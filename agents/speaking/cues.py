"""What the voice in the box is told of a turn, as the text that it goes on from.

Prices stand in slots here, too: a small model cannot be trusted with numbers, and what it has not
read it cannot copy wrongly. Nothing of her budget is ever part of it.
"""

import hashlib
from collections.abc import Mapping

import msgspec

from agents.lines.register import Register
from agents.reading.pieces import to_text
from agents.speaking.bank import ASK, BID, ITEM, LAST
from negotiation.engine.quantities import Paise
from negotiation.plans import MoveName

READ_AT_MOST = 240
"""Characters of a line that the model reads."""
SIGNS = "₹$ "

BEGIN, END = "<|im_start|>", "<|im_end|>"
"""Around each turn, in the template of the model in the box."""


class Cue(msgspec.Struct, frozen=True):
    """All that the model knows of a turn.

    Attributes:
        language: that she speaks.
        thing: what is sold, in a word or two.
        shelf: its file of the catalogue.
        move: what is played.
        heard: acts of the seller's line.
        speaks_to: which of them she answers.
        promise: her line promises a step for a step.
        final: it is her last word.
        before: her own last line, prices in slots.
        said: the seller's line, prices in slots.
    """

    language: Register
    thing: str
    shelf: str
    move: MoveName
    heard: tuple[str, ...]
    speaks_to: tuple[str, ...]
    promise: bool
    final: bool
    before: str
    said: str


def prompt_of(cue: Cue) -> str:
    """Write a turn as the model reads it, up to where her words begin."""
    deed = " ".join(
        [cue.move, *(["promise"] if cue.promise else []), *(["last word"] if cue.final else [])]
    )
    plan = (
        f"{cue.language}. {cue.thing or 'thing'}, {cue.shelf}. heard: {', '.join(cue.heard)}. "
        f"answer: {', '.join(cue.speaks_to)}. move: {deed}."
    )
    before = f"{BEGIN}assistant\n{_kept(cue.before)}{END}\n" if cue.before else ""
    return (
        f"{BEGIN}system\n{plan}{END}\n{before}"
        f"{BEGIN}user\n{_kept(cue.said)}{END}\n{BEGIN}assistant\n"
    )


def in_slots(text: str, prices: Mapping[str, Paise | None]) -> str:
    """Put slots in the place of prices.

    Args:
        text: a line.
        prices: what stands in each slot.

    >>> in_slots("lovely lamp, Rs 5,500 or 60", {"<ask>": Paise(5500_00)})
    'lovely lamp, <ask> or 60'
    """
    slots = {price: slot for slot, price in prices.items() if price is not None}
    out, at = [], 0
    for said in to_text(text).said:
        slot = slots.get(Paise(said.amount.paise))
        if slot is None or said.amount.start < at:
            continue
        head = text[at : said.amount.start].rstrip(SIGNS)
        head = head.removesuffix("Rs.").removesuffix("Rs").removesuffix("rs")
        space = " " if head and not head.endswith((" ", "(")) else ""
        out += [head.rstrip(), space, slot] if head.strip() else [slot]
        at = said.amount.end
    return "".join(out) + text[at:]


def _kept(text: str) -> str:
    """Cut a line to size; signs of the template that somebody types are no turns."""
    return text[:READ_AT_MOST].replace("<|", "<").replace("|>", ">").strip()


PROMPT_VERSION = hashlib.sha256(
    prompt_of(
        Cue("english", "lamp", "brass-crafts", "hold", ("price", "rival"), ("rival",),
            promise=True, final=True, before="So?", said=f"{ASK} {BID} {LAST} {ITEM}")
    ).encode()
).hexdigest()[:8]  # fmt: skip
"""Of the way a turn is written: a model that learned another one is not asked."""
