"""What the voice in the box is told of a turn, prices in slots, and nothing of her budget."""

import hashlib
from collections.abc import Mapping
from random import Random

import msgspec

from agents.speech.bank import ANY_GOODS, ASK, BID, ITEM, LAST, shelves
from agents.speech.nouns import thing_of
from agents.speech.plan import plan_of
from agents.speech.promises import can_promise
from agents.speech.sides import FIRST, language_of, own_words
from agents.speech.speaker import slots_of
from agents.text.languages import Register
from agents.text.reading.pieces import to_text
from agents.text.topics import last_words
from bazaarbatna.bargain.moves import Move
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise
from negotiation.plans import MoveName, Plan

READ_AT_MOST = 240
SIGNS = "₹$ "

BEGIN, END = "<|im_start|>", "<|im_end|>"


class Cue(msgspec.Struct, frozen=True):
    """All that the model knows of a turn, prices in slots; ``shelf`` is a file of the catalogue."""

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

    >>> in_slots("lovely lamp, Rs 5,500 or 60", {"<ask>": Paise(5500_00)})
    'lovely lamp,<ask> or 60'
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
    return text[:READ_AT_MOST].replace("<|", "<").replace("|>", ">").strip()


PROMPT_VERSION = hashlib.sha256(
    prompt_of(
        Cue("english", "lamp", "brass-crafts", "hold", ("price", "rival"), ("rival",),
            promise=True, final=True, before="So?", said=f"{ASK} {BID} {LAST} {ITEM}")
    ).encode()
).hexdigest()[:8]  # fmt: skip


PROMISE_P = 0.15
"""How often she offers a step for a step where she stands still and could keep it."""


class Planned(msgspec.Struct, frozen=True):
    """A turn whose words are missing; ``cue`` is what the model is told."""

    seen: BuyerObservation
    move: Move | None
    plan: Plan
    language: Register
    said: tuple[str, ...]
    slots: dict[str, str]
    cue: Cue


def planned(seen: BuyerObservation, move: Move | None, seed: int) -> Planned:
    """Plan a turn, and write down what the model is told of it."""
    plan, language, said = plan_of(seen, move), language_of(seen) or FIRST, own_words(seen)
    prices = {LAST: seen.own_last_bid, ASK: seen.standing_ask}
    heard = tuple(one.act for one in plan.heard)
    dice = Random(f"{seed}:{len(seen.bids)}:{len(seen.turns)}")
    cue = Cue(
        language=language,
        thing=thing_of(seen.item.title),
        shelf=shelves().get(seen.item.category, ANY_GOODS),
        move=plan.move,
        # An ask stands on the table, whether or not the words named it.
        heard=heard if plan.move == "talk" or "price" in heard else (*heard, "price"),
        speaks_to=plan.speaks_to or ("price",),
        promise=plan.move == "hold" and can_promise(seen, move) and dice.random() < PROMISE_P,
        final=seen.rounds_left == 0 and plan.move in ("concede", "hold", "open"),
        before=in_slots(said[-1], prices) if said else "",
        said=in_slots(last_words(seen.turns), prices),
    )
    return Planned(seen, move, plan, language, tuple(said), slots_of(seen, move, language), cue)
